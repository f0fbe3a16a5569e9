import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopback, parseUrl } from '../../core/addresses.ts';
import { languageCode } from '../../core/api/fields.ts';
import { findIllFormedText } from '../../core/api/record-text.ts';
import { LecternError } from '../../core/errors.ts';
import { clientNetwork } from '../../core/net/client-network.ts';
import { HttpError, refuseFor } from '../../core/net/http-error.ts';
import { createRateLimit } from '../../core/net/rate-limit.ts';
import { z } from '../../core/schema.ts';
import { parseJsonOrNull } from '../../core/unknown-record.ts';
import type { HelpIndex } from '../mcp/help-index.ts';
import { type HttpRoute, isAllowedOrigin, readMessage } from '../mcp/serve-http.ts';
import type { AnswerPart, AnswerQuestion } from './answer-question.ts';

/** Longest question, in characters. */
const maxCharacters = 1_000;
/** Questions of one network in a minute. */
const maxPerNetwork = 10;
/** Questions of all networks together in a minute. */
const maxPerMinute = 60;
/** Answers that are made at the same time: each is a request to the model. */
const maxAtOnce = 8;
const dayMs = 86_400_000;

interface AnswerRouteOptions {
  readonly help: Pick<HelpIndex, 'answer'>;
  readonly answer: AnswerQuestion;
  /** Host names of this server and of pages that may call it, besides those of the site. */
  readonly hostNames: readonly string[];
  /** Number of proxies in front of the server: see `clientNetwork`. */
  readonly trustProxy: number;
  /** Questions that are answered on a day (UTC); 0: no limit. */
  readonly maxPerDay: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with each error because of which a question has no answer, or half of one. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Creates the route that answers the questions of readers: docs/answers.md is its contract. It needs no key, because a page cannot keep one
 * secret. Pages of other sites than that of the feed are refused, and the limits bound what the model costs.
 */
export function createAnswerRoute(options: AnswerRouteOptions): HttpRoute {
  const { help, answer, hostNames, onFault } = options;
  const takeTurn = createTurns(options);
  let running = 0;

  /** Whether a page of this origin may ask: one of the site, of this server, or of this machine if it asks this machine. */
  async function mayAsk(origin: string, host: string | undefined): Promise<boolean> {
    if (isAllowedOrigin({ origin, host }, hostNames)) return true;
    const page = parseUrl(origin);
    const server = parseUrl(`http://${host}`);
    if (page === null || server === null) return false;
    if (isLoopback(page.hostname) && isLoopback(server.hostname)) return true;
    return page.origin === (await help.answer((_index, { siteUrl }) => parseUrl(siteUrl)?.origin));
  }

  async function stream(question: Question, headers: Headers, response: ServerResponse): Promise<void> {
    const ending = new AbortController();
    response.once('close', () => ending.abort());
    if (response.destroyed) return;
    running += 1;
    try {
      for await (const part of answer(question.text, question.language, ending.signal)) {
        if (!response.headersSent)
          response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' });
        response.write(writeEvent(describePart(part)));
      }
      response.end(
        `${writeEvent({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}data: [DONE]\n\n`,
      );
    } catch (error) {
      // The reader left.
      if (ending.signal.aborted) return;
      if (!response.headersSent) throw error;
      onFault(error);
      response.end(
        writeEvent({
          error: { code: 'model_unavailable', message: 'The answer was cut short.' },
          choices: [],
        }),
      );
    } finally {
      running -= 1;
    }
  }

  async function respond(request: IncomingMessage, response: ServerResponse, headers: Headers) {
    const { method } = request;
    const { origin, host, 'content-type': type = '' } = request.headers;
    if (origin !== undefined) {
      if (!(await mayAsk(origin, host)))
        throw new HttpError(403, 'foreign_origin', `Pages of ${origin} may not ask.`);
      headers['access-control-allow-origin'] = origin;
    }
    if (method === 'OPTIONS') {
      response.writeHead(204, {
        ...headers,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': '86400',
      });
      return void response.end();
    }
    if (method !== 'POST')
      throw new HttpError(405, 'method_not_allowed', `${method} is not allowed here; use POST.`, {
        allow: 'OPTIONS, POST',
      });
    const countQuestion = takeTurn(request);
    if (!/^application\/json\s*(?:;|$)/i.test(type))
      throw new HttpError(415, 'unsupported_media_type', 'Send the question as application/json.');
    const body = await readMessage(request);
    if (body === 'too-large') throw new HttpError(413, 'body_too_large', 'The request body is too large.');
    const question = parseQuestion(body);
    if (running >= maxAtOnce)
      throw new HttpError(503, 'busy', 'Too many questions are being answered. Try again.', soon);
    countQuestion();
    await stream(question, headers, response);
  }

  return async (request, response) => {
    const headers: Headers = { vary: 'origin', 'cache-control': 'no-store' };
    try {
      await respond(request, response, headers);
    } catch (error) {
      // The client left in the middle of its request, or was too slow.
      if (response.destroyed || response.socket?.destroyed) return;
      if (!(error instanceof HttpError)) onFault(error);
      const refusal = error instanceof HttpError ? error : refusalFor(error);
      const text = JSON.stringify({ error: { code: refusal.code, message: refusal.message } });
      const type = { 'content-type': 'application/json; charset=utf-8' };
      // What was not read of the body is not waited for.
      response
        .writeHead(refusal.status, { ...headers, ...refusal.headers, ...type, connection: 'close' })
        .end(text);
    }
  };
}

/**
 * Counts the requests of each network, and what the model is asked.
 * @returns a function that takes a request, and returns one to call before the model is asked; both throw 429 if there were too many
 */
function createTurns({ maxPerDay, trustProxy, now }: AnswerRouteOptions) {
  const ofNetwork = createRateLimit(maxPerNetwork, now);
  const ofAll = createRateLimit(maxPerMinute, now);
  let day = 0;
  let count = 0;
  return ({ headers, socket }: IncomingMessage) => {
    const forwardedFor = String(headers['x-forwarded-for'] ?? '');
    const network = clientNetwork({ socketAddress: socket.remoteAddress ?? '', forwardedFor }, trustProxy);
    refuseFor(ofNetwork(network), 'questions');
    return () => {
      const today = Math.floor(now() / dayMs);
      if (today !== day) [day, count] = [today, 0];
      if (maxPerDay > 0 && count >= maxPerDay)
        refuseFor(Math.ceil(((today + 1) * dayMs - now()) / 1000), 'questions');
      refuseFor(ofAll(''), 'questions');
      count += 1;
    };
  };
}

type Headers = Record<string, string>;

const soon: Headers = { 'retry-after': '5' };

/** The response to an error: the model failed, the feed cannot be read, or there is a bug. */
function refusalFor(error: unknown): HttpError {
  if (!(error instanceof LecternError)) return new HttpError(500, 'internal_error', 'The server failed.');
  if (error.code === 'MODEL_UNREACHABLE')
    return new HttpError(502, 'model_unavailable', 'The model that answers questions cannot be reached.');
  return new HttpError(503, 'feed_unavailable', 'The feed with the answers cannot be read. Try again.', soon);
}

interface Question {
  readonly text: string;
  readonly language: string;
}

const questionSchema = z
  .object({
    messages: z
      .array(z.object({ role: z.string(), content: z.string() }))
      .min(1)
      .max(20),
    language: languageCode,
  })
  .transform(({ messages, language }) => ({
    language,
    text: messages.findLast(({ role }) => role === 'user')?.content.trim() ?? '',
  }))
  .refine(
    ({ text }) => text.length >= 1 && text.length <= maxCharacters && findIllFormedText(text) === null,
    {
      path: ['messages'],
      error: `must end with a question of 1 to ${maxCharacters} characters`,
    },
  );

/** @throws HttpError 400 with the field that is wrong */
function parseQuestion(body: string): Question {
  const parsed = questionSchema.safeParse(parseJsonOrNull(body));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') || 'body';
  throw new HttpError(400, 'invalid_field', `The field ${field} is wrong: ${issue?.message}.`);
}

function writeEvent(data: object): string {
  return `data: ${JSON.stringify({ object: 'chat.completion.chunk', ...data })}\n\n`;
}

function describePart(part: AnswerPart): object {
  if (part.kind === 'citations') return { citations: part.citations, choices: [] };
  const delta = part.kind === 'sentence' ? { content: `${part.text} ` } : { refusal: part.reason };
  return { choices: [{ index: 0, delta, finish_reason: null }] };
}

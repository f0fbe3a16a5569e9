import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { AnswerPart, AnswerQuestion } from '../../consumers/answers/answer-question.ts';
import { languageCode } from '../../core/api/fields.ts';
import { LecternError } from '../../core/errors.ts';
import { z } from '../../core/schema.ts';
import { validateBody } from './add-operation.ts';
import { HttpError, type Router } from './router.ts';

/** Path of the endpoint that answers questions: docs/answers.md is its contract. */
export const answersPath = '/v1/answers';

/** Longest question, in characters. */
const maxCharacters = 1_000;

/** Answers that are made at the same time: each is a request to the model. */
const maxAtOnce = 8;

const question = z
  .object({
    messages: z
      .array(z.object({ role: z.string(), content: z.string() }))
      .min(1)
      .max(20),
    language: languageCode,
  })
  .transform(({ messages, language }) => ({
    language,
    question: messages.findLast(({ role }) => role === 'user')?.content.trim() ?? '',
  }))
  .refine(({ question: text }) => text.length >= 1 && text.length <= maxCharacters, {
    path: ['messages'],
    error: `must end with a question of 1 to ${maxCharacters} characters`,
  });

/** `POST /answers`: streams the answer to a question. */
export function addAnswerRoute(router: Router, answer: AnswerQuestion, logger: Logger): void {
  let running = 0;
  router.add('POST', answersPath.replace('/v1', ''), async ({ body }) => {
    const asked = validateBody(question, body);
    if (running >= maxAtOnce)
      throw new HttpError(503, 'busy', 'Too many questions are being answered. Try again.', {
        'retry-after': '5',
      });
    running += 1;
    const ending = new AbortController();
    const parts = answer(asked.question, asked.language, ending.signal);
    const end = (): void => {
      if (ending.signal.aborted) return;
      running -= 1;
      ending.abort();
      parts.return().catch(() => {});
    };
    const first = await parts.next().catch((error: unknown) => {
      end();
      logger.error({ err: error }, 'no answer');
      if (error instanceof LecternError && error.code === 'MODEL_UNREACHABLE')
        throw new HttpError(502, 'model_unavailable', 'The model that answers questions cannot be reached.');
      throw new HttpError(503, 'feed_unavailable', 'The feed with the answers cannot be read. Try again.', {
        'retry-after': '5',
      });
    });
    const events = writeEvents(first, parts, logger);
    const stream = Readable.from({
      [Symbol.asyncIterator]: () => ({
        async next() {
          const event = await events.next();
          if (event.done === true) end();
          return event;
        },
        // The reader left. A generator would first wait for the next piece of the model.
        async return() {
          end();
          return { done: true, value: undefined };
        },
      }),
    });
    return {
      status: 200,
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
      body: stream,
    };
  });
}

async function* writeEvents(
  first: IteratorResult<AnswerPart, void>,
  parts: AsyncIterator<AnswerPart, void>,
  logger: Logger,
): AsyncGenerator<string> {
  const event = (data: object): string =>
    `data: ${JSON.stringify({ object: 'chat.completion.chunk', ...data })}\n\n`;
  try {
    for (let part = first; part.done !== true; part = await parts.next()) yield event(describe(part.value));
    yield event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    yield 'data: [DONE]\n\n';
  } catch (error) {
    logger.error({ err: error }, 'answer of the model cut short');
    yield event({ error: { code: 'model_unavailable', message: 'The answer was cut short.' }, choices: [] });
  }
}

function describe(part: AnswerPart): object {
  if (part.kind === 'citations') return { citations: part.citations, choices: [] };
  const delta = part.kind === 'sentence' ? { content: `${part.text} ` } : { refusal: part.reason };
  return { choices: [{ index: 0, delta, finish_reason: null }] };
}

import { maskKey } from '../errors.ts';
import { isRecord, parseJsonOrNull } from '../unknown-record.ts';
import { NetworkFault, type RetryRule } from './network-fault.ts';
import { readFirst } from './response-body.ts';

interface FailedAnswer {
  /** Names the request, e.g. `GET https://kb.example.com/v1/article`. */
  readonly what: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The server's explanation without secrets; `''` if there is none. */
  readonly explanation: string;
  readonly nowMs: number;
}

/** The fault for a response with an unexpected status. */
export function statusFault(answer: FailedAnswer): NetworkFault {
  const { what, status, explanation } = answer;
  const said = explanation === '' ? '' : `: ${JSON.stringify(explanation)}`;
  const [code, hint] = explain(status);
  return new NetworkFault(code, `${what} answered ${status}${said}`, {
    hint,
    retry: retryRule(status),
    retryAfterMs: isPassingStatus(status) ? askedWaitMs(answer) : null,
  });
}

/** The wait that the server asks for; `null` if it asks for none, so that a zero is no reason to repeat the request at once. */
function askedWaitMs({ status, headers, nowMs }: FailedAnswer): number | null {
  const asked = headers['retry-after'];
  // A rate limit may end by the clock of the server.
  const serverMs = Date.parse(headers.date ?? '');
  const serverNowMs = Number.isNaN(serverMs) ? nowMs : serverMs;
  return (
    parseReset(asked, serverNowMs) ??
    // Not every server that has a wrong clock names a date by it.
    parseReset(asked, nowMs) ??
    (status === 429 ? parseReset(resetHeader(headers), serverNowMs) : null)
  );
}

function retryRule(status: number): RetryRule {
  if (status === 429 || status === 503) return 'always';
  return isPassingStatus(status) || status === 500 || status === 408 ? 'reads' : 'never';
}

type CodeAndHint = readonly [code: string, hint: string];

const explanations: Readonly<Record<number, CodeAndHint>> = {
  401: ['UNAUTHORIZED', 'set the environment variable LECTERN_API_KEY to a key this service accepts'],
  403: ['FORBIDDEN', 'set LECTERN_API_KEY to a key with this permission'],
  404: ['NOT_FOUND', 'check the ids, and that the base URL is the API and ends in its version, such as /v1'],
  412: ['CONFLICT', 'the record was changed in the meantime; read it again, then change it again'],
  429: ['RATE_LIMITED', 'run less often, or ask the operator of the server for a higher limit'],
};

function explain(status: number): CodeAndHint {
  if (status >= 500) return ['SERVER_ERROR', 'the server has a problem; try again later'];
  return explanations[status] ?? ['REQUEST_REFUSED', 'correct the request as the message says'];
}

/**
 * Parses a `Retry-After` header (RFC 9110, 10.2.3): whole seconds or an HTTP date. Returns milliseconds from `nowMs`, never negative;
 * `null` for a missing or invalid header.
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Only HTTP dates: Date.parse alone would read "1.5" as a month.
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null;
  const date = Date.parse(/GMT|UTC|[+-]\d{4}$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

/** Names of headers that say when the window of a rate limit ends, such as `x-ratelimit-reset` and `ratelimit-reset`. */
const resetName = /rate-?limit-re(?:set|try-after)$|^x-retry-after$/;

/** The first header of an answer with such a name, else `ratelimit` of the draft of the IETF. */
export function resetHeader(headers: FailedAnswer['headers']): string | undefined {
  return headers[Object.keys(headers).find((name) => resetName.test(name)) ?? 'ratelimit'];
}

/** Numbers above this are a Unix time: it is 2001 in seconds, and more than thirty years as a wait. */
const minUnixTime = 1_000_000_000;

/**
 * Parses when a wait ends: the forms of {@link parseRetryAfter}, seconds with a fraction or an `s`, a Unix time in seconds or milliseconds, an ISO
 * date (UTC without a zone), or one of the parts `t=30` and `reset=30`. Returns milliseconds from `nowMs`; `null` if it is invalid or has passed.
 */
export function parseReset(value: string | undefined, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  const written = /(?:^|[;,])\s*(?:t|reset)=(\d+)/.exec(text)?.[1] ?? text;
  const number = /^\d{1,13}(?:\.\d+)?(?= ?s?$)/.exec(written)?.[0];
  // Only whole dates: Date.parse alone would read "1.5" as a month.
  const [, date, zone] = /^(\d{4}-\d\d-\d\d[T ][\d:.]+) ?(?:Z|UTC|GMT|([+-]\d\d:?\d\d))?$/i.exec(text) ?? [];
  let waitMs =
    date === undefined ? parseRetryAfter(text, nowMs) : Date.parse(`${date}${zone ?? 'Z'}`) - nowMs;
  if (number !== undefined) {
    const unixMs = Number(number) * (Number(number) >= minUnixTime * 1000 ? 1 : 1000);
    waitMs = Number(number) >= minUnixTime ? unixMs - nowMs : unixMs;
  }
  return waitMs !== null && waitMs > 0 ? waitMs : null;
}

const maxTextChars = 200;

/** Bytes that are read to find the message in a body. */
const maxBodyBytes = 16_384;

/**
 * Reads the explanation in an error body as one short line: the `message`, `detail` (RFC 9457), `error` with its `description`,
 * first of `errors`, `reason` or `status` of a JSON object. Returns `''` for anything else (an HTML page, an unreadable body). Masks the key, because servers repeat it.
 */
export async function readExplanation(
  body: AsyncIterable<Uint8Array>,
  apiKey: string | null,
): Promise<string> {
  // If the body cannot be read, the original error is still reported.
  const start = await readFirst(body, maxBodyBytes).catch(() => '');
  const text = messageIn(parseJsonOrNull(start.toString()), 0);
  if (text === null) return '';
  const line = maskKey(text, apiKey)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length > maxTextChars ? `${line.slice(0, maxTextChars)}…` : line;
}

/** The first text that says what is wrong; the parts of some are codes or places. */
function messageIn(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (!isRecord(value) || depth === 2) return null;
  const { message, detail, error = value.errors, description, reason, status } = value;
  // Without an error beside it, a description may be that of a draft.
  const described = [error].flat().some(Boolean) ? description : null;
  for (const one of [message, detail, described, error, reason, status]) {
    const found = messageIn(Array.isArray(one) ? one[0] : one, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Methods the API uses, `HEAD` for files of a published site, and `PUT` for other APIs. */
export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const firstDelayMs = 500;
const maxDelayMs = 30_000;
/** Longest wait that a server can ask for. */
const maxAskedMs = 120_000;

/** Statuses after which the server may respond normally a little later. */
const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Whether a status is temporary. */
export function isPassingStatus(status: number): boolean {
  return passingStatuses.has(status);
}

/** Whether a failed request may be retried. `attempt` counts from 1. A new record must never be created twice. */
export function mayRetry(
  fault: NetworkFault,
  method: HttpMethod,
  attempt: number,
  maxAttempts: number,
): boolean {
  const most = fault.retry === 'reads-once' ? Math.min(2, maxAttempts) : maxAttempts;
  if (attempt >= most || fault.retry === 'never') return false;
  return fault.retry === 'always' || method !== 'POST';
}

/**
 * Milliseconds to wait before the next attempt: what the server asks for (up to a limit), else exponential back-off. A random part prevents
 * clients that failed together from retrying together; `random` returns numbers in [0, 1).
 */
export function retryDelayMs(fault: NetworkFault, attempt: number, random: () => number): number {
  const backoffMs = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
  if (fault.retryAfterMs === null) return Math.round(backoffMs * (0.5 + random() / 2));
  // A server may ask for a thousandth of a second.
  const askedMs = Math.min(Math.max(fault.retryAfterMs, firstDelayMs), maxAskedMs);
  return Math.round(askedMs + random() * Math.min(backoffMs, askedMs / 10));
}

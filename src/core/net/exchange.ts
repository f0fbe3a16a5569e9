import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { parseUrl } from '../addresses.ts';
import { formatUrl } from './base-url.ts';
import { mapNetworkError, NetworkFault } from './network-fault.ts';
import { type BodyLimits, readBytes } from './response-body.ts';
import { type HttpMethod, mayRetry, retryDelayMs } from './status-fault.ts';

export interface HttpPorts {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** May end early, with any error, when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Numbers in [0, 1). */
  readonly random: () => number;
}

export const realPorts: HttpPorts = {
  now: Date.now,
  sleep: (ms, signal) => sleepFor(ms, undefined, { signal }),
  random: Math.random,
};

/** A request as it is sent. */
interface WireRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly content?: string;
  /** Whether redirects to other servers are followed. */
  readonly anyServer: boolean;
  /** The connections to a server. Called for the URL and for each one that it redirects to; throws if that must not be requested. */
  readonly dispatcherFor: (url: URL) => Promise<Dispatcher>;
  readonly limits: BodyLimits;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; of several headers with the same name, the first. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** URL for messages, without query. */
  readonly url: string;
  /** Decompressed; can be read once. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends a request, follows its redirects and passes the response, of any status, to `read`. Throws {@link NetworkFault}. */
export async function exchange<T>(
  { method, url: start, headers, content, anyServer, dispatcherFor, limits, signal }: WireRequest,
  read: (response: HttpResponse) => Promise<T>,
): Promise<T> {
  const chain = [start];
  for (;;) {
    const url = chain.at(-1) as URL;
    const dispatcher = await dispatcherFor(url);
    const what = `${method} ${formatUrl(url)}`;
    let answer: Dispatcher.ResponseData;
    try {
      answer = await dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: { 'accept-encoding': 'gzip, br', 'user-agent': 'lectern', ...headers },
        body: content ?? null,
        signal,
      });
    } catch (error) {
      throw mapNetworkError(error, what) ?? error;
    }
    const { statusCode: status } = answer;
    const stream: Readable = answer.body;
    const found = firstValues(answer.headers);
    try {
      if (!redirectStatuses.has(status)) {
        const body = readBytes(stream, found['content-encoding'], what, limits);
        return await read({ status, headers: found, url: formatUrl(url), body });
      }
      const isRead = method === 'GET' || method === 'HEAD';
      chain.push(followRedirect({ status, location: found.location, chain, isRead, anyServer }));
    } finally {
      // The rest of the body is not needed. undici reports this as an error, which is ignored.
      stream.on('error', () => {}).destroy();
    }
  }
}

function firstValues(headers: Dispatcher.ResponseData['headers']): HttpResponse['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}

const maxRedirects = 5;

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface RedirectReply {
  readonly status: number;
  readonly location: string | undefined;
  /** URLs of this request so far, the first one first. */
  readonly chain: readonly URL[];
  readonly isRead: boolean;
  /** Whether redirects to another server are allowed. */
  readonly anyServer: boolean;
}

/**
 * Target of a redirect. By default, requests follow redirects only within one origin, so that a key never reaches another server, and a feed
 * comes from the server that was asked for. A change is repeated only for statuses that preserve its method (307, 308).
 * @throws REDIRECT_REFUSED
 */
export function followRedirect({ status, location, chain, isRead, anyServer }: RedirectReply): URL {
  const from = chain.at(-1) as URL;
  const refuse = (why: string): NetworkFault =>
    new NetworkFault('REDIRECT_REFUSED', `${formatUrl(from)} answered ${status} and ${why}`, {
      hint: anyServer
        ? 'use the final URL'
        : 'set the base URL to the final URL of the API; redirects are followed only within one https origin',
      retry: 'never',
    });
  const target = location === undefined ? null : parseUrl(location, from);
  if (target === null) throw refuse('names no valid Location');
  target.hash = '';
  // Any server of http may have moved to https.
  const isSecured = anyServer && from.protocol === 'http:' && target.protocol === 'https:';
  if (target.protocol !== from.protocol && !isSecured)
    throw refuse(`leads from ${from.protocol} to ${formatUrl(target)}`);
  if (!anyServer && target.origin !== from.origin) throw refuse(`leads to another server, ${target.origin}`);
  if (target.username !== '' || target.password !== '') throw refuse('leads to a URL with a password');
  if (chain.some((url) => url.href === target.href)) throw refuse(`forms a loop to ${formatUrl(target)}`);
  if (chain.length > maxRedirects) throw refuse(`is the last of more than ${maxRedirects} redirects`);
  if (!isRead && status !== 307 && status !== 308)
    throw refuse('does not allow a change to be sent again (307 and 308 do)');
  return target;
}

/** A request that may be repeated. */
interface Repetition {
  readonly host: string;
  readonly method: HttpMethod;
  /** How often it is made after a fault, the first time included. */
  readonly maxAttempts: (fault: NetworkFault) => number;
}

/**
 * Creates a function that repeats requests that fail for a passing reason. If a server asks one request to wait, all others to its host wait, too.
 * @param signal ends all waits: its reason is thrown
 */
export function createRetries({ now, sleep, random }: HttpPorts, signal: AbortSignal) {
  // Every request and wait listens to it: Node warns of more than ten, however many a caller makes at a time.
  setMaxListeners(0, signal);
  /** When each host may be asked again, if it asked to wait. */
  const quietUntilMs = new Map<string, number>();

  async function pauseUntil(timeMs: number): Promise<void> {
    const restMs = timeMs - now();
    try {
      if (restMs > 0) await sleep(restMs, signal);
    } finally {
      signal.throwIfAborted();
    }
  }

  return async <T>({ host, method, maxAttempts }: Repetition, act: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      await pauseUntil(quietUntilMs.get(host) ?? 0);
      try {
        return await act();
      } catch (error) {
        signal.throwIfAborted();
        // A request that `act` made of its own was repeated already.
        if (!(error instanceof NetworkFault) || error.cause instanceof NetworkFault) throw error;
        if (!mayRetry(error, method, attempt, maxAttempts(error))) throw withAttempts(error, attempt);
        const untilMs = now() + retryDelayMs(error, attempt, random);
        if (error.retryAfterMs !== null)
          quietUntilMs.set(host, Math.max(quietUntilMs.get(host) ?? 0, untilMs));
        await pauseUntil(untilMs);
      }
    }
  };
}

/** Why requests fail that a client was still making when it was closed: for callers, their connections are lost. */
export function closedFault(): NetworkFault {
  return new NetworkFault('CONNECTION_FAILED', 'the connection was closed before the response was complete', {
    hint: 'run again',
    retry: 'never',
  });
}

function withAttempts(fault: NetworkFault, attempts: number): NetworkFault {
  if (attempts === 1) return fault;
  const { code, message, hint, retry, retryAfterMs } = fault;
  return new NetworkFault(code, `${message} (${attempts} attempts)`, {
    ...{ hint, retry, retryAfterMs },
    cause: fault,
  });
}

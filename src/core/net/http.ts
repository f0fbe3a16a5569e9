import type { Readable } from 'node:stream';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { LecternError } from '../errors.ts';
import {
  followRedirect,
  formatUrl,
  isRedirect,
  parseBaseUrl,
  requestUrl,
  type UrlQuery,
} from './base-url.ts';
import { mapNetworkError, NetworkFault } from './network-fault.ts';
import { type Environment, openDispatcher } from './open-dispatcher.ts';
import { firstValues, readBytes } from './response-body.ts';
import { type HttpMethod, mayRetry, readExplanation, retryDelayMs, statusFault } from './status-fault.ts';

export type { HttpMethod } from './status-fault.ts';

export interface HttpSettings {
  /** URL of the API, ending in its version segment. */
  readonly baseUrl: string;
  /** `null` sends no key. */
  readonly apiKey: string | null;
  /** Follows redirects to other servers; only without a key. */
  readonly anyServer?: boolean;
  /** The `Authorization` header for the key; absent: `Bearer`. */
  readonly authorize?: (apiKey: string) => string;
  /** Sends the key alone in this header instead of `Authorization`. */
  readonly keyHeader?: string;
  /** PEM certificates to trust; `null` trusts those that Node trusts (see `trustedCertificates`). */
  readonly ca: readonly string[] | null;
  /** Allows plain http to localhost. */
  readonly insecureLoopback: boolean;
  readonly headersTimeoutMs: number;
  readonly bodyTimeoutMs: number;
  readonly maxAnswerBytes: number;
  /** How often a request is made, the first time included. */
  readonly maxAttempts: number;
  /** Environment variables with proxies, for tests; absent: those of the process. */
  readonly environment?: Environment;
  /** Ends all requests when it is aborted: they throw its reason, and no other is made. */
  readonly signal?: AbortSignal;
  /** Replacements of clock, randomness and waiting, for tests; absent: the real ones. */
  readonly ports?: HttpPorts;
}

export interface HttpPorts {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** May end early, with any error, when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Numbers in [0, 1). */
  readonly random: () => number;
}

export interface HttpRequest {
  readonly method: HttpMethod;
  /** Relative to the base URL, beginning with a slash, already percent-encoded. */
  readonly path: string;
  readonly query?: UrlQuery;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. */
  readonly content?: { readonly type: string; readonly text: string };
  readonly headers?: Readonly<Record<string, string>>;
  /** A `POST` that may be repeated without harm, and then is retried like other requests. */
  readonly isRepeatable?: boolean;
  /** Statuses besides 2xx that are not errors, e.g. `[304, 404]`. */
  readonly accept?: readonly number[];
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

export interface Http {
  /**
   * Makes a request and passes the response to `read`. Both are retried if the server is busy or the connection breaks, also in the middle
   * of the body: `read` must start from the beginning each time.
   * @throws UNAUTHORIZED, FORBIDDEN, NOT_FOUND, CONFLICT, RATE_LIMITED, SERVER_ERROR, REQUEST_REFUSED, REDIRECT_REFUSED, TIMEOUT,
   * CONNECTION_FAILED, PROXY_FAILED, TLS_FAILED,
   * BAD_RESPONSE, and what `read` throws
   */
  request<T>(request: HttpRequest, read: (response: HttpResponse) => Promise<T>): Promise<T>;
  /** Milliseconds by which the server's clock is ahead of ours, from its last response; 0 if that had no date. */
  clockOffsetMs(): number;
  close(): Promise<void>;
}

/** Longest time for one response. */
const maxAnswerMs = 3_600_000;

const realPorts: HttpPorts = {
  now: Date.now,
  sleep: (ms, signal) => sleepFor(ms, undefined, signal === undefined ? {} : { signal }),
  random: Math.random,
};

/**
 * Creates a client for the API, or for a published site if there is no key. The key is sent to one origin only.
 * @throws CONFIG_INVALID, KEY_UNUSABLE (exit 2)
 */
export function createHttp(settings: HttpSettings): Http {
  const baseUrl = parseBaseUrl(settings.baseUrl, settings.insecureLoopback);
  const apiKey = settings.apiKey === null ? null : checkApiKey(settings.apiKey);
  const { authorize = (key) => `Bearer ${key}`, keyHeader, signal } = settings;
  const credentials =
    apiKey === null
      ? {}
      : keyHeader === undefined
        ? { authorization: authorize(apiKey) }
        : { [keyHeader]: apiKey };
  const anyServer = apiKey === null && settings.anyServer === true;
  const { now, sleep, random } = settings.ports ?? realPorts;
  const agent = openDispatcher(settings, settings.environment);
  /** If the server asks one request to wait, all others wait, too. */
  let quietUntilMs = 0;
  let clockOffsetMs = 0;
  /** Requests that a closed client was still making are not repeated. */
  let isClosed = false;

  async function request<T>(wanted: HttpRequest, read: (response: HttpResponse) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      await pauseUntil(quietUntilMs);
      try {
        return await attemptRequest(wanted, read);
      } catch (error) {
        signal?.throwIfAborted();
        if (isClosed || !(error instanceof NetworkFault)) throw error;
        const method = wanted.isRepeatable ? 'GET' : wanted.method;
        if (!mayRetry(error, method, attempt, settings.maxAttempts)) throw withAttempts(error, attempt);
        const delayMs = retryDelayMs(error, attempt, random);
        if (error.retryAfterMs !== null) quietUntilMs = Math.max(quietUntilMs, now() + delayMs);
        await pauseUntil(now() + delayMs);
      }
    }
  }

  async function pauseUntil(timeMs: number): Promise<void> {
    const restMs = timeMs - now();
    try {
      if (restMs > 0) await sleep(restMs, signal);
    } finally {
      signal?.throwIfAborted();
    }
  }

  async function attemptRequest<T>(
    wanted: HttpRequest,
    read: (response: HttpResponse) => Promise<T>,
  ): Promise<T> {
    const chain = [requestUrl(baseUrl, wanted.path, wanted.query)];
    for (;;) {
      const url = chain.at(-1) as URL;
      const what = `${wanted.method} ${formatUrl(url)}`;
      const { status, headers, stream } = await send(url, wanted, what);
      const serverTime = Date.parse(headers.date ?? '');
      if (!Number.isNaN(serverTime)) clockOffsetMs = serverTime - now();
      try {
        const body = readBytes(stream, headers['content-encoding'], what, {
          slowMs: settings.bodyTimeoutMs,
          maxMs: maxAnswerMs,
          maxBytes: settings.maxAnswerBytes,
          now,
        });
        if (isRedirect(status)) {
          const { location } = headers;
          const isRead = wanted.method === 'GET' || wanted.method === 'HEAD';
          chain.push(followRedirect({ status, location, chain, isRead, anyServer }));
        } else if ((status >= 200 && status < 300) || wanted.accept?.includes(status)) {
          return await read({ status, headers, url: formatUrl(url), body });
        } else {
          const explanation = await readExplanation(body, apiKey);
          const nowMs = now();
          throw statusFault({
            what,
            status,
            headers,
            explanation,
            nowMs,
            serverNowMs: nowMs + clockOffsetMs,
          });
        }
      } finally {
        // The rest of the body is not needed. undici reports this as an error, which is ignored.
        stream.on('error', () => {}).destroy();
      }
    }
  }

  async function send(url: URL, wanted: HttpRequest, what: string) {
    const content =
      wanted.content ??
      (wanted.body === undefined ? null : { type: 'application/json', text: JSON.stringify(wanted.body) });
    try {
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: wanted.method,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'gzip, br',
          'user-agent': 'lectern',
          ...(content === null ? {} : { 'content-type': content.type }),
          ...wanted.headers,
          ...credentials,
        },
        body: content?.text ?? null,
        ...(signal === undefined ? {} : { signal }),
      });
      const stream: Readable = answer.body;
      return { status: answer.statusCode, headers: firstValues(answer.headers), stream };
    } catch (error) {
      throw mapNetworkError(error, what) ?? error;
    }
  }

  return {
    request,
    clockOffsetMs: () => clockOffsetMs,
    close() {
      isClosed = true;
      return agent.destroy();
    },
  };
}

function withAttempts(fault: NetworkFault, attempts: number): LecternError {
  if (attempts === 1) return fault;
  return new NetworkFault(fault.code, `${fault.message} (${attempts} attempts)`, {
    hint: fault.hint,
    retry: 'never',
    cause: fault,
  });
}

/**
 * Checks that a key can be sent as a Bearer token (visible ASCII). Messages do not contain it.
 * @throws KEY_UNUSABLE (exit 2)
 */
function checkApiKey(key: string): string {
  const trimmed = key.trim();
  if (trimmed === '') throw keyUnusable('no API key is set', 'set the environment variable LECTERN_API_KEY');
  if (!/^[\x21-\x7e]+$/.test(trimmed))
    throw keyUnusable(
      'the API key contains invalid characters',
      'set LECTERN_API_KEY to the key without quotes, spaces or line breaks',
    );
  if (/^(["'`]).*\1$/.test(trimmed))
    throw keyUnusable(
      'the API key is in quotes',
      'set LECTERN_API_KEY to the key without quotes (docker --env-file includes them in the value)',
    );
  return trimmed;
}

function keyUnusable(message: string, hint: string): LecternError {
  return new LecternError('KEY_UNUSABLE', message, { hint, exitCode: 2 });
}

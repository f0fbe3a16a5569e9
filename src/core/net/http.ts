import { LecternError } from '../errors.ts';
import { parseBaseUrl, requestUrl, type UrlQuery } from './base-url.ts';
import {
  closedFault,
  createRetries,
  exchange,
  type HttpPorts,
  type HttpResponse,
  realPorts,
} from './exchange.ts';
import { type Environment, openDispatcher } from './open-dispatcher.ts';
import { type HttpMethod, readExplanation, statusFault } from './status-fault.ts';

export type { HttpPorts, HttpResponse } from './exchange.ts';
export type { HttpMethod } from './status-fault.ts';

export interface HttpSettings {
  /** URL of the API, ending in its version segment. */
  readonly baseUrl: string;
  /** `null` sends no key. */
  readonly apiKey: string | null;
  /** Follows redirects to other servers; only without a key. */
  readonly anyServer?: boolean;
  /** The headers with the key; absent: `Authorization: Bearer …`. */
  readonly keyHeaders?: (apiKey: string) => Readonly<Record<string, string>>;
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
  readonly signal?: AbortSignal | undefined;
  /** Replacements of clock, randomness and waiting, for tests; absent: the real ones. */
  readonly ports?: HttpPorts | undefined;
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

/**
 * Creates a client for the API, or for a published site if there is no key. The key is sent to one origin only.
 * @throws CONFIG_INVALID, KEY_UNUSABLE (exit 2)
 */
export function createHttp(settings: HttpSettings): Http {
  const baseUrl = parseBaseUrl(settings.baseUrl, settings.insecureLoopback);
  const apiKey = settings.apiKey === null ? null : checkApiKey(settings.apiKey);
  const { keyHeaders = (key) => ({ authorization: `Bearer ${key}` }), ports = realPorts } = settings;
  const credentials = apiKey === null ? {} : keyHeaders(apiKey);
  const anyServer = apiKey === null && settings.anyServer === true;
  const agent = openDispatcher(settings, settings.environment);
  const closing = new AbortController();
  const signal = AbortSignal.any([closing.signal, ...(settings.signal ? [settings.signal] : [])]);
  const retry = createRetries(ports, signal);
  const limits = {
    slowMs: settings.bodyTimeoutMs,
    maxBytes: settings.maxAnswerBytes,
    now: ports.now,
  };
  let clockOffsetMs = 0;

  return {
    request(wanted, read) {
      const { method, accept = [] } = wanted;
      const content =
        wanted.content ??
        (wanted.body === undefined ? null : { type: 'application/json', text: JSON.stringify(wanted.body) });
      const sent = {
        method,
        url: requestUrl(baseUrl, wanted.path, wanted.query),
        headers: {
          accept: 'application/json',
          ...(content === null ? {} : { 'content-type': content.type }),
          ...wanted.headers,
          ...credentials,
        },
        ...(content === null ? {} : { content: content.text }),
        anyServer,
        dispatcherFor: async () => agent,
        limits,
        signal,
      };
      const repetition = {
        host: baseUrl.host,
        method: wanted.isRepeatable ? 'GET' : method,
        maxAttempts: () => settings.maxAttempts,
      } as const;
      return retry(repetition, () =>
        exchange(sent, async (response) => {
          const { status, headers, url, body } = response;
          const serverTime = Date.parse(headers.date ?? '');
          if (!Number.isNaN(serverTime)) clockOffsetMs = serverTime - ports.now();
          if ((status >= 200 && status < 300) || accept.includes(status)) return read(response);
          const explanation = await readExplanation(body, apiKey);
          throw statusFault({ what: `${method} ${url}`, status, headers, explanation, nowMs: ports.now() });
        }),
      );
    },
    clockOffsetMs: () => clockOffsetMs,
    close() {
      closing.abort(closedFault());
      return agent.destroy();
    },
  };
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
  return new LecternError('KEY_UNUSABLE', message, { hint });
}

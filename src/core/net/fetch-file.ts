import type { lookup as systemLookup } from 'node:dns';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { listsHost } from '../addresses.ts';
import { followRedirect, formatUrl, isRedirect } from './base-url.ts';
import { mapNetworkError, NetworkFault } from './network-fault.ts';
import { type Environment, openDispatcher, usesProxy } from './open-dispatcher.ts';
import {
  type AddressRule,
  checkLiteralAddress,
  checkProxiedName,
  createGuardedLookup,
  scopeRule,
} from './public-address.ts';
import { firstValues, readBytes } from './response-body.ts';
import { mayRetry, retryDelayMs, statusFault } from './status-fault.ts';

export interface FileFetchSettings extends AddressRule {
  /** Hosts (see `listsHost`) from which files may be fetched, also after redirects. */
  readonly hosts: ReadonlySet<string>;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** PEM certificates to trust; `null` trusts those that Node trusts. */
  readonly ca: readonly string[] | null;
  /** Resolves host names, for tests; absent: the system's resolver. */
  readonly lookup?: typeof systemLookup;
  /** Environment variables with proxies, for tests; absent: those of the process. */
  readonly environment?: Environment;
}

/** Cache validators of a file, for conditional requests. */
interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

type FetchedFile =
  | { readonly kind: 'unchanged' }
  | ({ readonly kind: 'file'; readonly bytes: Uint8Array } & Validators);

export interface FileFetcher {
  /**
   * Reads a file of a configured host, without key and cookies.
   * @param known validators of the existing copy; `null` if there is none
   * @throws NetworkFault: FILE_REFUSED, REDIRECT_REFUSED, NOT_FOUND and the other codes of a failed
   * request
   */
  fetch(address: string, known: Validators | null): Promise<FetchedFile>;
  close(): Promise<void>;
}

/** How often a file is requested if its server fails, the first time included: once more if the server says when to ask again. */
const maxAttempts = { usually: 2, asAsked: 3 };

/** Creates a fetcher for files on other hosts than the API: only http(s) to configured hosts on the internet. */
export function createFileFetcher(settings: FileFetchSettings): FileFetcher {
  const agents = new Map<string, Dispatcher>();
  const isProxied = usesProxy(settings.environment);

  /** One agent per host, because the host decides which addresses its name may resolve to. */
  const agentFor = (url: URL): Dispatcher => {
    let agent = agents.get(url.host);
    if (agent === undefined) {
      agent = openDispatcher(
        {
          ca: settings.ca,
          connectTimeoutMs: settings.timeoutMs,
          headersTimeoutMs: settings.timeoutMs,
          bodyTimeoutMs: settings.timeoutMs,
          lookup: createGuardedLookup(scopeRule(url, settings), settings.lookup),
        },
        settings.environment,
      );
      agents.set(url.host, agent);
    }
    return agent;
  };

  const closing = new AbortController();
  /** When each host may be asked again, in milliseconds since 1970, if it asked to wait. */
  const quietUntilMs = new Map<string, number>();

  async function fetch(address: string, known: Validators | null): Promise<FetchedFile> {
    const { host } = new URL(address);
    for (let attempt = 1; ; attempt += 1) {
      await pauseUntil(quietUntilMs.get(host) ?? 0);
      try {
        return await fetchOnce(address, known);
      } catch (error) {
        if (closing.signal.aborted || !(error instanceof NetworkFault)) throw error;
        const isAsked = error.retryAfterMs !== null;
        if (!mayRetry(error, 'GET', attempt, isAsked ? maxAttempts.asAsked : maxAttempts.usually))
          throw error;
        const untilMs = Date.now() + retryDelayMs(error, attempt, Math.random);
        if (isAsked) quietUntilMs.set(host, untilMs);
        await pauseUntil(untilMs);
      }
    }
  }

  async function pauseUntil(timeMs: number): Promise<void> {
    const restMs = timeMs - Date.now();
    if (restMs > 0) await sleep(restMs, undefined, { signal: closing.signal });
  }

  async function fetchOnce(address: string, known: Validators | null): Promise<FetchedFile> {
    const chain = [new URL(address)];
    for (;;) {
      const url = chain.at(-1) as URL;
      checkHost(url, settings.hosts);
      checkLiteralAddress(url, scopeRule(url, settings));
      if (isProxied) await checkProxiedName(url, scopeRule(url, settings), settings.lookup);
      const what = `GET ${formatUrl(url)}`;
      const { status, headers, stream } = await send(agentFor(url), url, known, what);
      try {
        if (status === 304 && known !== null) return { kind: 'unchanged' };
        if (isRedirect(status)) {
          const { location } = headers;
          chain.push(followRedirect({ status, location, chain, isRead: true, anyServer: true }));
          continue;
        }
        if (status !== 200) {
          const nowMs = Date.now();
          throw statusFault({ what, status, headers, explanation: '', nowMs, serverNowMs: nowMs });
        }
        const encoding = headers['content-encoding'];
        const body = readBytes(stream, encoding, what, { slowMs: settings.timeoutMs, now: Date.now });
        const bytes = await readUpTo(settings.maxBytes, body, what);
        return {
          kind: 'file',
          bytes,
          etag: headers.etag ?? null,
          lastModified: headers['last-modified'] ?? null,
        };
      } finally {
        stream.on('error', () => {}).destroy();
      }
    }
  }

  return {
    fetch,
    async close() {
      closing.abort();
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

async function send(agent: Dispatcher, url: URL, known: Validators | null, what: string) {
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: {
        accept: 'image/avif,image/webp,image/*,*/*;q=0.8',
        'accept-encoding': 'gzip, br',
        'user-agent': 'lectern',
        ...(known?.etag ? { 'if-none-match': known.etag } : {}),
        ...(known?.lastModified ? { 'if-modified-since': known.lastModified } : {}),
      },
    });
    const stream: Readable = answer.body;
    return { status: answer.statusCode, headers: firstValues(answer.headers), stream };
  } catch (error) {
    throw mapNetworkError(error, what) ?? error;
  }
}

function checkHost(url: URL, hosts: ReadonlySet<string>): void {
  if ((url.protocol === 'https:' || url.protocol === 'http:') && listsHost(hosts, url)) return;
  throw new NetworkFault('FILE_REFUSED', `${url.protocol}//${url.host} is not an allowed media host`, {
    hint: 'add the host to media.hosts if its files may be published',
    retry: 'never',
  });
}

async function readUpTo(
  maxBytes: number,
  body: AsyncIterable<Uint8Array>,
  what: string,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new NetworkFault('FILE_REFUSED', `${what}: the file has more than ${maxBytes} bytes`, {
        hint: 'make the file smaller',
        retry: 'never',
      });
    }
  }
  return Buffer.concat(chunks);
}

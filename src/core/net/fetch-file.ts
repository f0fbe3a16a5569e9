import type { lookup as systemLookup } from 'node:dns';
import type { Dispatcher } from 'undici';
import { listsHost } from '../addresses.ts';
import { closedFault, createRetries, exchange, realPorts } from './exchange.ts';
import { NetworkFault } from './network-fault.ts';
import { type Environment, openDispatcher, usesProxy } from './open-dispatcher.ts';
import {
  type AddressRule,
  checkLiteralAddress,
  checkProxiedName,
  createGuardedLookup,
  scopeRule,
} from './public-address.ts';
import { readFirst } from './response-body.ts';
import { statusFault } from './status-fault.ts';

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
   * @throws NetworkFault: FILE_REFUSED, REDIRECT_REFUSED, NOT_FOUND, BAD_RESPONSE (also if it is too large) and the other codes of a failed request
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
  const agentFor = async (url: URL): Promise<Dispatcher> => {
    const mayReach = scopeRule(url, settings);
    checkHost(url, settings.hosts);
    checkLiteralAddress(url, mayReach);
    if (isProxied) await checkProxiedName(url, mayReach, settings.lookup);
    let agent = agents.get(url.host);
    if (agent === undefined) {
      agent = openDispatcher(
        {
          ca: settings.ca,
          connectTimeoutMs: settings.timeoutMs,
          headersTimeoutMs: settings.timeoutMs,
          bodyTimeoutMs: settings.timeoutMs,
          lookup: createGuardedLookup(mayReach, settings.lookup),
        },
        settings.environment,
      );
      agents.set(url.host, agent);
    }
    return agent;
  };

  const closing = new AbortController();
  const retry = createRetries(realPorts, closing.signal);
  const limits = { slowMs: settings.timeoutMs, maxBytes: settings.maxBytes, now: Date.now };

  function fetch(address: string, known: Validators | null): Promise<FetchedFile> {
    const url = new URL(address);
    const request = {
      method: 'GET',
      url,
      headers: {
        accept: 'image/avif,image/webp,image/*,*/*;q=0.8',
        ...(known?.etag ? { 'if-none-match': known.etag } : {}),
        ...(known?.lastModified ? { 'if-modified-since': known.lastModified } : {}),
      },
      anyServer: true,
      dispatcherFor: agentFor,
      limits,
      signal: closing.signal,
    } as const;
    const attempts = ({ retryAfterMs }: NetworkFault) =>
      retryAfterMs === null ? maxAttempts.usually : maxAttempts.asAsked;
    return retry({ host: url.host, method: 'GET', maxAttempts: attempts }, () =>
      exchange(request, async ({ status, headers, url: asked, body }): Promise<FetchedFile> => {
        if (status === 304 && known !== null) return { kind: 'unchanged' };
        if (status !== 200)
          throw statusFault({ what: `GET ${asked}`, status, headers, explanation: '', nowMs: Date.now() });
        return {
          kind: 'file',
          bytes: await readFirst(body),
          etag: headers.etag ?? null,
          lastModified: headers['last-modified'] ?? null,
        };
      }),
    );
  }

  return {
    fetch,
    async close() {
      closing.abort(closedFault());
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

function checkHost(url: URL, hosts: ReadonlySet<string>): void {
  if ((url.protocol === 'https:' || url.protocol === 'http:') && listsHost(hosts, url)) return;
  throw new NetworkFault('FILE_REFUSED', `${url.protocol}//${url.host} is not an allowed media host`, {
    hint: 'add the host to media.hosts if its files may be published',
    retry: 'never',
  });
}

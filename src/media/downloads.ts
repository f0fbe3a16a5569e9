import { createLimiter } from '../foundation/concurrency.ts';
import type { FileFetcher } from '../source/fetch-file.ts';
import { NetworkFault } from '../source/network-fault.ts';
import { type Download, readDownloadIndex, writeDownloadIndex } from './download-index.ts';
import type { MediaStore } from './media-store.ts';

/** A file at hand, or why there is none. */
export type DownloadResult =
  | { readonly kind: 'file'; readonly sha256: string }
  | { readonly kind: 'failed'; readonly why: string };

export interface Downloads {
  /** Downloads a file, once per run; a copy of an earlier run is taken where the server says that it still holds. */
  get(address: string): Promise<DownloadResult>;
  /** Requests everything the last run requested; `false` where a file has changed. */
  isUnchanged(): Promise<boolean>;
  /** Saves the index of what this run requested and drops the rest; returns the SHA-256 of each file in it. */
  finish(): Promise<ReadonlySet<string>>;
}

export interface DownloadSettings {
  /** File that remembers downloads across runs. */
  readonly indexFile: string;
  readonly store: MediaStore;
  /** `null` without network: only copies of earlier runs are taken. */
  readonly fetcher: FileFetcher | null;
  readonly concurrency: number;
  readonly maxFiles: number;
}

/** Causes that concern a whole host: asking it for the next file would only cost time. */
const hostFaults: ReadonlySet<string> = new Set([
  'HOST_UNKNOWN',
  'CONNECTION_FAILED',
  'ADDRESS_REFUSED',
  'CERTIFICATE_EXPIRED',
  'CERTIFICATE_WRONG_NAME',
  'CERTIFICATE_UNKNOWN',
  'TLS_FAILED',
]);

const attempts = 2;

export async function openDownloads(settings: DownloadSettings): Promise<Downloads> {
  const { store, fetcher, maxFiles } = settings;
  const earlier = await readDownloadIndex(settings.indexFile);
  const used = new Map<string, Download>();
  const results = new Map<string, Promise<DownloadResult>>();
  const deadHosts = new Map<string, string>();
  const limit = createLimiter(settings.concurrency);

  async function download(address: string): Promise<DownloadResult> {
    const known = await knownCopy(address);
    if (fetcher === null)
      return known ?? { kind: 'failed', why: 'it has not been downloaded yet, and this run is offline' };
    const { host } = new URL(address);
    const why = deadHosts.get(host);
    if (why !== undefined) return known ?? fail(address, why);
    try {
      const fetched = await fetchPatiently(
        fetcher,
        address,
        known === null ? null : (earlier.get(address) ?? null),
      );
      if (fetched.kind === 'unchanged') return known ?? { kind: 'failed', why: 'the server sent nothing' };
      const { etag, lastModified } = fetched;
      const sha256 = await store.put(fetched.bytes);
      used.set(address, { sha256, etag, lastModified });
      return { kind: 'file', sha256 };
    } catch (error) {
      if (!(error instanceof NetworkFault)) throw error;
      if (hostFaults.has(error.code)) deadHosts.set(host, error.message);
      // What is gone is gone; a server in trouble is no reason to lose an image that was there an hour ago.
      const isGone = error.retry === 'never' && !hostFaults.has(error.code);
      if (known !== null && !isGone) return known;
      return fail(address, error.message);
    }
  }

  function fail(address: string, why: string): DownloadResult {
    used.set(address, { sha256: null, etag: null, lastModified: null });
    return { kind: 'failed', why };
  }

  async function knownCopy(address: string) {
    const entry = earlier.get(address);
    const sha256 = entry?.sha256 ?? null;
    if (entry === undefined || sha256 === null || !(await store.has(sha256))) return null;
    used.set(address, entry);
    return { kind: 'file', sha256 } as const;
  }

  function get(address: string): Promise<DownloadResult> {
    let result = results.get(address);
    if (result === undefined) {
      const isOver = results.size >= maxFiles;
      result = isOver
        ? Promise.resolve({ kind: 'failed', why: `${maxFiles} files were copied already (media.maxFiles)` })
        : limit(() => download(address));
      results.set(address, result);
    }
    return result;
  }

  return {
    get,
    async isUnchanged() {
      const checks = [...earlier].map(async ([address, { sha256 }]) => {
        const result = await get(address);
        return sha256 === (result.kind === 'file' ? result.sha256 : null);
      });
      return (await Promise.all(checks)).every(Boolean);
    },
    async finish() {
      await writeDownloadIndex(settings.indexFile, used);
      return new Set([...used.values()].flatMap(({ sha256 }) => sha256 ?? []));
    },
  };
}

async function fetchPatiently(fetcher: FileFetcher, address: string, known: Download | null) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetcher.fetch(address, known);
    } catch (error) {
      const isPassing = error instanceof NetworkFault && error.retry !== 'never';
      if (!isPassing || attempt >= attempts) throw error;
    }
  }
}

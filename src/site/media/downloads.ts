import { hash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createLimiter } from '../../core/concurrency.ts';
import { LecternError } from '../../core/errors.ts';
import {
  makeFolder,
  readFileOrNull,
  readJsonOrNull,
  readWholeFile,
  writeFileAtomically,
} from '../../core/file-system.ts';
import { getOrMake } from '../../core/group-by.ts';
import type { FileFetcher } from '../../core/net/fetch-file.ts';
import { NetworkFault } from '../../core/net/network-fault.ts';
import { z } from '../../core/schema.ts';

/** A downloaded file, or why there is none. */
type DownloadResult =
  | { readonly kind: 'file'; readonly sha256: string }
  | { readonly kind: 'failed'; readonly why: string; readonly code?: 'SECRET_FOUND' };

interface Downloads {
  /** Downloads a file, once per run; uses the copy of an earlier run if the server says that it is unchanged. */
  get(address: string): Promise<DownloadResult>;
  /** Requests all files of the last run; `false` if one has changed. */
  isUnchanged(): Promise<boolean>;
  /** Saves the index of this run's files and deletes all others; returns the SHA-256 of each file in it. */
  finish(): Promise<ReadonlySet<string>>;
}

export interface DownloadSettings {
  /** Index of downloads across runs. */
  readonly indexFile: string;
  readonly store: MediaStore;
  /** `null` without network: only copies of earlier runs are used. */
  readonly fetcher: FileFetcher | null;
  readonly concurrency: number;
  readonly maxFiles: number;
}

/** Errors that concern a whole host: further requests to it would only take time. */
const hostFaults: ReadonlySet<string> = new Set(['CONNECTION_FAILED', 'TLS_FAILED']);

/** Errors after which the last copy is used; after other permanent ones, the file is gone. */
const passingFaults: ReadonlySet<string> = new Set([...hostFaults, 'FILE_REFUSED']);

/** Opens the index of earlier runs; one that is damaged counts as empty. */
export function openDownloads(settings: DownloadSettings): Downloads {
  const { store, fetcher, maxFiles } = settings;
  const earlier = readDownloadIndex(settings.indexFile) ?? new Map<string, Download>();
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
      const fetched = await fetcher.fetch(address, known === null ? null : (earlier.get(address) ?? null));
      if (fetched.kind === 'unchanged')
        return known ?? { kind: 'failed', why: 'the server sent an empty file' };
      const { etag, lastModified } = fetched;
      const sha256 = await store.put(fetched.bytes);
      used.set(address, { sha256, etag, lastModified });
      return { kind: 'file', sha256 };
    } catch (error) {
      if (!(error instanceof NetworkFault)) throw error;
      // A host that still asks to wait would let every file take minutes.
      if (hostFaults.has(error.code) || error.retryAfterMs !== null) deadHosts.set(host, error.message);
      const isGone = error.retry === 'never' && !passingFaults.has(error.code);
      if (known !== null && !isGone) return known;
      const failed = fail(address, error.message);
      return error.code === 'SECRET_FOUND' ? { ...failed, code: error.code } : failed;
    }
  }

  function fail(address: string, why: string): DownloadResult & { readonly kind: 'failed' } {
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
    return getOrMake(results, address, () =>
      results.size >= maxFiles
        ? Promise.resolve({ kind: 'failed', why: `${maxFiles} files were copied already` })
        : limit(() => download(address)),
    );
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
      writeDownloadIndex(settings.indexFile, used);
      return new Set([...used.values()].flatMap(({ sha256 }) => sha256 ?? []));
    },
  };
}

/** Stores files in the cache folder by the hash of their content. */
interface MediaStore {
  /** Stores a file; equal files are stored once. Returns their SHA-256, hex. @throws CACHE_UNUSABLE */
  put(bytes: Uint8Array): Promise<string>;
  /** Whether the file exists and is undamaged; its content is checked once per run. */
  has(sha256: string): Promise<boolean>;
  read(sha256: string): Promise<Uint8Array>;
  /** Deletes every other file. */
  keepOnly(wanted: ReadonlySet<string>): Promise<void>;
}

/** @param folder created for the first file */
export function createMediaStore(folder: string): MediaStore {
  const sound = new Set<string>();
  const has = async (sha256: string): Promise<boolean> => {
    if (sound.has(sha256)) return true;
    const bytes = readFileOrNull(join(folder, sha256));
    const isSound = bytes !== null && hash('sha256', bytes) === sha256;
    if (isSound) sound.add(sha256);
    return isSound;
  };
  return {
    has,
    async put(bytes) {
      const sha256 = hash('sha256', bytes);
      if (await has(sha256)) return sha256;
      try {
        makeFolder(folder);
        // A killed run leaves no incomplete file under a hash.
        writeFileAtomically(join(folder, sha256), [bytes]);
        sound.add(sha256);
      } catch (error) {
        throw storeFault(error, folder);
      }
      return sha256;
    },
    read: async (sha256) => readWholeFile(join(folder, sha256)),
    async keepOnly(wanted) {
      const names = await readdir(folder).catch(() => []);
      const unwanted = names.filter((name) => !wanted.has(name));
      // Files that cannot be deleted only waste space.
      await Promise.all(
        unwanted.map((name) => rm(join(folder, name), { recursive: true, force: true }).catch(() => {})),
      );
    },
  };
}

/** The error for the user; errors that do not come from the file system are bugs and are returned unchanged. */
function storeFault(error: unknown, folder: string): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === undefined) return error;
  return new LecternError('CACHE_UNUSABLE', `an image or file cannot be written to ${folder} (${code})`, {
    hint: 'free some disk space, or choose a writable folder with the setting cache',
    cause: error,
  });
}

const download = z.object({
  /** `null` if it could not be copied. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
});

/** The file downloaded from a URL, with its validators. */
type Download = z.output<typeof download>;

const indexSchema = z.object({
  schema: z.literal('lectern.media-index/1'),
  downloads: z.record(z.string(), download),
});

/** Reads the downloads of earlier runs, by URL; `null` if the file is missing, damaged or of another version. */
function readDownloadIndex(file: string): ReadonlyMap<string, Download> | null {
  const index = indexSchema.safeParse(readJsonOrNull(file)).data;
  return index === undefined ? null : new Map(Object.entries(index.downloads));
}

/** Hash of the copied content by URL; `null` if there is no index. */
export function hashDownloads(file: string): string | null {
  const downloads = readDownloadIndex(file);
  if (downloads === null) return null;
  return hash('sha256', JSON.stringify(Array.from(downloads, ([url, { sha256 }]) => [url, sha256])));
}

/** Writes the index atomically. If the cache cannot be written, the next run only takes longer. */
function writeDownloadIndex(file: string, downloads: ReadonlyMap<string, Download>): void {
  const sorted = [...downloads].sort(([a], [b]) => (a < b ? -1 : 1));
  const index = { schema: 'lectern.media-index/1', downloads: Object.fromEntries(sorted) };
  try {
    makeFolder(dirname(file));
    writeFileAtomically(file, [`${JSON.stringify(index, null, 2)}\n`]);
  } catch {
    return;
  }
}

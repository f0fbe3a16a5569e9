import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LecternError } from '../errors.ts';
import type { WrittenFile } from '../output/written-files.ts';

/** Reads a file of a published site by its path (`feed/manifest.json`); `null` when there is none. */
export type ReadFeedFile = (path: string) => Promise<Uint8Array | null>;

/** A published site whose files can be read whole or, where they may be large, in blocks. */
export interface FeedReader {
  readonly read: ReadFeedFile;
  readonly open: (path: string) => Promise<AsyncIterable<Uint8Array> | null>;
  /** Whether a file is known to be exactly this one without being read; absent: nothing is known. */
  readonly has?: (file: WrittenFile) => boolean;
}

const timeoutMs = 60_000;

/** Reads a published feed from a folder or, when it looks like one, from its address. */
export function openFeedReader(place: string): FeedReader {
  return /^https?:\/\//i.test(place) ? createUrlReader(place) : createFolderReader(place);
}

/** Reads from a folder: the published site's, or its `feed` folder. */
function createFolderReader(folder: string): FeedReader {
  const root = resolve(folder.replace(/[\\/]feed(?:[\\/](?:manifest\.json)?)?$/, ''));
  return {
    read: (path) => unlessMissing(readFile(resolve(root, path))),
    async open(path) {
      const file = resolve(root, path);
      const stats = await unlessMissing(stat(file));
      return stats?.isFile() ? createReadStream(file) : null;
    },
  };
}

/**
 * Reads over HTTPS (plain http from this machine alone) from a published site's address, or that of its manifest.
 * Not found is `null`; any other failure throws `FEED_UNREACHABLE`.
 */
export function createUrlReader(address: string): FeedReader {
  const root = parseAddress(address);
  const ask = async (path: string): Promise<Response | null> => {
    const url = addressOf(path);
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
      if (response.status === 404 || response.status === 410) return null;
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      return response;
    } catch (cause) {
      throw unreachable(url, cause);
    }
  };
  const addressOf = (path: string): URL => new URL(path.split('/').map(encodeURIComponent).join('/'), root);
  return {
    async read(path) {
      const response = await ask(path);
      try {
        return response === null ? null : new Uint8Array(await response.arrayBuffer());
      } catch (cause) {
        throw unreachable(addressOf(path), cause);
      }
    },
    async open(path) {
      const response = await ask(path);
      return response === null ? null : readBody(response, addressOf(path));
    },
  };
}

async function* readBody({ body }: Response, url: URL): AsyncGenerator<Uint8Array> {
  try {
    if (body !== null) yield* body;
  } catch (cause) {
    throw unreachable(url, cause);
  }
}

function unreachable(url: URL, cause: unknown): LecternError {
  return new LecternError('FEED_UNREACHABLE', `${url.href} could not be read: ${reasonOf(cause)}`, {
    hint: 'check that the site is up and the address is that of the published site, then run again',
    cause,
  });
}

function parseAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isLoopback = url !== null && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url === null || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback))) {
    throw new LecternError('FEED_ADDRESS_INVALID', `${address} is no https address`, {
      hint: 'give the address of the published site, e.g. https://help.example.com/',
      exitCode: 2,
    });
  }
  url.search = '';
  url.hash = '';
  url.pathname = `${url.pathname.replace(/\/feed\/manifest\.json$|\/feed\/?$|\/$/, '')}/`;
  return url;
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}

/** `fetch` hides what went wrong in `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

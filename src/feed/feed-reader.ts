import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LecternError } from '../errors.ts';

/** Reads a file of a published site by its path (`feed/manifest.json`); `null` when there is none. */
export type ReadFeedFile = (path: string) => Promise<Uint8Array | null>;

const timeoutMs = 60_000;

/** Reads a published feed from a folder or, when it looks like one, from its address. */
export function openFeedReader(place: string): ReadFeedFile {
  return /^https?:\/\//i.test(place) ? createUrlReader(place) : createFolderReader(place);
}

/** Reads from a folder: the published site's, or its `feed` folder. */
function createFolderReader(folder: string): ReadFeedFile {
  const root = resolve(folder.replace(/[\\/]feed(?:[\\/](?:manifest\.json)?)?$/, ''));
  return async (path) => {
    try {
      return await readFile(resolve(root, path));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };
}

/**
 * Reads over HTTPS (plain http from this machine alone) from a published site's address, or that of its manifest.
 * Not found is `null`; any other failure throws `FEED_UNREACHABLE`.
 */
export function createUrlReader(address: string): ReadFeedFile {
  const root = parseAddress(address);
  return async (path) => {
    const url = new URL(path.split('/').map(encodeURIComponent).join('/'), root);
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
      if (response.status === 404 || response.status === 410) return null;
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
      throw new LecternError('FEED_UNREACHABLE', `${url.href} could not be read: ${reasonOf(cause)}`, {
        hint: 'check that the site is up and the address is that of the published site, then run again',
        cause,
      });
    }
  };
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

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}

/** `fetch` hides what went wrong in `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

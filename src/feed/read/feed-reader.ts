import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { isLoopback, parseUrl } from '../../core/addresses.ts';
import { LecternError } from '../../core/errors.ts';
import { openRanges, type ReadRange } from '../../core/file-system.ts';
import type { Http } from '../../core/net/http.ts';
import { readFirst } from '../../core/net/response-body.ts';
import { openInside, readFileIn, readStartIn, relativePath } from '../../core/user-folder.ts';

// The paths are here because they need no schemas, which take long to load.

export const manifestPath = 'feed/manifest.json';

/** The synonyms of the site's search, if there are any. They change no document, so a change does not start a new run. */
export const synonymsPath = 'feed/synonyms.jsonl';

/**
 * Reads a file of a published site by its path (`feed/manifest.json`); `null` if there is none.
 * @param bytes expected size: of a longer file, only one byte more may be returned, so that its hash differs
 */
export type ReadFeedFile = (path: string, bytes?: number) => Promise<Uint8Array | null>;

/** A published site in a folder or at a URL. */
export interface PublishedSite {
  readonly read: ReadFeedFile;
  /** Opens a file to read ranges of it, `null` if there is none; absent at a URL. */
  readonly openRanges?: (path: string) => ReadRange | null;
  /** Paths of all files in `feed/`; absent if they cannot be listed. */
  readonly listFeed?: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

const missingStatuses = [404, 410];

/** Whether the location of a feed is a URL and not a folder. */
export function isUrl(location: string): boolean {
  return /^https?:\/\//i.test(location);
}

/**
 * Reads from the folder of a published site, or from its `feed` folder. Reading throws FILE_OUTSIDE for a link that leads out of the folder, and
 * FEED_INVALID for what is not a file, or too large.
 */
export function createFolderReader(folder: string): PublishedSite {
  const root = resolve(folder.replace(/[\\/]feed(?:[\\/](?:manifest\.json)?)?$/, ''));
  /** What `open` returns; `null` if there is no such file. */
  const ifThere = <T>(path: string, open: () => T): T | null => {
    try {
      return open();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (isMissing(error)) return null;
      if (code === 'EFBIG') throw tooLarge(path, path === manifestPath ? maxManifestBytes : maxFolderBytes);
      if (code !== 'ENOTSUP' && code !== 'ENXIO') throw error;
      throw new LecternError('FEED_INVALID', `${path} is not a regular file`, {
        hint: 'check that the folder is a site published by Lectern',
        cause: error,
      });
    }
  };
  const read: ReadFeedFile = async (path, bytes = maxFolderBytes) =>
    ifThere(path, () => {
      const maxFileBytes = path === manifestPath ? maxManifestBytes : maxFolderBytes;
      return bytes < maxFileBytes ? readStartIn(root, path, bytes + 1) : readFileIn(root, path, maxFileBytes);
    });
  return {
    read,
    openRanges: (path) => ifThere(path, () => openRanges(openInside(root, path))),
    async listFeed() {
      const entries = ifThere('feed', () =>
        readdirSync(resolve(root, 'feed'), { recursive: true, withFileTypes: true }),
      );
      return (entries ?? [])
        .filter((entry) => entry.isFile())
        .map((entry) => relativePath(root, resolve(entry.parentPath, entry.name)));
    },
    close: async () => {},
  };
}

/**
 * Reads over HTTPS (plain http from localhost only) from the URL of a published site, or of its manifest. Not found is `null`; any other
 * failure throws `FEED_UNREACHABLE`.
 * @param openHttp opens a client for paths below a URL, which sends no API key
 * @throws USAGE (exit 2)
 */
export function createUrlReader(
  siteUrl: string,
  openHttp: (site: string) => Pick<Http, 'request' | 'close'>,
): PublishedSite {
  const root = parseSiteUrl(siteUrl);
  const http = openHttp(root.href);
  return {
    async read(path, bytes = Number.POSITIVE_INFINITY) {
      // Without If-None-Match: an ETag of time and size, as that of nginx, is the same for other content if all files have one time.
      const request = {
        method: 'GET',
        path: `/${path.split('/').map(encodeURIComponent).join('/')}`,
        headers: { accept: '*/*' },
        accept: missingStatuses,
      } as const;
      const maxFileBytes = path === manifestPath ? maxManifestBytes : maxBytes;
      try {
        return await http.request(request, async ({ status, body }) => {
          if (missingStatuses.includes(status)) return null;
          const wanted = Math.min(bytes, maxFileBytes) + 1;
          const read = (await readFirst(body, wanted)).subarray(0, wanted);
          if (read.length > maxFileBytes) throw tooLarge(path, maxFileBytes);
          return read;
        });
      } catch (error) {
        const isFault =
          error instanceof LecternError && !['FEED_INVALID', 'INTERRUPTED'].includes(error.code);
        throw isFault ? unreachable(error) : error;
      }
    },
    close: () => http.close(),
  };
}

/** Largest file that is read whole, in bytes, also after decompression; feed files are far smaller. */
const maxBytes = 2 ** 28;
/** The same in a folder: verifying also reads files for people, such as `source.txt` of a large site. */
const maxFolderBytes = 2 ** 30;
/** The same for a manifest, which has some 30 KB. */
const maxManifestBytes = 2 ** 22;

function tooLarge(path: string, maxFileBytes: number): LecternError {
  return new LecternError('FEED_INVALID', `${path} is larger than ${maxFileBytes} bytes`, {
    hint: 'check that the folder or URL is a site published by Lectern',
  });
}

function unreachable(cause: LecternError): LecternError {
  return new LecternError('FEED_UNREACHABLE', `the published site cannot be read: ${cause.message}`, {
    hint: cause.code.startsWith('CERTIFICATE_')
      ? cause.hint
      : cause.code === 'REDIRECT_REFUSED'
        ? 'pass the URL that the site redirects to, if you trust it'
        : 'check the URL and that the site is online, then run again',
    cause,
  });
}

function parseSiteUrl(siteUrl: string): URL {
  const url = parseUrl(siteUrl);
  if (url !== null && (url.username !== '' || url.password !== '')) {
    throw new LecternError('USAGE', `the URL of the site on ${url.host} has a user name or password`, {
      hint: 'a feed is read without one: pass the URL of a public site, or a folder with a copy of it',
    });
  }
  if (
    url === null ||
    (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
  ) {
    throw new LecternError('USAGE', `${siteUrl} is not an https URL`, {
      hint: 'pass the URL of the published site, e.g. https://help.example.com/',
    });
  }
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/feed\/manifest\.json$|\/feed\/?$|\/$/, '');
  return url;
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}

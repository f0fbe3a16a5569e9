import { contentType } from './content-type.ts';
import { parseHeadersFile } from './headers-file.ts';
import { readInside } from './read-inside.ts';
import { parseRedirectsFile } from './redirects-file.ts';

/** What the server says to one request. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** A site as far as answering goes. */
export interface AnswerSource {
  /** Absolute path of the published folder. */
  readonly folder: string;
  /** Path the site lives under (`/docs`), or `''`. */
  readonly basePath: string;
  /** Makes a file of the output newer than the folder's; `null` where there is nothing newer. */
  readonly render: (path: string) => Promise<string | Uint8Array | null>;
}

/**
 * Answers as a static host would: folder pages, generated headers and redirects, 404 page.
 * @param pathname percent-encoded, as requested
 * @param search the query with its `?`, or `''`
 */
export async function answer(pathname: string, search: string, source: AnswerSource): Promise<Answer> {
  const { folder, basePath } = source;
  const path = decode(pathname);
  if (path === null) return notFoundPlain;
  if (!(path === basePath || path.startsWith(`${basePath}/`))) {
    return (await redirect(folder, path)) ?? notFoundPlain;
  }
  const inSite = path.slice(basePath.length) || '/';
  const file = inSite.endsWith('/') ? `${inSite}index.html` : inSite;
  const headersFor = parseHeadersFile((await readInside(folder, '/_headers'))?.toString('utf8') ?? '');
  const typed = (name: string) => ({
    'content-type': contentType(name),
    ...Object.fromEntries(headersFor(path)),
    'cache-control': 'no-store',
  });
  const body = await read(file, source);
  if (body !== null) return { status: 200, headers: typed(file), body };
  if (!inSite.endsWith('/') && (await read(`${inSite}/index.html`, source)) !== null) {
    return { status: 301, headers: { location: `${pathname}/${search}` }, body: '' };
  }
  const moved = await redirect(folder, path);
  if (moved !== null) return moved;
  return {
    status: 404,
    headers: typed('404.html'),
    body: (await readNotFound(inSite, source)) ?? 'not found',
  };
}

const notFoundPlain: Answer = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'not found',
};

async function read(file: string, { folder, render }: AnswerSource): Promise<string | Uint8Array | null> {
  return (await render(file.slice(1))) ?? (await readInside(folder, file));
}

/** The 404 page of the nearest folder above, as Cloudflare Pages looks for it. */
async function readNotFound(path: string, source: AnswerSource): Promise<string | Uint8Array | null> {
  const language = /^\/([^/]+)\//.exec(path)?.[1];
  const own = language === undefined ? null : await read(`/${language}/404.html`, source);
  return own ?? (await read('/404.html', source));
}

async function redirect(folder: string, path: string): Promise<Answer | null> {
  const text = (await readInside(folder, '/_redirects'))?.toString('utf8') ?? '';
  const found = parseRedirectsFile(text)(path);
  return found && { status: found.status, headers: { location: found.location }, body: '' };
}

function decode(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}

import { extname, join, normalize, relative, sep } from 'node:path';
import { orNull } from '../../core/errors.ts';
import { readFileIn } from '../../core/user-folder.ts';

/** Response to one request. */
interface PreviewAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** The site that is served. */
export interface AnswerSource {
  /** Absolute path of the published folder. */
  readonly folder: string;
  /** Base path of the site (`/docs`), percent-encoded, or `''`. */
  readonly basePath: string;
  /** Renders a file if it is newer than the one in the folder; otherwise returns `null`. */
  readonly render: (path: string) => Promise<string | Uint8Array | null>;
}

/**
 * Responds as a static host would: folder pages, generated headers and redirects, 404 page.
 * @param pathname percent-encoded, as requested
 * @param search the query with its `?`, or `''`
 */
export async function answer(pathname: string, search: string, source: AnswerSource): Promise<PreviewAnswer> {
  const { folder } = source;
  const basePath = decodePath(source.basePath);
  const path = orNull(() => decodeURIComponent(pathname));
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
    // Two slashes at the start would begin the name of a host.
    return { status: 301, headers: { location: `${pathname.replace(/^\/+/, '/')}/${search}` }, body: '' };
  }
  const moved = await redirect(folder, path);
  if (moved !== null) return moved;
  return {
    status: 404,
    headers: typed('404.html'),
    body: (await readNotFound(inSite, source)) ?? 'not found',
  };
}

const notFoundPlain: PreviewAnswer = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'not found',
};

async function read(file: string, { folder, render }: AnswerSource): Promise<string | Uint8Array | null> {
  return (await render(file.slice(1))) ?? (await readInside(folder, file));
}

/** The 404 page of the nearest parent folder, as Cloudflare Pages looks for it. */
async function readNotFound(path: string, source: AnswerSource): Promise<string | Uint8Array | null> {
  const language = /^\/([^/]+)\//.exec(path)?.[1];
  const own = language === undefined ? null : await read(`/${language}/404.html`, source);
  return own ?? (await read('/404.html', source));
}

async function redirect(folder: string, path: string): Promise<PreviewAnswer | null> {
  return findRedirect((await readInside(folder, '/_redirects'))?.toString('utf8') ?? '', path);
}

/** Reads a file of a folder; `null` if it is not a file or outside the folder. */
async function readInside(folder: string, path: string): Promise<Buffer | null> {
  const file = normalize(join(folder, path));
  if (!file.startsWith(folder + sep) || path.includes('\0')) return null;
  try {
    return readFileIn(folder, relative(folder, file));
  } catch (error) {
    if (noFile.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** Codes of errors for what is no file of a folder. */
const noFile = new Set(['ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG', 'ENOTSUP', 'FILE_OUTSIDE']);

/**
 * The part of a file that a `Range` header asks for: browsers load videos in parts, and Safari plays no others. The whole file for a header that
 * asks for several parts, or in another unit.
 */
export function answerRange(whole: PreviewAnswer, range: string | undefined): PreviewAnswer {
  const { status, headers } = whole;
  if (status !== 200 || headers['content-type']?.startsWith('text/html')) return whole;
  const body = Buffer.from(whole.body);
  const size = body.length;
  const answer = { ...whole, headers: { ...headers, 'accept-ranges': 'bytes' } };
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  if (first === '' && last === '') return answer;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < start) return answer;
  if (start >= size) return { status: 416, headers: { 'content-range': `bytes */${size}` }, body: '' };
  return {
    status: 206,
    headers: { ...answer.headers, 'content-range': `bytes ${start}-${end - 1}/${size}` },
    body: body.subarray(start, end),
  };
}

/** Media types of the files a build writes; other files are served as binary data. */
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.htm': 'text/html; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.jsonl': 'application/jsonl; charset=utf-8',
  '.m4a': 'audio/mp4',
  '.md': 'text/markdown; charset=utf-8',
  '.mov': 'video/quicktime',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.ogg': 'audio/ogg',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wav': 'audio/wav',
  '.webm': 'video/webm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.xml': 'application/xml; charset=utf-8',
};

/** Media type for a file name; with a charset if it is text. */
export function contentType(path: string): string {
  return types[extname(path).toLowerCase()] ?? 'application/octet-stream';
}

/**
 * Parses a `_headers` file (the format of Netlify and Cloudflare Pages): each unindented line is a path pattern (`*` matches anything),
 * followed by its indented headers.
 * @returns a function that returns the headers of every rule that matches a path; a later rule wins
 */
export function parseHeadersFile(text: string): (path: string) => ReadonlyMap<string, string> {
  const rules: { pattern: RegExp; headers: [string, string][] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    if (/^\S/.test(line)) rules.push({ pattern: toPattern(line.trim()), headers: [] });
    else {
      const [, name, value] = /^\s+([\w!$%&'*+.^`|~-]+):\s*(.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined) continue;
      // Headers are sent as bytes, and Node takes a character for each.
      rules.at(-1)?.headers.push([name.toLowerCase(), Buffer.from(value).toString('latin1')]);
    }
  }
  return (path) =>
    new Map(rules.filter(({ pattern }) => pattern.test(path)).flatMap(({ headers }) => headers));
}

function toPattern(path: string): RegExp {
  const escaped = decodePath(path)
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`);
}

interface RedirectPattern {
  readonly pattern: RegExp;
  /** Names of the placeholders in the pattern. */
  readonly names: readonly string[];
  readonly to: string;
  readonly status: number;
}

/**
 * Finds the rule of a `_redirects` file for a path (the format of Netlify and Cloudflare Pages): from, to and status per line, `:name` for one
 * segment, `*` for the rest (`:splat` in the target). The first matching rule wins. Targets are percent-encoded in the file.
 */
function findRedirect(text: string, path: string): PreviewAnswer | null {
  for (const { pattern, names, to, status } of text.split('\n').flatMap(parseRule)) {
    const parts = pattern.exec(path)?.slice(1);
    if (parts === undefined) continue;
    const values = new Map(names.map((name, index) => [name, parts[index] ?? '']));
    const location = to.replace(/:(\w+)/g, (whole, name: string) => values.get(name) ?? whole);
    return { status, headers: { location }, body: '' };
  }
  return null;
}

function parseRule(line: string): RedirectPattern[] {
  const [from, to, code = '301'] = line
    .replace(/(?:^|\s)#.*$/, '')
    .trim()
    .split(/\s+/);
  const status = Number.parseInt(code, 10);
  if (!from || !to || !(status >= 300 && status < 400)) return [];
  const names: string[] = [];
  const source = decodePath(from).replace(
    /\/:(\w+)|\*|[.+?^${}()|[\]\\]/g,
    (sign, name: string | undefined) => {
      if (name === undefined && sign !== '*') return `\\${sign}`;
      names.push(name ?? 'splat');
      return name === undefined ? '(.*)' : '/([^/]+)';
    },
  );
  return [{ pattern: new RegExp(`^${source.replace(/\/$/, '')}/?$`), names, to, status }];
}

function decodePath(path: string): string {
  return orNull(() => decodeURI(path)) ?? path;
}

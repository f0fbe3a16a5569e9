import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodePercent } from '../foundation/addresses.ts';
import { LecternError } from '../foundation/errors.ts';
import { walkFolder } from '../foundation/file-system.ts';
import type { Asset, RenderedFile } from './assets.ts';

/** Files of the user that are published unchanged at the same paths: favicon.ico, CNAME, .well-known, images. */
export interface PublicFiles {
  /** Paths relative to the folder, `/`-separated, sorted. */
  readonly paths: ReadonlySet<string>;
  read(): AsyncIterable<RenderedFile>;
}

export const noPublicFiles: PublicFiles = { paths: new Set(), async *read() {} };

/** Matches files that systems and editors leave behind, and files not meant for readers. */
const ignored = /(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini|\.git|\.#[^/]*|[^/]*~)(?:\/|$)/;

/** Whether a folder contains a published site, as with `out: "public"`; such a folder is never input of the next build. */
export function isPublishedSite(folder: string): boolean {
  return ['feed/manifest.json', 'output-files.txt'].every((path) => existsSync(join(folder, path)));
}

/** Node cannot read larger files at once. */
const maxBytes = 2 ** 31 - 1;

/**
 * Lists the files of a folder, following links. Empty for a published site.
 * @param folder absolute; need not exist
 * @throws FILE_UNUSABLE for a file or folder that cannot be published
 */
export function listPublicFiles(folder: string): PublicFiles {
  const all = isPublishedSite(folder) ? [] : [...walkFolder(folder)];
  const entries = all.filter(({ path }) => !ignored.test(path));
  for (const { path, kind } of entries) {
    if (kind === 'file' || kind === 'folder') refuseUnusable(folder, path);
  }
  const paths = entries
    .filter(({ kind }) => kind === 'file')
    .map(({ path }) => path)
    .sort();
  return {
    paths: new Set(paths),
    async *read() {
      for (const path of paths) yield { path, content: await readFile(join(folder, path)) };
    },
  };
}

function refuseUnusable(folder: string, path: string): void {
  const size = statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? null;
  const why =
    size === null && path.includes('\ufffd')
      ? 'its name is not UTF-8'
      : path.includes('\\')
        ? 'its name contains a backslash'
        : size !== null && size > maxBytes
          ? 'it is larger than 2 GiB'
          : null;
  if (why === null) return;
  throw new LecternError('FILE_UNUSABLE', `${join(folder, path)} cannot be published: ${why}`, {
    hint: 'rename it, or move it out of this folder',
    exitCode: 2,
  });
}

/** All files that a setting or a style sheet of the user can name. */
export interface NamedFiles {
  /** Path of the site URL, e.g. `/docs`, or empty. */
  readonly basePath: string;
  /** Assets of the theme and of the user, by name. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly publicFiles: PublicFiles;
}

/**
 * The URL at which a file is published: `/logo.svg` is a file of the public folder, `logo.svg` is in the theme's `assets/`. A URL with a
 * scheme does not change.
 * @param namedBy setting or file that names it, for the error, e.g. `site.logo`
 * @throws SITE_FILE_MISSING
 */
export function resolveFileUrl(value: string, namedBy: string, files: NamedFiles): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(value)) return value;
  const [, path = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(value) ?? [];
  const { assets, basePath, publicFiles } = files;
  if (path.startsWith('/')) {
    const name = decodePercent(path.slice(1));
    if (publicFiles.paths.has(name)) return `${basePath}${path}${suffix}`;
  } else {
    const asset = assets.get(decodePercent(path.replace(/^(?:\.\/)?(?:assets\/)?/, '')));
    if (asset !== undefined) return `${basePath}/${asset.path}${suffix}`;
  }
  throw new LecternError('SITE_FILE_MISSING', `${namedBy} names "${value}", which does not exist`, {
    hint: 'put the file into public/ and write "/file", or into assets/ of the templates folder and write "file"',
    exitCode: 2,
  });
}

/** Matches code and comments of a template. A comment in code may contain the end tag of code. */
const unprinted = /<!--[\s\S]*?-->|<%(?:[-_]?\s*\/\*[\s\S]*?\*\/)?[\s\S]*?%>/g;

/** Matches a script name that a form contains literally. A name that a template prints is an asset, or printing it fails. */
const namedScript = /<form\b[^>]*?[\s<]data-script=["']([^"'<]+)["']/gi;

/**
 * Checks the scripts of search forms in the user's templates.
 * @throws SITE_FILE_MISSING, with template and line
 */
export function checkNamedScripts(
  templates: readonly { readonly path: string; readonly text: string }[],
  { basePath, publicFiles }: Omit<NamedFiles, 'assets'>,
): void {
  for (const { path, text } of templates) {
    // Keeps length and line numbers; the replacement cannot match a form or a script name.
    const printed = text.replace(unprinted, (code) => code.replace(/[^\n]/g, '<'));
    for (const { 0: form, 1: value = '', index } of printed.matchAll(namedScript)) {
      const name = decodePercent(value.replace(/[?#].*$/s, ''));
      const isPublic =
        name.startsWith(`${basePath}/`) && publicFiles.paths.has(name.slice(basePath.length + 1));
      if (isPublic || /^(?:https?:)?\/\//i.test(value)) continue;
      const line = text.slice(0, index + form.length).split('\n').length;
      throw new LecternError(
        'SITE_FILE_MISSING',
        `${path}:${line} names the script "${value}", which does not exist`,
        {
          hint: 'print the script of the language, "<%= it.language.searchScript %>", or one of assets/, "<%= it.site.assets[\'name.js\'] %>"',
          exitCode: 2,
        },
      );
    }
  }
}

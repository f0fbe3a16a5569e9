import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { decodePercent } from '../../core/addresses.ts';
import { oncePerKey } from '../../core/concurrency.ts';
import { LecternError } from '../../core/errors.ts';
import { decodeText } from '../../core/file-system.ts';
import { type Problem, problem } from '../../core/problems.ts';
import { findRunSecret, type RunSecret } from '../../core/run-secrets.ts';
import { isPublishedSite, readFileIn, type UserFolderEntry, walkFolder } from '../../core/user-folder.ts';
import type { Asset, RenderedFile } from './assets.ts';

/** Files of the user that are published unchanged at the same paths: favicon.ico, CNAME, .well-known, images. */
export interface PublicFiles {
  /** Paths relative to the folder, `/`-separated, sorted. */
  readonly paths: ReadonlySet<string>;
  /** Skips, and reports, files that lead out of the folder or contain a secret of the run. */
  read(): Iterable<RenderedFile>;
  /** Text of a file that Lectern appends to one of its own; `''` if there is none. */
  appended(path: MergedFile): string;
  /** Problems found so far. */
  problems(): readonly Problem[];
}

export const noPublicFiles: PublicFiles = {
  paths: new Set(),
  *read() {},
  appended: () => '',
  problems: () => [],
};

/** Files of hosts in which rules of Lectern and of the user can follow each other. */
type MergedFile = '_headers' | '_redirects';

/** Matches files that systems and editors leave behind, which nobody misses. */
const ignored =
  /(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini|\.git(?:ignore|keep|attributes)?|\.#[^/]*|[^/]*~)(?:\/|$)/;

/** Node cannot read larger files at once. */
const maxBytes = 2 ** 31 - 1;

/** Reports the entries of a folder that are not published although they are there. @param name of the folder */
export function reportRefused(name: string, entries: readonly UserFolderEntry[]): readonly Problem[] {
  const outside = entries
    .filter(({ kind }) => kind === 'outside')
    .map(({ path }) => problem('FILE_OUTSIDE', `${name}/${path} is a link that leads out of ${name}`));
  const others = entries
    .filter(({ kind }) => kind === 'other')
    .map(({ path }) => problem('FILE_IGNORED', `${name}/${path} is not a regular file`));
  const hidden = entries.filter(({ kind, path }) => kind === 'hidden' && !ignored.test(path));
  return [
    ...outside,
    ...others,
    ...hidden.map(({ path }) => problem('PUBLIC_FILE_SKIPPED', `${name}/${path} was not published`)),
  ];
}

/** Reports a file that is not published because of its content. */
export function reportSecretFile(path: string, { name }: RunSecret): Problem {
  return problem('SECRET_FOUND', `${path} contains the value of ${name} and was not published`);
}

/** What happens to a public file. */
type PublicFileUse = 'published' | 'appended' | 'replaced';

/**
 * Lists the files of a folder, also behind links inside the folder. Empty for a published site, with a problem unless it is the output itself.
 * @param folder absolute; need not exist
 * @param secrets values that no published file may contain
 * @param useOf what happens to each path; `replaced` ones are reported
 * @param out absolute folder of the output
 * @throws PATH_UNUSABLE for a file or folder that cannot be published
 */
export function listPublicFiles(
  folder: string,
  secrets: readonly RunSecret[] = [],
  useOf: (path: string) => PublicFileUse = () => 'published',
  out = folder,
): PublicFiles {
  const isOutput = isPublishedSite(folder);
  const all = isOutput ? [] : [...walkFolder(folder)];
  const entries = all.filter(({ path }) => !ignored.test(path));
  for (const { path, kind } of entries) {
    if (kind === 'file' || kind === 'folder') refuseUnusable(folder, path);
  }
  const found = entries
    .filter(({ kind }) => kind === 'file')
    .map(({ path }) => path)
    .sort();
  const uses = new Map(found.map((path) => [path, useOf(path)]));
  const paths = found.filter((path) => uses.get(path) === 'published');
  const name = basename(folder);
  const problems: Problem[] = [
    ...(isOutput && folder !== out
      ? [
          problem(
            'PUBLIC_FILE_SKIPPED',
            `${name} is the output of another build, so its files are not published`,
          ),
        ]
      : []),
    ...reportRefused(name, all),
    ...found
      .filter((path) => uses.get(path) === 'replaced')
      .map((path) => problem('PUBLIC_FILE_SKIPPED', `${name}/${path} is not published`)),
  ];
  /** `null`, with a report, for a file that must not be published. */
  const readAllowed = (path: string): Buffer | null => {
    const content = readUnlessOutside(folder, path);
    const secret = content === null ? null : findRunSecret(content, secrets);
    if (content === null) problems.push(...reportRefused(name, [{ path, kind: 'outside' }]));
    else if (secret !== null) problems.push(reportSecretFile(`${name}/${path}`, secret));
    return secret === null ? content : null;
  };
  return {
    paths: new Set(paths),
    *read() {
      for (const path of paths) {
        const content = readAllowed(path);
        if (content !== null) yield { path, content };
      }
    },
    appended: oncePerKey((path) => {
      const content = uses.get(path) === 'appended' ? readAllowed(path) : null;
      return content === null ? '' : `${decodeText(content).trimEnd()}\n`;
    }),
    problems: () => problems,
  };
}

/** `null` for a file that was replaced by a link out of the folder after it was listed. */
function readUnlessOutside(folder: string, path: string): Buffer | null {
  try {
    return readFileIn(folder, path);
  } catch (error) {
    if (error instanceof LecternError && error.code === 'FILE_OUTSIDE') return null;
    throw error;
  }
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
  throw new LecternError('PATH_UNUSABLE', `${join(folder, path)} cannot be published: ${why}`, {
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

import { hash } from 'node:crypto';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { LecternError } from '../../core/errors.ts';
import { readJsonOrNull } from '../../core/file-system.ts';
import type { FolderLocation, FolderPlace } from './folder-read.ts';
import { refuseGenerators } from './generators.ts';
import { isLocale } from './locales.ts';
import { type ScannedFiles, scanFiles } from './safe-files.ts';

/** Files about a folder, not part of its content: `README.md`, `LICENSE-MIT.md`. */
export const aboutFile = /^(?:readme|licen[cs]e|changelog)(?![a-z])/i;

/** What `lectern pull` and `lectern push` leave in a folder: the last common state of both sides. */
export const syncStateFile = '.lectern-sync.json';

/**
 * Reads what the last pull or push left in a folder of both sides; `null` if there is no such file.
 * @throws PATH_UNUSABLE for a file that is not JSON: without it, what one side deleted would be new
 */
export function readStateFile(file: string): unknown {
  const json = readJsonOrNull(file);
  if (json !== null || !existsSync(file)) return json;
  throw new LecternError('PATH_UNUSABLE', `${file} is not JSON`, {
    hint: 'restore it, e.g. from Git, or resolve its merge conflict; or delete it: then every difference is a conflict, and records that one side deleted count as new',
  });
}

/** The order of the lists of a service, which a pull leaves in a folder. */
export const listOrderFile = '.lectern-order.json';

/** Files and folders with a dot that decide how a folder is read. */
const settingFiles = [syncStateFile, listOrderFile, '.obsidian'];

/** Files and folders whose names start with an underscore are parts of pages. */
export function isPartial(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('_'));
}

/** The files of a source that is a folder, before any of them is opened. */
export interface FolderListing {
  readonly files: ScannedFiles;
  /** Hash that is the same as long as no file was written, added or removed. */
  readonly etag: string;
  /** The latest change of a file, in milliseconds since 1970. */
  readonly changedMs: number;
}

/** The files of a folder of Markdown. */
export interface MarkdownListing extends FolderListing {
  /** Whether it has the layout of `lectern pull`. */
  readonly isPulled: boolean;
}

/**
 * Lists a folder of Markdown. This file loads no parser, because it decides that nothing changed.
 * @throws PATH_UNUSABLE
 */
export function listMarkdown(settings: FolderLocation): MarkdownListing {
  const { root, ignored, layout } = settings;
  refuseMissing(root);
  const files = scanFiles(root, ignored);
  const isPulled =
    layout === 'pulled' ||
    (layout === 'auto' &&
      (existsSync(join(root, syncStateFile)) || looksPulled([...files.stamps.keys()], settings)));
  const others = settingFiles.map((name) => {
    const file = lstatSync(join(root, name), { throwIfNoEntry: false });
    return file === undefined ? null : [file.ino, file.isFile() && [file.size, file.mtimeMs, file.ctimeMs]];
  });
  return { ...toListing(files, others), isPulled };
}

/** Refuses the project of a site generator. @throws GENERATOR_PROJECT */
export function refuseProject(
  { root, base, layout }: FolderLocation,
  { files: { stamps, markers }, isPulled }: MarkdownListing,
): void {
  if (isPulled) return;
  const isPage = (path: string): boolean => /\.(?:mdx?|markdown)$/i.test(path) && !isPartial(path);
  const pages = [...stamps.keys()].filter(isPage);
  refuseGenerators(root, base, { pages, markers }, layout === 'plain');
}

/** Lists a built site. @throws PATH_UNUSABLE */
export function listSite({ base, root, ignored }: FolderPlace): FolderListing {
  if (existsSync(root)) return toListing(scanFiles(root, ignored));
  throw new LecternError('PATH_UNUSABLE', `the folder ${relative(base, root) || '.'} does not exist`, {
    hint: 'build the site first, then pass the folder that its generator wrote: --source site:DIR',
    exitCode: 2,
  });
}

/** @param others what else decides how the files are read. Plain data */
function toListing(files: ScannedFiles, others: unknown = null): FolderListing {
  const { stamps, links, unnamed, markers } = files;
  const changed = [...stamps.values()].map((stamp) => Number(stamp.slice(stamp.lastIndexOf(' ') + 1)));
  return {
    files,
    etag: hash('sha256', JSON.stringify([[...stamps], links, unnamed, markers, others])),
    changedMs: changed.reduce((latest, ms) => Math.max(latest, ms), 0),
  };
}

function refuseMissing(root: string): void {
  let isFile = false;
  try {
    if (statSync(root).isDirectory()) return;
    isFile = true;
  } catch {
    // Reported below.
  }
  const [what, hint] = isFile
    ? [`${root} is a file, not a folder`, 'pass the folder that contains it']
    : [
        `the folder ${root} does not exist`,
        'check the path of the source; other sources are zendesk and api',
      ];
  throw new LecternError('PATH_UNUSABLE', what, { hint, exitCode: 2 });
}

/** Whether all pages are in subfolders of `articles/` and `categories/` and have languages as names. */
function looksPulled(
  paths: readonly string[],
  settings: Pick<FolderLocation, 'locales' | 'defaultLanguage'>,
): boolean {
  const pages = paths.filter((path) => /\.(?:md|html)$/.test(path) && !aboutFile.test(posix.basename(path)));
  return (
    pages.some((path) => path.startsWith('articles/')) &&
    pages.every((path) => {
      const [, language = ''] =
        /^(?:articles|categories)\/[^/]+\/([A-Za-z-]+)\.(?:md|html)$/.exec(path) ?? [];
      // A service may have codes that nobody else has, such as `de-formal`.
      const [base = ''] = language.split('-');
      return isLocale(language, settings) || (settings.locales === null && isLocale(base, settings));
    })
  );
}

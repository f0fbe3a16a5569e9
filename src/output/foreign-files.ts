import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LecternError } from '../core/errors.ts';
import { makeFolder, readTextFile } from '../core/file-system.ts';
import { fileListPath, readFileList } from './file-list.ts';
import { linkOrCopy, statsOf } from './file-operations.ts';
import { outputMarker, type PreviousOutput } from './previous-output.ts';

/** Names at the root of every output. */
const ownNames =
  /^(?:assets|feed|hosting|llms|sitemaps|(?:index|404)\.html|robots\.txt|sitemap\.xml|llms(?:-full)?(?:-\d+)?\.txt|_redirects|_headers|(?:vercel|addresses|redirects)\.json)$/;

/** Whether Lectern writes a file or folder with this name at the root of an output. */
export function isOutputName(name: string): boolean {
  return name === fileListPath || ownNames.test(name);
}

/** Files that operating systems create in folders; safe to remove. */
const junk = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/** Files of the user in the output folder, which a new output preserves. */
export interface KeptFiles {
  /** Whether a path of the output, `/`-separated, is one of these files or inside one of these folders. */
  has(path: string): boolean;
  /** Files and folders (with their content) that a build preserves; relative to the output. */
  readonly roots: readonly string[];
}

/**
 * A Git repository at the root is always preserved, so that the output may be a Git branch.
 * @param patterns `output.keep`: a path, or a folder followed by `/**`
 */
export function createKeptFiles(patterns: readonly string[]): KeptFiles {
  const roots = ['.git', ...patterns.map((pattern) => pattern.replace(/\/\*\*$/, ''))];
  const isKept = (path: string): boolean =>
    roots.some((root) => path === root || path.startsWith(`${root}/`));
  return { has: isKept, roots };
}

/**
 * Refuses to replace a folder with files that Lectern did not write.
 * @param marker a file that the folder contains if Lectern wrote it
 * @throws OUTPUT_FOREIGN_FILES
 */
export function refuseForeignFolder(folder: string, marker: string, kept: KeptFiles): void {
  if (!existsSync(folder)) return;
  const names = readdirSync(folder);
  if (names.every((name) => kept.has(name)) || existsSync(join(folder, marker))) return;
  throw new LecternError('OUTPUT_FOREIGN_FILES', `${folder} contains files that Lectern did not write`, {
    hint: 'choose another folder with --out, or empty this one',
    exitCode: 2,
  });
}

/**
 * Refuses to replace an output that contains files of someone else, which are those that neither the database nor the list in the output has.
 * @param next paths of the new output
 * @throws OUTPUT_FOREIGN_FILES
 */
export function refuseForeignFiles(previous: PreviousOutput, next: readonly string[]): void {
  const out = previous.folder;
  const foreign = previous.published === null ? findUnlisted(previous, next) : previous.foreign();
  const [first] = foreign;
  if (first === undefined) return;
  const shown = foreign.slice(0, 5).join(', ');
  const more = foreign.length > 5 ? ` and ${foreign.length - 5} more` : '';
  throw new LecternError(
    'OUTPUT_FOREIGN_FILES',
    `${out} contains files that Lectern did not write: ${shown}${more}`,
    {
      hint: `move them to another folder, or list them in output.keep, e.g. ${JSON.stringify([first])}`,
    },
  );
}

/**
 * Paths of files that the list in an output does not name, sorted. Without a list, everything at the root with the name of a language, of the new output,
 * or of every output counts as ours, with all its content.
 */
function findUnlisted({ folder, found }: PreviousOutput, next: readonly string[]): readonly string[] {
  const paths = [...found().keys()].sort();
  const listed = readFileList(join(folder, fileListPath));
  if (listed !== null) {
    const known = new Set([fileListPath, ...listed]);
    return paths.filter((path) => !known.has(path));
  }
  const rootOf = (path: string): string => path.split('/')[0] ?? '';
  const roots = new Set([...next, ...readLanguages(folder)].map(rootOf));
  return paths.filter((path) => !isOutputName(rootOf(path)) && !roots.has(rootOf(path)));
}

function readLanguages(out: string): readonly string[] {
  try {
    const manifest = JSON.parse(readTextFile(join(out, outputMarker))) as {
      readonly languages: readonly { readonly language: unknown }[];
    };
    return manifest.languages.map(({ language }) => String(language));
  } catch {
    return [];
  }
}

/** Whether a file of an output is the user's, or one that an operating system creates. */
export function isIgnoredFile(path: string, kept: KeptFiles): boolean {
  return kept.has(path) || junk.has(basename(path));
}

/**
 * Adds the user's files to the new output, as hard links if the disk has them, so that they are complete in one of the two folders whenever
 * the run is killed.
 * @param staged absolute path of the new output
 * @param next paths of the new output
 * @throws OUTPUT_CONFLICT if the new output has a file with that name
 */
export function takeOverKept(out: string, staged: string, next: Iterable<string>, kept: KeptFiles): void {
  for (const path of next) {
    if (!kept.has(path)) continue;
    throw new LecternError('OUTPUT_CONFLICT', `${path} is in output.keep, but Lectern writes this file`, {
      hint: 'remove it from output.keep, or rename your file',
    });
  }
  for (const root of kept.roots) {
    if (statsOf(join(out, root)) === null) continue;
    makeFolder(dirname(join(staged, root)));
    takeOver(join(out, root), join(staged, root));
  }
}

function takeOver(from: string, to: string): void {
  const stats = lstatSync(from);
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (stats.isDirectory()) {
    mkdirSync(to, { mode: stats.mode });
    for (const name of readdirSync(from)) takeOver(join(from, name), join(to, name));
  } else linkOrCopy(from, to);
}

import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { listSome } from '../core/count-of.ts';
import { LecternError } from '../core/errors.ts';
import { readTextFile } from '../core/file-system.ts';
import { fileListPath, readFileList } from './file-list.ts';
import { linkOrCopy, statsOf } from './file-operations.ts';
import { outputMarker, type PreviousOutput, scanFolder } from './previous-output.ts';

/** Names at the root of every output. */
const ownNames =
  /^(?:assets|feed|hosting|llms|sitemaps|(?:index|404)\.html|robots\.txt|sitemap\.xml|llms(?:-full)?(?:-\d+)?\.txt|_redirects|_headers|(?:vercel|addresses|redirects)\.json)$/;

/** Whether Lectern writes a file or folder with this name at the root of an output. */
export function isOutputName(name: string): boolean {
  return name === fileListPath || ownNames.test(name);
}

/** Files that operating systems create in folders; safe to remove. */
const junk = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/** A Git repository at the root, which a new output preserves, so that the output may be a Git branch. */
const repository = '.git';

/** Whether a path of the output, `/`-separated, is part of the repository at its root. */
function isInRepository(path: string): boolean {
  return path === repository || path.startsWith(`${repository}/`);
}

/**
 * Refuses to replace a folder with files that Lectern did not write.
 * @param marker a file that the folder contains if Lectern wrote it
 * @throws OUTPUT_FOREIGN_FILES
 */
export function refuseForeignFolder(folder: string, marker: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) {
    throw new LecternError('OUTPUT_FOREIGN_FILES', `${folder} is a file, not a folder`, {
      hint: 'choose another folder, e.g. --out help-site; the file was not changed',
      exitCode: 2,
    });
  }
  const names = readdirSync(folder);
  if (names.every(isInRepository) || existsSync(join(folder, marker))) return;
  throw new LecternError('OUTPUT_FOREIGN_FILES', `${folder} contains files that Lectern did not write`, {
    hint: 'choose another folder, e.g. --out help-site; nothing in this one was changed',
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
  const foreign = previous.published === null ? findUnlisted(out, next) : previous.foreign();
  if (foreign.length === 0) return;
  const message = `${out} contains files that Lectern did not write: ${listSome(foreign, 5)}`;
  throw new LecternError('OUTPUT_FOREIGN_FILES', message, {
    hint: 'move them into the folder public, whose files every build publishes, or delete them',
  });
}

/**
 * Paths of files that the list in an output does not name, sorted. Without a list, everything at the root with the name of a language, of the new output,
 * or of every output counts as ours, with all its content.
 */
function findUnlisted(folder: string, next: readonly string[]): readonly string[] {
  const paths = scanFolder(folder, isIgnoredFile);
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

/** Whether a file of an output is part of the repository, or one that an operating system creates. */
export function isIgnoredFile(path: string): boolean {
  return isInRepository(path) || junk.has(path.slice(path.lastIndexOf('/') + 1));
}

/**
 * Adds the repository to the new output, as hard links if the disk has them, so that it is complete in one of the two folders whenever the
 * run is killed.
 * @param staged absolute path of the new output
 */
export function takeOverRepository(out: string, staged: string): void {
  if (statsOf(join(out, repository)) !== null) takeOver(join(out, repository), join(staged, repository));
}

function takeOver(from: string, to: string): void {
  const stats = lstatSync(from);
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (stats.isDirectory()) {
    mkdirSync(to, { mode: stats.mode });
    for (const name of readdirSync(from)) takeOver(join(from, name), join(to, name));
  } else linkOrCopy(from, to);
}

import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LecternError, orNull } from './errors.ts';
import {
  closeAfter,
  decodeUserText,
  notRegular,
  openFile,
  readFlags,
  readOpened,
  readStart,
} from './file-system.ts';

/** One system call, so it cannot fail halfway while a folder is replaced by a link. */
const realPath = realpathSync.native;

/**
 * An entry of a folder. `link`: a link that is broken or leads to a parent folder; `outside`: a link to something outside the folder;
 * `hidden`: a name that starts with a dot, or a link to one, except `.well-known`; `other`: a pipe, socket or device.
 */
export interface UserFolderEntry {
  /** Relative to the folder, `/`-separated. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'outside' | 'hidden' | 'other';
}

/** Folders of the installed package, whose files a package manager may replace by links to anywhere. */
const programFolders = ['..', '../../templates'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** The real path of a folder; `null` for one of the program: its links may lead anywhere. */
function realRootOf(root: string): string | null {
  return programFolders.some((folder) => isWithin(resolve(folder), root)) ? null : realPath(root);
}

/** Whether a folder contains a published site, as with `out: "public"`; such a folder is never input of a build. */
export function isPublishedSite(folder: string): boolean {
  return ['feed/manifest.json', 'output-files.txt'].every((path) => existsSync(join(folder, path)));
}

/**
 * All entries of a folder, recursively, sorted folder by folder. Follows links inside the folder; does not look into what is outside or
 * hidden. Empty if the folder does not exist. Throws the error of the file system.
 * @param root absolute path; if it is a link, its target is the folder
 * @param below lists only this subfolder, with paths relative to it; a link that leads out of the root counts as missing
 */
export function* walkFolder(root: string, below = ''): Generator<UserFolderEntry> {
  const top = join(root, below);
  if (statSync(top, { throwIfNoEntry: false }) === undefined) return;
  const realRoot = realRootOf(root);
  if (realRoot !== null && placeOf(realRoot, realPath(top)) !== 'inside') return;
  yield* walkBelow({ top, realRoot }, '', []);
}

interface Walk {
  readonly top: string;
  /** `null`: links may lead anywhere. */
  readonly realRoot: string | null;
}

/** @param linkFolders real paths of the parent folders, including those reached through links */
function* walkBelow(walk: Walk, below: string, linkFolders: readonly string[]): Generator<UserFolderEntry> {
  for (const entry of listFolder(walk.top, below).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    const kind = isHidden(entry.name)
      ? 'hidden'
      : entry.isSymbolicLink()
        ? linkedKind(walk, path, linkFolders)
        : kindOf(entry);
    yield { path, kind };
    if (kind !== 'folder') continue;
    const links = entry.isSymbolicLink() ? [...linkFolders, realPath(join(walk.top, below))] : linkFolders;
    yield* walkBelow(walk, path, links);
  }
}

/** Empty if a folder was removed meanwhile, or its name is not valid UTF-8 and it therefore cannot be opened. */
function listFolder(top: string, below: string): Dirent[] {
  try {
    return readdirSync(join(top, below), { withFileTypes: true });
  } catch (error) {
    if (below !== '' && (error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function kindOf(entry: Pick<Dirent, 'isDirectory' | 'isFile'>): UserFolderEntry['kind'] {
  return entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other';
}

function linkedKind(
  { top, realRoot }: Walk,
  path: string,
  before: readonly string[],
): UserFolderEntry['kind'] {
  try {
    const link = join(top, path);
    const target = realPath(link);
    const around = [...before, realPath(dirname(link))];
    if (around.some((folder) => isWithin(target, folder))) return 'link';
    const place = placeOf(realRoot, target);
    return place === 'inside' ? kindOf(statSync(target)) : place;
  } catch {
    return 'link';
  }
}

function isHidden(name: string): boolean {
  return name.startsWith('.') && name !== '.well-known';
}

/** Where a real path is as seen from a real folder. */
function placeOf(realRoot: string | null, real: string): 'inside' | 'outside' | 'hidden' {
  if (realRoot === null) return 'inside';
  if (!isWithin(realRoot, real)) return 'outside';
  return relative(realRoot, real).split(sep).some(isHidden) ? 'hidden' : 'inside';
}

/** Whether a path is a folder or below it. Links are not followed. */
export function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

/**
 * Opens a file whose real path (after following links) is inside the real path of a folder, and not hidden unless the given path is. What is
 * checked is the opened file, so a link that takes the place of the file or of a parent folder at the same moment cannot lead outside.
 * @param root absolute path
 * @param path relative to the root
 * @throws FILE_OUTSIDE, and the error of the file system, also for a folder, pipe or device
 */
export function openInside(root: string, path: string): number {
  if (!isWithin(resolve(root), resolve(root, path))) throw outside(path);
  const realRoot = realRootOf(root);
  if (realRoot === null) return openFile(join(root, path));
  const refuse = (real: string | null): void => {
    const place = real === null ? 'outside' : placeOf(realRoot, real);
    const isNamed = place === 'hidden' && path.split('/').some(isHidden);
    if (place !== 'inside' && !isNamed) throw outside(path);
  };
  const real = realPath(join(root, path));
  refuse(real);
  const descriptor = openReal(real, path);
  try {
    const opened = fstatSync(descriptor, { bigint: true });
    if (!opened.isFile()) throw notRegular(join(root, path));
    refuse(pathOfOpened(descriptor) ?? pathIfSame(real, opened));
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** The present path of an open file; `null` where the system does not tell. */
function pathOfOpened(descriptor: number): string | null {
  return orNull(() => readlinkSync(`/proc/self/fd/${descriptor}`));
}

/** `real` if it still leads to the open file, without a link. */
function pathIfSame(real: string, opened: { readonly dev: bigint; readonly ino: bigint }): string | null {
  const named = lstatSync(real, { bigint: true });
  const isSame = named.ino === opened.ino && named.dev === opened.dev && realPath(real) === real;
  return isSame ? real : null;
}

function openReal(real: string, path: string): number {
  try {
    return openSync(real, readFlags | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    // A link has taken the place of the file.
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') throw outside(path);
    throw error;
  }
}

/** The content of a file. Throws as {@link openInside} and {@link readOpened} do. */
export function readFileIn(root: string, path: string, maxBytes?: number): Buffer {
  return closeAfter(openInside(root, path), (descriptor) => readOpened(descriptor, maxBytes));
}

/** At most the first `length` bytes of a file. Throws as {@link openInside} does. */
export function readStartIn(root: string, path: string, length: number): Buffer {
  return closeAfter(openInside(root, path), (descriptor) => readStart(descriptor, length));
}

/** The text of a file. Throws as {@link openInside} and {@link decodeUserText} do. */
export function readTextIn(root: string, path: string): string {
  return decodeUserText(readFileIn(root, path), join(root, path));
}

/** Whether {@link openInside} opens a file. */
export function isFileInside(root: string, path: string): boolean {
  const descriptor = orNull(() => openInside(root, path));
  if (descriptor !== null) closeSync(descriptor);
  return descriptor !== null;
}

/**
 * Where the real path of a folder is: the path of `folder` in `other` (`''` if they are the same), `around` if it has `other` inside; `null` if
 * neither is inside the other, or one does not exist.
 */
export function placeInFolder(folder: string, other: string): { readonly inside: string } | 'around' | null {
  const [one, two] = [folder, other].map((path) => (existsSync(path) ? realPath(path) : null));
  if (one == null || two == null) return null;
  if (isWithin(two, one)) return { inside: relativePath(two, one) };
  return isWithin(one, two) ? 'around' : null;
}

function outside(path: string): LecternError {
  return new LecternError('FILE_OUTSIDE', `${path} is outside the folder`, {
    hint: 'move the file into the folder; files outside are not read',
  });
}

/**
 * The absolute path of a folder named by a setting. A path below the base must not lead out of the base, or into a hidden folder, through a
 * link, because anybody who may add files to the project could set such a link. A path that names a place outside is the choice of the operator.
 * @param base absolute path of the project
 * @throws FILE_OUTSIDE (exit 2)
 */
export function resolveUserFolder(base: string, setting: string): string {
  const folder = resolve(base, setting);
  const isBelow = !isAbsolute(setting) && isWithin(base, folder);
  if (!isBelow || statSync(folder, { throwIfNoEntry: false }) === undefined) return folder;
  const real = realPath(folder);
  const realBase = realPath(base);
  if (real === join(realBase, relative(base, folder)) || placeOf(realBase, real) === 'inside') return folder;
  throw new LecternError('FILE_OUTSIDE', `${folder} is a link that leads out of the project`, {
    hint: `replace the link with the folder, or name ${real} in the settings`,
    exitCode: 2,
  });
}

/** The path from a folder to a file or folder, `/`-separated; `''` to the folder itself. */
export function relativePath(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}

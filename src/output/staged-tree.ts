import { hash } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { LecternError } from '../core/errors.ts';
import { isInsideOutput } from './file-list.ts';
import { outputFault, parentOf } from './file-operations.ts';
import type { Output, OutputFile, PublishedFile, WrittenFile } from './output.ts';
import type { PreviousOutput } from './previous-output.ts';
import { openStagedFile, type StagedFile } from './staged-file.ts';

/** The files of an output that is being staged. */
export interface StagedTree extends Pick<Output, 'has' | 'adopt' | 'files'> {
  reuseAll(paths: readonly string[]): readonly WrittenFile[] | null;
  /** @throws OUTPUT_CONFLICT, SITE_FILE_MISSING, OUTPUT_UNWRITABLE */
  write(path: string, content: string | Uint8Array, sha256?: string): WrittenFile;
  /** @throws OUTPUT_CONFLICT, SITE_FILE_MISSING, OUTPUT_UNWRITABLE */
  open(path: string): OutputFile;
  /** Describes all files as they are now on disk, sorted. @throws OUTPUT_CONFLICT if a file is where another one needs a folder */
  publish(): readonly PublishedFile[];
  /** Closes every file that is still open, without completing it. */
  abandon(): void;
}

/**
 * Starts a tree. A file with the same content as in the previous output becomes a hard link to it, so that its time does not change. Writes
 * are synchronous, which is five times as fast for small files.
 * @param folder returns the absolute path of the staging folder; called for the first file
 * @param out absolute path of the output, for messages
 * @param previous the output to replace; `null` if there is none
 */
export function createStagedTree(
  folder: () => string,
  out: string,
  previous: Pick<PreviousOutput, 'folder' | 'find' | 'published'> | null,
): StagedTree {
  const written = new Map<string, WrittenFile | PublishedFile>();
  /** Paths of files that are open. */
  const claimed = new Set<string>();
  const open = new Set<StagedFile>();
  let makeFolder: ((folder: string) => void) | null = null;

  const claim = (path: string): void => {
    refuseOutside(path);
    if (claimed.has(path) || written.has(path)) throw conflict(path);
  };
  /** @param path of the file to be created */
  const guarded = <T>(path: string, act: () => T): T => {
    try {
      return act();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Another thread wrote it, or the disk ignores case and has a file with the same name in another case.
      if (code === 'EEXIST') throw conflict(path);
      if (code === 'ENOTDIR' || code === 'EISDIR') throw folderConflict(path);
      throw outputFault(error, out);
    }
  };
  /** Absolute path for a new file, whose folder now exists. */
  const prepare = (path: string): string => {
    makeFolder ??= createFolderMaker(folder());
    makeFolder(parentOf(path));
    return `${folder()}/${path}`;
  };
  const find = (path: string): PublishedFile | null => previous?.find(path) ?? null;
  /** Links a file of the previous output, without reading it. */
  const take = (file: PublishedFile): boolean => {
    claim(file.path);
    try {
      linkSync(`${previous?.folder}/${file.path}`, prepare(file.path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
      return false;
    }
    written.set(file.path, file);
    return true;
  };
  /** Replaces a staged file with a link to the equal one of the previous output; `false` if the disk cannot do that. */
  const relink = (same: PublishedFile, staged: string): boolean => {
    const link = `${staged}.link`;
    try {
      linkSync(`${previous?.folder}/${same.path}`, link);
      renameSync(link, staged);
      return true;
    } catch {
      return false;
    }
  };
  return {
    write: (path, content, sha256) =>
      guarded(path, () => {
        const bytes = typeof content === 'string' ? encode(content) : content;
        const file = { path, sha256: sha256 ?? hash('sha256', bytes), bytes: bytes.length };
        const same = find(path);
        if (same?.sha256 === file.sha256 && same.bytes === file.bytes && take(same)) return same;
        claim(path);
        writeFileSync(prepare(path), bytes, { flag: 'wx' });
        written.set(path, file);
        return file;
      }),
    open: (path) =>
      guarded(path, () => {
        claim(path);
        const staged = prepare(path);
        const file = openStagedFile(staged, {
          guarded: (act) => guarded(path, act),
          onClose(closed) {
            open.delete(file);
            claimed.delete(path);
            const record = { path, ...closed };
            const same = find(path);
            if (same?.sha256 === record.sha256 && same.bytes === record.bytes && relink(same, staged)) {
              written.set(path, same);
              return record;
            }
            written.set(path, record);
            return record;
          },
        });
        claimed.add(path);
        open.add(file);
        return file;
      }),
    has: (path) => written.has(path),
    reuseAll(paths) {
      if (previous?.published == null) return null;
      const found: PublishedFile[] = [];
      for (const path of paths) {
        const file = find(path);
        if (file === null) return null;
        found.push(file);
      }
      for (const [at, file] of found.entries()) {
        if (guarded(file.path, () => take(file))) continue;
        for (const { path } of found.slice(0, at)) {
          written.delete(path);
          rmSync(`${folder()}/${path}`, { force: true });
        }
        return null;
      }
      return found;
    },
    adopt(files) {
      for (const file of files) {
        claim(file.path);
        written.set(file.path, file);
      }
    },
    files: () =>
      [...written.keys()].sort().map((path) => {
        const { sha256, bytes } = written.get(path) as WrittenFile;
        return { path, sha256, bytes };
      }),
    publish() {
      return [...written.keys()].sort().map((path) => {
        const file = written.get(path) as WrittenFile | PublishedFile;
        if ('mtimeMs' in file) return file;
        const stats = lstatSync(`${folder()}/${path}`);
        if (!stats.isFile()) throw folderConflict(path);
        return { ...file, mtimeMs: stats.mtimeMs };
      });
    },
    abandon() {
      for (const file of open) file.abandon();
    },
  };
}

function conflict(path: string): LecternError {
  return new LecternError('OUTPUT_CONFLICT', `two files have the path ${path}`, { hint: conflictHint });
}

function folderConflict(path: string): LecternError {
  return new LecternError('OUTPUT_CONFLICT', `${path} would be both a file and a folder`, {
    hint: conflictHint,
  });
}

const conflictHint = 'choose URL patterns that differ per page, or rename the page or the file of public/';

/** Refuses every path outside of the staged folder. */
function refuseOutside(path: string): void {
  if (isInsideOutput(path)) return;
  throw new LecternError('SITE_FILE_MISSING', `${JSON.stringify(path)} is not a path inside the output`, {
    hint: 'check settings with paths, such as urls and redirects.rules; if they are correct, report a bug',
  });
}

let buffer = Buffer.alloc(0);

/** A text in UTF-8, until the next call: most files are small, and measuring a text first takes as long as encoding it. */
function encode(text: string): Uint8Array {
  const maxBytes = 3 * text.length;
  if (buffer.length < maxBytes) buffer = Buffer.alloc(Math.max(1_000_000, maxBytes));
  return buffer.subarray(0, buffer.write(text));
}

/** Creates folders below `root`, which exists; their paths are relative to it, `/`-separated. `recursive` would take several system calls. */
function createFolderMaker(root: string): (folder: string) => void {
  const known = new Set(['']);
  const make = (folder: string): void => {
    if (known.has(folder)) return;
    make(parentOf(folder));
    try {
      mkdirSync(`${root}/${folder}`);
    } catch (error) {
      // Another thread may have made it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    known.add(folder);
  };
  return make;
}

import { hash } from 'node:crypto';
import { closeSync, linkSync, lstatSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { LecternError } from '../foundation/errors.ts';
import { openFile, readWholeFile, writeAll } from '../foundation/file-system.ts';
import type { SpillFile } from '../foundation/spill-file.ts';
import { isInsideOutput } from './file-list.ts';
import { linkOrCopy, outputFault } from './file-operations.ts';
import { FileTable } from './file-table.ts';
import type { LastOutput, RecordedFile } from './last-output.ts';
import type { Output, OutputFile, WrittenFile } from './output.ts';
import { openStagedFile, type StagedFile } from './staged-file.ts';
import type { StagedFolder } from './staged-folder.ts';

/** The files of an output that is being staged. */
export interface StagedTree
  extends Pick<Output, 'reuse' | 'reuseDerived' | 'has' | 'hasPrevious' | 'adopt' | 'files'> {
  reuseAll(paths: readonly string[]): readonly WrittenFile[] | null;
  /** @throws OUTPUT_CONFLICT, OUTPUT_PATH_INVALID, OUTPUT_UNWRITABLE */
  write(path: string, content: string | Uint8Array, sha256?: string): WrittenFile;
  /**
   * Publishes an existing file, as a hard link if the disk allows it, without reading it.
   * @param from absolute path
   * @param canLink `false`: as a copy, with the permissions of a new file
   * @returns whether it is now a link to that file, with its time and inode
   * @throws OUTPUT_CONFLICT, OUTPUT_PATH_INVALID, OUTPUT_UNWRITABLE
   */
  link(from: string, file: WrittenFile, canLink: boolean): boolean;
  /** @throws OUTPUT_CONFLICT, OUTPUT_PATH_INVALID, OUTPUT_UNWRITABLE */
  open(path: string): OutputFile;
  /** Path, hash, size, time and inode of every file. */
  readonly table: FileTable;
  /** Number of files reused from the previous output. */
  reused(): number;
  /** Closes every file that is still open, without completing it. */
  abandon(): void;
}

/** Memory of a thread, used by one call at a time: for blocks of other files, and for encoded texts. */
const scratchBytes = 512 * 1024;
const scratch = Buffer.allocUnsafeSlow(scratchBytes);
const encoded = Buffer.allocUnsafeSlow(scratchBytes);

type Location = 'here' | 'previous';

/**
 * Starts a tree. A file with the same content as in the previous output becomes a hard link to it, so that its inode and time do not
 * change. Writes are synchronous, which is five times as fast for small files.
 * @param folder the staging folder; called for the first file
 * @param previous the output to replace; `null` if there is none
 * @param readLast returns the record of that output; called on first use
 * @param spill keeps the table of files; absent: memory
 */
export function createStagedTree(
  folder: () => StagedFolder,
  out: string,
  previous: string | null,
  readLast: () => Pick<LastOutput, 'find'> | null,
  spill?: SpillFile,
): StagedTree {
  const written = new FileTable(spill);
  const open = new Set<StagedFile>();
  let reused = 0;

  const claim = (path: string): void => {
    refuseOutside(path);
    if (written.has(path)) throw conflict(path);
    written.claim(path);
  };
  /** @param path of the file to be created; `null` if none */
  const guarded = <T>(path: string | null, act: () => T): T => {
    try {
      return act();
    } catch (error) {
      // Another thread wrote it, or the disk ignores case and has a file with the same name in another case.
      const isTaken = path !== null && (error as NodeJS.ErrnoException).code === 'EEXIST';
      throw isTaken ? conflict(path) : outputFault(error, out);
    }
  };
  const recorded = (path: string): RecordedFile | null =>
    previous === null ? null : (readLast()?.find(path) ?? null);
  /** Finds the recorded file: in the tree already, or only in the previous output. */
  const locate = (path: string, file: RecordedFile): Location | null => {
    if (folder().holds(path, file)) return 'here';
    return isAsRecorded(`${previous}/${path}`, file) ? 'previous' : null;
  };
  /** Reuses a located file of the previous output without reading it. */
  const take = (path: string, file: RecordedFile, location: Location): WrittenFile | null => {
    claim(path);
    try {
      if (location === 'previous') linkSync(`${previous}/${path}`, folder().prepare(path));
    } catch {
      written.release(path);
      return null;
    }
    const record = { path, sha256: file.sha256, bytes: file.bytes };
    written.set(record, location === 'here' ? file : null);
    reused += 1;
    return record;
  };
  const reuseRecorded = (path: string, file: RecordedFile): WrittenFile | null => {
    const location = locate(path, file);
    return location === null ? null : take(path, file, location);
  };
  const find = ({ path, sha256, bytes }: WrittenFile): RecordedFile | null => {
    const file = recorded(path);
    return file?.sha256 === sha256 && file.bytes === bytes ? file : null;
  };
  const reuse = (path: string, content: Omit<WrittenFile, 'path'>): WrittenFile | null => {
    const file = find({ path, ...content });
    return file === null ? null : guarded(path, () => reuseRecorded(path, file));
  };
  const giveBack = (path: string): void => {
    written.release(path);
    rmSync(`${folder().path}/${path}`, { force: true });
    reused -= 1;
  };

  return {
    write: (path, content, sha256) =>
      guarded(path, () => {
        const bytes = typeof content === 'string' ? encode(content, encoded) : content;
        const record = { path, sha256: sha256 ?? hash('sha256', bytes), bytes: bytes.length };
        const same = reuse(path, record);
        if (same !== null) return same;
        claim(path);
        const file = folder().prepare(path);
        if (previous !== null && linkIfSame(`${previous}/${path}`, file, bytes, scratch)) reused += 1;
        else writeFile(file, bytes);
        written.set(record);
        return record;
      }),
    link: (from, file, canLink) =>
      guarded(file.path, () => {
        if (reuse(file.path, file) !== null) return false;
        claim(file.path);
        const to = folder().prepare(file.path);
        const isLink = canLink && linkOrCopy(from, to);
        if (!canLink) writeFile(to, readWholeFile(from));
        written.set(file);
        return isLink;
      }),
    open: (path) =>
      guarded(path, () => {
        claim(path);
        const file = openStagedFile(folder().prepare(path), {
          path,
          recorded: recorded(path),
          previousPath: (other) => (previous === null ? null : `${previous}/${other}`),
          scratch,
          guarded: (act) => guarded(path, act),
          onClose(closed) {
            const record = { path, ...closed };
            written.set(record);
            open.delete(file);
            return record;
          },
        });
        open.add(file);
        return file;
      }),
    reuse,
    reuseDerived(path, from) {
      const original = recorded(from.path);
      if (original?.sha256 !== from.sha256 || original.bytes !== from.bytes) return null;
      const file = recorded(path);
      return file === null ? null : guarded(path, () => reuseRecorded(path, file));
    },
    has: (path) => written.isWritten(path),
    reuseAll: (paths) =>
      guarded(null, () => {
        const located: (readonly [path: string, file: RecordedFile, location: Location])[] = [];
        for (const path of paths) {
          const file = recorded(path);
          const location = file === null ? null : locate(path, file);
          if (file === null || location === null) return null;
          located.push([path, file, location]);
        }
        const taken: WrittenFile[] = [];
        for (const one of located) {
          const file = take(...one);
          if (file === null) {
            for (const { path } of taken) giveBack(path);
            return null;
          }
          taken.push(file);
        }
        return taken;
      }),
    hasPrevious(path) {
      const file = recorded(path);
      return file !== null && isAsRecorded(`${previous}/${path}`, file);
    },
    adopt(files, reusedFiles, stamps) {
      for (const [at, file] of files.entries()) {
        claim(file.path);
        const [mtimeMs, inode] = stamps?.subarray(2 * at, 2 * at + 2) ?? [];
        written.set(file, mtimeMs === undefined || inode === undefined ? null : { mtimeMs, inode });
      }
      reused += reusedFiles;
      return files;
    },
    files: () => written.files(),
    table: written,
    reused: () => reused,
    abandon() {
      for (const file of open) file.abandon();
    },
  };
}

function conflict(path: string): LecternError {
  return new LecternError('OUTPUT_CONFLICT', `two files have the path ${path}`, {
    hint: 'choose URL patterns that differ per page, or rename the page or the file of public/',
  });
}

/** Refuses every path outside of the staged folder. */
function refuseOutside(path: string): void {
  if (isInsideOutput(path)) return;
  throw new LecternError('OUTPUT_PATH_INVALID', `${JSON.stringify(path)} is not a path inside the output`, {
    hint: 'check settings with paths, such as urls and redirects.rules; if they are correct, report a bug',
  });
}

/** CI systems do not always preserve times between jobs. If the time differs, the content decides. */
function isAsRecorded(path: string, { bytes, mtimeMs, sha256 }: RecordedFile): boolean {
  try {
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.size !== bytes) return false;
    return stats.mtimeMs === mtimeMs || hash('sha256', readFileSync(path)) === sha256;
  } catch {
    return false;
  }
}

/** Encodes a text as UTF-8 into reused memory: allocating new memory takes as long as encoding. */
function encode(text: string, into: Buffer): Buffer {
  // A UTF-16 unit needs at most three bytes.
  return text.length * 3 <= into.length ? into.subarray(0, into.write(text)) : Buffer.from(text);
}

/** Links the previous file if its content is equal; `false` if it differs or cannot be linked. */
function linkIfSame(previous: string, file: string, bytes: Uint8Array, scratch: Buffer): boolean {
  try {
    if (!isSame(previous, bytes, scratch)) return false;
    linkSync(previous, file);
    return true;
  } catch {
    return false;
  }
}

function isSame(file: string, bytes: Uint8Array, scratch: Buffer): boolean {
  const descriptor = openFile(file);
  try {
    for (let at = 0; ; ) {
      const read = readSync(descriptor, scratch, 0, scratch.length, null);
      if (read === 0) return at === bytes.length;
      if (at + read > bytes.length || scratch.compare(bytes, at, at + read, 0, read) !== 0) return false;
      at += read;
    }
  } finally {
    closeSync(descriptor);
  }
}

function writeFile(file: string, bytes: Uint8Array): void {
  const descriptor = openSync(file, 'wx');
  try {
    writeAll(descriptor, bytes);
  } finally {
    closeSync(descriptor);
  }
}

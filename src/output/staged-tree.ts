import { hash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LecternError } from '../errors.ts';
import type { OutputFile, WrittenFile } from './output.ts';
import { outputFault } from './output-fault.ts';
import { openStagedFile, type StagedFile } from './staged-file.ts';

/** The files of an output in the making, below a folder nobody looks into yet. */
export interface StagedTree {
  /** @throws OUTPUT_CONFLICT, OUTPUT_UNWRITABLE */
  write(path: string, content: string | Uint8Array): WrittenFile;
  /** @throws OUTPUT_CONFLICT, OUTPUT_UNWRITABLE */
  open(path: string): OutputFile;
  /** Every file written and closed so far, sorted by path. */
  files(): readonly WrittenFile[];
  /** Gives up every file that is still open. */
  abandon(): void;
}

const scratchBytes = 512 * 1024;

/**
 * Starts a tree. A file with the same content as in the previous output becomes a second name of it (a hard link), so
 * that it keeps its inode and time. Writes are synchronous: for small files that is five times as fast.
 * @param previous the output that is replaced; it need not exist
 */
export function createStagedTree(folder: string, previous: string): StagedTree {
  const written = new Map<string, WrittenFile | null>();
  const folders = new Set<string>([folder]);
  const hasPrevious = existsSync(previous);
  const open = new Set<StagedFile>();
  const scratch = Buffer.allocUnsafeSlow(scratchBytes);

  const claim = (path: string): string => {
    if (written.has(path)) {
      throw new LecternError('OUTPUT_CONFLICT', `two pages want ${path}`, {
        hint: 'choose URL patterns that keep pages apart, or rename one of them',
      });
    }
    written.set(path, null);
    const file = join(folder, path);
    const parent = dirname(file);
    makeFolder(parent);
    return file;
  };
  // Most pages have a folder of their own in one that is there: one call each, where `recursive` makes several.
  const makeFolder = (path: string): void => {
    if (folders.has(path)) return;
    makeFolder(dirname(path));
    mkdirSync(path);
    folders.add(path);
  };
  const guarded = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      throw outputFault(error, previous);
    }
  };

  return {
    write: (path, content) =>
      guarded(() => {
        const file = claim(path);
        const bytes = typeof content === 'string' ? Buffer.from(content) : content;
        if (!hasPrevious || !keepPrevious(join(previous, path), file, bytes)) writeFileSync(file, bytes);
        const record = { path, sha256: hash('sha256', bytes), bytes: bytes.length };
        written.set(path, record);
        return record;
      }),
    open: (path) =>
      guarded(() => {
        const file = openStagedFile(claim(path), {
          previous: join(previous, path),
          scratch,
          guarded,
          onClose({ sha256, bytes }) {
            written.set(path, { path, sha256, bytes });
            open.delete(file);
          },
        });
        open.add(file);
        return file;
      }),
    files: () =>
      [...written.values()].filter((file) => file !== null).sort((a, b) => (a.path < b.path ? -1 : 1)),
    abandon() {
      for (const file of open) file.abandon();
    },
  };
}

/** Links the previous file where its content is the same; `false` where it is not, or cannot be linked. */
function keepPrevious(previous: string, file: string, bytes: Uint8Array): boolean {
  try {
    if (!readFileSync(previous).equals(bytes)) return false;
    linkSync(previous, file);
    return true;
  } catch {
    return false;
  }
}

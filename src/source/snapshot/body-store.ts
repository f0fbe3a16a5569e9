import { hash, randomBytes } from 'node:crypto';
import { readSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LecternError } from '../../core/errors.ts';
import { makeFolder, syncFile } from '../../core/file-system.ts';
import type { ArticleBodies } from '../../core/model.ts';
import type { BodyRange, StoredArticle } from './format.ts';

/** The bodies of a snapshot that is being written: one file that bodies are appended to and can be read from. */
export interface BodyStore {
  /** Appends the bodies of one article; resolves when there is room for more (back-pressure). */
  append(bodies: readonly (string | Buffer)[]): Promise<BodyRange>;
  /** Overwrites bodies that turned out not to be public. */
  erase(bodyRange: BodyRange): Promise<void>;
  /** Discards everything appended so far. */
  clear(): Promise<void>;
  /** Writes what was appended so far, so that it can be read from the handle; more may be appended. */
  flush(): Promise<FinishedBodies>;
  /** Renames the file to its final name; it becomes part of a snapshot when an index names it. */
  finish(): Promise<FinishedBodies>;
  /** Deletes the file, finished or not. */
  abandon(): Promise<void>;
}

export interface FinishedBodies {
  readonly file: string;
  readonly bytes: number;
  readonly handle: FileHandle;
}

const batchBytes = 4 * 1024 * 1024;

/**
 * Creates a new file of bodies in the cache folder, which is created if missing.
 * @throws CACHE_UNWRITABLE, here and in every method
 */
export async function createBodyStore(folder: string): Promise<BodyStore> {
  const file = `snapshot-${randomBytes(8).toString('hex')}.bodies`;
  const partial = join(folder, `${file}.${process.pid}.partial`);
  const handle = await guarded(async () => {
    makeFolder(folder);
    return open(partial, 'w+');
  });
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let size = 0;
  let path = partial;
  /** Serialises writes, even if many articles are appended at the same time. */
  let writing: Promise<void> = Promise.resolve();

  function guarded<T>(act: () => Promise<T>): Promise<T> {
    return act().catch((error: unknown) => {
      throw cacheFault(error, folder);
    });
  }

  function writeWaiting(): Promise<void> {
    const batch = waiting.length === 1 ? (waiting[0] as Buffer) : Buffer.concat(waiting, waitingBytes);
    const at = size - waitingBytes;
    waiting = [];
    waitingBytes = 0;
    writing = writing.then(() => guarded(() => writeAll(handle, batch, at)));
    return writing;
  }

  return {
    async append(bodies) {
      const bodyRange = { offset: size, lengths: bodies.map((body) => Buffer.byteLength(body)) };
      for (const body of bodies) waiting.push(typeof body === 'string' ? Buffer.from(body) : body);
      const added = bodyRange.lengths.reduce((sum, length) => sum + length, 0);
      size += added;
      waitingBytes += added;
      if (waitingBytes >= batchBytes) await writeWaiting();
      return bodyRange;
    },
    async erase({ offset, lengths }) {
      await writeWaiting();
      const length = lengths.reduce((sum, next) => sum + next, 0);
      await guarded(() => writeAll(handle, Buffer.alloc(length), offset));
    },
    async clear() {
      await writeWaiting();
      size = 0;
      await guarded(() => handle.truncate(0));
    },
    async flush() {
      await writeWaiting();
      return { file, bytes: size, handle };
    },
    async finish() {
      await writeWaiting();
      return guarded(async () => {
        await syncFile(handle.fd);
        await rename(partial, join(folder, file));
        path = join(folder, file);
        return { file, bytes: size, handle };
      });
    },
    async abandon() {
      await writing.catch(() => {});
      await handle.close();
      await rm(path, { force: true });
    },
  };
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, position + at);
    at += bytesWritten;
  }
}

/**
 * The error for a cache folder that cannot be written. Errors that do not come from the file system are bugs and are returned unchanged.
 */
export function cacheFault(error: unknown, folder: string): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === undefined || error instanceof LecternError) return error;
  return new LecternError('CACHE_UNWRITABLE', `the snapshot cannot be written to ${folder} (${code})`, {
    hint: 'free some space, or choose a writable folder with the setting cache',
    cause: error,
  });
}

/**
 * Reads the bodies of one article and checks each against its hash.
 * @throws SNAPSHOT_CORRUPT
 */
export async function readStoredBodies(file: FileHandle, stored: StoredBodies): Promise<ArticleBodies> {
  const { id, translations } = stored.article;
  const parts = await readSoundBytes(file, stored);
  if (parts === null) {
    throw new LecternError('SNAPSHOT_CORRUPT', `the body of article ${id} in the snapshot is damaged`, {
      hint: 'delete the cache folder and run again without --offline',
    });
  }
  return new Map(
    translations.map(({ language }, index) => [language, (parts[index] as Buffer).toString('utf8')]),
  );
}

/** Byte range and hash of the bodies of an article. */
type StoredBodies = Pick<StoredArticle, 'article' | 'bodyRange'>;

/** The bytes of each body of an article, or `null` if they are damaged. */
export async function readSoundBytes(
  file: FileHandle,
  { article, bodyRange }: StoredBodies,
): Promise<readonly Buffer[] | null> {
  const bytes = readBytes(file, bodyRange);
  if (bytes === null || bodyRange.lengths.length !== article.translations.length) return null;
  let end = 0;
  const parts = bodyRange.lengths.map((length) => {
    end += length;
    return bytes.subarray(end - length, end);
  });
  const isSound = article.translations.every(
    ({ bodyHash }, index) => hash('sha256', parts[index] as Buffer) === bodyHash,
  );
  return isSound ? parts : null;
}

/** Synchronous: bodies are read in file order, and the thread pool would take longer. */
function readBytes(file: FileHandle, { offset, lengths }: BodyRange): Buffer | null {
  const length = lengths.reduce((sum, next) => sum + next, 0);
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const bytesRead = readSync(file.fd, bytes, at, length - at, offset + at);
    if (bytesRead === 0) return null;
    at += bytesRead;
  }
  return bytes;
}

import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/**
 * Replaces a file atomically: writes a temporary file beside it and renames that, so that readers, and a run after a kill,
 * see all of the old content or all of the new. Throws the error of the file system; nothing is left behind then.
 * @param parts what the file is to hold, one after the other
 */
export function writeFileAtomically(path: string, parts: Iterable<string | Uint8Array>): void {
  const partial = `${path}.${process.pid}.partial`;
  try {
    const descriptor = openSync(partial, 'w');
    try {
      for (const part of parts) writeAll(descriptor, typeof part === 'string' ? Buffer.from(part) : part);
    } finally {
      closeSync(descriptor);
    }
    renameOver(partial, path);
  } catch (error) {
    removeQuietly(partial);
    throw error;
  }
}

/** Renames a file over whatever has the other name, even a folder, which a plain rename does not replace. */
export function renameOver(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    rmSync(to, { recursive: true, force: true });
    renameSync(from, to);
  }
}

/** Writes every byte; one call may take only a part of them. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/** Removes a file that is of no more use, if it is there; one that cannot be removed does no harm. */
export function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    return;
  }
}

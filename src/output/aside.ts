import { appendFileSync, readSync, rmSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { closeAfter, makeFolder, openFile } from '../core/file-system.ts';
import { outputFault, statsOf } from './file-operations.ts';
import type { FileRange } from './output.ts';

/** In the staging folder: what threads keep on disk until files are made of it, because it may not fit into memory. */
const asideFolder = '.aside';

/**
 * Keeps bytes until the output is put in place. Every thread has a file of its own.
 * @param staging a `Workspace`
 * @throws OUTPUT_UNWRITABLE
 */
export function keepAside(
  { folder, out }: { readonly folder: string; readonly out: string },
  pieces: readonly Uint8Array[],
): readonly FileRange[] {
  const file = `${folder}/${asideFolder}/${threadId}`;
  try {
    makeFolder(`${folder}/${asideFolder}`);
    let end = statsOf(file)?.size ?? 0;
    appendFileSync(file, Buffer.concat(pieces));
    return pieces.map(({ length: bytes }) => {
      end += bytes;
      return { file, start: end - bytes, bytes };
    });
  } catch (error) {
    throw outputFault(error, out);
  }
}

/** Removes what was kept. @param folder the staging folder */
export function removeAside(folder: string): void {
  rmSync(`${folder}/${asideFolder}`, { recursive: true, force: true });
}

/** Throws as `openFile` does. */
export function readRange({ file, start, bytes }: FileRange): Buffer {
  return closeAfter(openFile(file), (descriptor) => {
    const content = Buffer.alloc(bytes);
    readSync(descriptor, content, 0, bytes, start);
    return content;
  });
}

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Flags that open for reading without waiting: opening a pipe would else last until somebody writes to it. */
export const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Opens a file for reading. Throws the error of the file system; also for a folder, a pipe or a device. */
export function openFile(path: string): number {
  const descriptor = openSync(path, readFlags);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw Object.assign(new Error(`${path} is not a file`), { code: 'ENOTSUP' });
}

/** The content of a file. Throws as {@link openFile} does. */
export function readWholeFile(path: string): Buffer {
  const descriptor = openFile(path);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

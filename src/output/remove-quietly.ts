import { rmSync } from 'node:fs';

/** Removes a file that is of no more use, if it is there; one that cannot be removed does no harm. */
export function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    return;
  }
}

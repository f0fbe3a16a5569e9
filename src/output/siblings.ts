import { basename, dirname, join } from 'node:path';

/** The working places beside an output folder: on the same file system, so that a rename is atomic. */
export interface Siblings {
  readonly out: string;
  readonly parent: string;
  /** Prefix of staging folders: `.dist.staging-`. */
  readonly stagingPrefix: string;
  /** Where the replaced output waits between the two renames of a swap. */
  readonly previous: string;
  /** Lock of the run that writes (`acquireLock`). */
  readonly lock: string;
}

/** @param out absolute path of the output folder */
export function siblingsOf(out: string): Siblings {
  const parent = dirname(out);
  const name = basename(out);
  return {
    out,
    parent,
    stagingPrefix: `.${name}.staging-`,
    previous: join(parent, `.${name}.previous`),
    lock: join(parent, `.${name}.lock`),
  };
}

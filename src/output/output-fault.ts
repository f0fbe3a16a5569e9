import { LecternError } from '../foundation/errors.ts';

/** What the user sees when the output cannot be written; anything that is no file-system error stays a bug. */
export function outputFault(error: unknown, folder: string): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === undefined || error instanceof LecternError) return error;
  return new LecternError('OUTPUT_UNWRITABLE', `the output cannot be written beside ${folder} (${code})`, {
    hint: 'free some space, or choose a folder with --out whose parent can be written to; the previous output is unchanged',
    cause: error,
  });
}

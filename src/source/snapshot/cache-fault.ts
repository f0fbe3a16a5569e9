import { LecternError } from '../../foundation/errors.ts';

/** What the user sees when the cache folder cannot be written; anything that is no file-system error stays a bug. */
export function cacheFault(error: unknown, folder: string): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === undefined || error instanceof LecternError) return error;
  return new LecternError('CACHE_UNWRITABLE', `the snapshot cannot be written to ${folder} (${code})`, {
    hint: 'free some space or point --cache at a folder that can be written to',
    cause: error,
  });
}

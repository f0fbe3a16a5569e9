import { LecternError } from '../foundation/errors.ts';

/**
 * Refuses a folder for the mistakes in its files, each as `file: mistake`.
 * @throws FOLDER_INVALID where there are any
 */
export function refuseInvalidFiles(mistakes: readonly string[]): void {
  if (mistakes.length === 0) return;
  const more = mistakes.length > 10 ? `\n  and ${mistakes.length - 10} more` : '';
  throw new LecternError('FOLDER_INVALID', `${mistakes.slice(0, 10).join('\n  ')}${more}`, {
    hint: 'correct these files; nothing was read from the folder',
  });
}

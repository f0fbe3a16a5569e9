import { nearestName } from '../../config/nearest-name.ts';
import { LecternError } from '../../foundation/errors.ts';

/** A command line that is not understood: USAGE, exit code 2. */
export function usageError(
  message: string,
  hint = 'lectern --help lists the commands, lectern <command> --help lists the flags of a command',
): LecternError {
  return new LecternError('USAGE', message, { hint, exitCode: 2 });
}

/** The same for a name that does not exist, with the one that was probably meant, which `show` writes as it is typed. */
export function unknownName(
  message: string,
  typed: string,
  known: Iterable<string>,
  show: (name: string) => string,
): LecternError {
  const near = nearestName(typed, known);
  return near === null ? usageError(message) : usageError(message, `did you mean ${show(near)}?`);
}

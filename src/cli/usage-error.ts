import { nearestName } from '../config/nearest-name.ts';
import { LecternError } from '../errors.ts';

/** What the parser knows where it gave up. */
export interface KnownNames {
  /** Long flag names without dashes. */
  readonly flags: readonly string[];
  readonly commands: readonly string[];
}

/**
 * Turns the parser's complaint into an error that says what was probably meant.
 * @param argv the command line as typed, which tells a mistyped flag from a mistyped command
 */
export function usageError(complaint: string, argv: readonly string[], known: KnownNames): LecternError {
  const [, list] = /^Unknown (?:arguments?|commands?): (.+)$/.exec(complaint) ?? [];
  if (/^Not enough non-option arguments/.test(complaint)) {
    const command = argv.filter((word) => !word.startsWith('-')).join(' ');
    return refuse(`something is missing after "${command}"`, `lectern ${command} --help shows what it needs`);
  }
  if (list === undefined) return refuse(complaint.charAt(0).toLowerCase() + complaint.slice(1));
  // The parser lists a dashed flag twice: as typed and in camel case, which nobody typed.
  const typed = argv.map((word) => /^--?([^=]+)/.exec(word)?.[1]?.replace(/^no-/, ''));
  const flag = list.split(', ').find((name) => typed.includes(name));
  if (flag !== undefined) {
    const near = nearestName(flag, known.flags);
    return refuse(`there is no flag --${flag}`, near === null ? undefined : `did you mean --${near}?`);
  }
  const near = nearestName(list, known.commands);
  const message =
    known.commands.length > 0 ? `there is no command "${list}"` : `"${list}" is one word too many`;
  return refuse(message, near === null ? undefined : `did you mean "${near}"?`);
}

function refuse(message: string, hint = 'lectern --help lists commands, lectern <command> --help its flags') {
  return new LecternError('USAGE', message, { hint, exitCode: 2 });
}

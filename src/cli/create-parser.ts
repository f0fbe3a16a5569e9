import yargs, { type Argv } from 'yargs';
import { LecternError } from '../errors.ts';
import { commands } from './command-table.ts';
import { type KnownNames, usageError } from './usage-error.ts';

/** Help is written for terminals of this width, whatever the terminal: it is pasted into tickets and docs. */
const helpWidth = 80;

/**
 * The command line of the program.
 * @throws (when parsing) USAGE for anything it does not understand, exit code 2
 */
export function createParser(argv: readonly string[], version: string): Argv {
  const parser: Argv = yargs([...argv])
    .scriptName('lectern')
    .usage('$0 <command>\n\nPublishes a help centre as a static site and a chatbot feed.')
    .version(version)
    .help()
    .alias('help', 'h')
    .parserConfiguration({ 'duplicate-arguments-array': false })
    .strict()
    .check((flags) => refuseMissingValues(flags, argv), true)
    .demandCommand(1, 'which command?')
    .wrap(helpWidth)
    .exitProcess(false)
    .example('$0 init', 'Set up a project in this folder')
    .example('$0 build', 'Publish into dist/')
    .example('$0 preview', 'Look at it')
    .epilogue('lectern <command> --help explains a command.')
    .fail((message: string | null, error: Error | undefined) => {
      if (error !== undefined && (message === null || error instanceof LecternError)) throw error;
      throw usageError(message ?? 'the command line is wrong', argv, knownNames(parser));
    });
  for (const command of commands) parser.command(command);
  parser.completion('completion', 'Print a script that completes commands and flags in bash or zsh');
  return parser;
}

/** A flag at the end of the line, or before another flag, reads as an empty text; a number as something else is NaN. */
function refuseMissingValues(flags: Readonly<Record<string, unknown>>, argv: readonly string[]): true {
  for (const [name, value] of Object.entries(flags)) {
    const isMissing = value === '' && !argv.includes('') && !argv.includes(`--${name}=`);
    if (!isMissing && !Number.isNaN(value)) continue;
    throw new LecternError('USAGE', `--${name} needs a ${isMissing ? 'value' : 'number'}`, {
      hint: `give it as --${name} VALUE`,
      exitCode: 2,
    });
  }
  return true;
}

/** Parts of the parser that its type declarations leave out. */
interface ParserInternals {
  getOptions(): { readonly key: Readonly<Record<string, unknown>> };
  getInternalMethods(): { getCommandInstance(): { getCommands(): readonly string[] } };
}

function knownNames(instance: unknown): KnownNames {
  const parser = instance as ParserInternals;
  return {
    flags: Object.keys(parser.getOptions().key).filter((name) => name.length > 1),
    commands: parser.getInternalMethods().getCommandInstance().getCommands(),
  };
}

import type { Argv } from 'yargs';
import yargs from 'yargs';
import { type Command, usageError } from './command.ts';
import { type FoundCommand, findCommand, wordsOf } from './find-command.ts';

/**
 * Says to yargs what one command takes, or which commands a group has; it hears of no other command.
 * @param helpWidth columns of the help that the line asks for; `null`: it asks for none, and `help` is a word like any other
 * @throws (when parsing) USAGE for what `refuseMistakes` let through, exit code 2
 */
export function createParser(found: FoundCommand, helpWidth: number | null): Argv {
  const { path, row, command } = found;
  const { options, positionals, commands, examples, epilogue } = command;
  const describe = row?.describe ?? 'Publishes a help centre as a static site and a chatbot feed.';
  const words = row === null ? '<command>' : wordsOf(row);
  const parser = yargs([])
    .locale('en')
    .scriptName(path.join(' '))
    .usage(`${['$0', words].join(' ').trim()}\n\n${describe}`)
    .version('version', 'Show version number', '')
    .help()
    .alias('help', 'h')
    .parserConfiguration({
      'dot-notation': false,
      'duplicate-arguments-array': false,
      'parse-positional-numbers': false,
    })
    .wrap(helpWidth)
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      throw message === null ? error : usageError(message);
    });
  if (helpWidth === null) parser.help(false);
  for (const [name, option] of Object.entries(options)) {
    const { type, ...rest } = option;
    // The help shows choices instead of the type.
    parser.option(name, { ...(rest.choices === undefined ? option : rest), requiresArg: type !== 'boolean' });
  }
  for (const [line, describe] of examples) parser.example(line, describe);
  if (epilogue !== null) parser.epilogue(epilogue);
  if (commands.length > 0) {
    for (const { usage, describe } of commands) parser.command(usage, describe);
    return parser;
  }
  return parser.command(`$0 ${words}`.trim(), false, (inner) => {
    for (const [name, { describe }] of Object.entries(positionals)) {
      inner.positional(name, { type: 'string', describe });
      if (words.includes(`<${name}>`) || words.includes(`<${name}..>`)) inner.demandOption(name);
    }
    return inner;
  });
}

/**
 * What yargs offers for a command line that is being typed: commands, flags, and the values of a flag that has a few.
 * Which of them begin like the last word, the shell finds out.
 * @param words the line without the program's name, its last word being the one that is typed, empty where none is yet
 */
export async function complete(
  program: string,
  root: Command,
  words: readonly string[],
): Promise<readonly string[]> {
  try {
    const found = await findCommand(program, root, words.slice(0, -1));
    const parser = createParser(found, 80);
    return await parser.getCompletion([...found.args, words.at(-1) ?? '']);
  } catch {
    // There is nothing to offer for a line that cannot be understood.
    return [];
  }
}

/** Prints the script that makes the user's shell ask the program what may come next. */
export function printCompletionScript(program: string): void {
  yargs([]).scriptName(program).showCompletionScript();
}

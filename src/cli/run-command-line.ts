import { readVersion } from '../build/read-version.ts';
import { program } from './command-table.ts';
import { type FoundCommand, findCommand } from './parser/find-command.ts';
import { textWidth, writeError, writeOutput } from './terminal.ts';

const programName = 'lectern';

/** The hidden flag by which the script of `lectern completion`, which is yargs' own, asks the program. */
const completionFlag = '--get-yargs-completions';

/**
 * Finds the command a command line names, loads it and nothing else, and runs it with what yargs reads for it.
 * @returns the exit code of what did not fail: 0, or 2 where nothing was asked for
 * @throws USAGE for anything it does not understand, exit code 2, and what the command throws
 */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const [first, ...rest] = argv;
  if (first === completionFlag) {
    const { complete } = await import('./parser/create-parser.ts');
    const answers = await complete(programName, program, rest.slice(1));
    writeOutput(answers.map((answer) => `${answer}\n`).join(''));
    return 0;
  }
  const switches = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  if (switches.includes('--version') || switches.includes('-v')) {
    writeOutput(`${await readVersion()}\n`);
    return 0;
  }
  const found = await findCommand(programName, program, first === 'help' ? rest : argv);
  if (first === 'help' || switches.includes('--help') || switches.includes('-h')) {
    writeOutput(await explain(found));
    return 0;
  }
  if (argv.length === 0) {
    writeError(await explain(found));
    return 2;
  }
  // The parser takes longer to load than a mistyped command to be noticed.
  const { parseValues } = await import('./parser/parse-values.ts');
  await found.command.run(await parseValues(found));
  return 0;
}

async function explain(found: FoundCommand): Promise<string> {
  const { createParser } = await import('./parser/create-parser.ts');
  return `${await createParser(found, textWidth()).getHelp()}\n`;
}

import { readVersion } from '../build/read-version.ts';
import { LecternError } from '../foundation/errors.ts';
import { handleSignals } from './interrupt.ts';
import type { FoundCommand } from './parser/command.ts';
import {
  ignoreClosedPipes,
  isTerminal,
  terminalColumns,
  textWidth,
  writeError,
  writeOutput,
  writePainted,
} from './terminal.ts';

const programName = 'lectern';

/** The hidden flag by which the script of `lectern completion`, which is yargs' own, asks the program. */
const completionFlag = '--get-yargs-completions';

/**
 * Runs the program for a command line (without node and script).
 * @returns the exit code: 0 done, 1 the run failed, 2 the command line or configuration is wrong, above 128 stopped by a
 * signal
 */
export async function run(argv: readonly string[]): Promise<number> {
  const signals = handleSignals();
  ignoreClosedPipes();
  try {
    return await runCommandLine(argv);
  } catch (thrown) {
    const { explainFileFault } = await import('./format-error.ts');
    const error = explainFileFault(thrown);
    const json = argv.includes('--json');
    const github = process.env.GITHUB_ACTIONS === 'true';
    if (isUsageError(error)) await reportUsageError(error, argv);
    const width = isTerminal('stderr') ? terminalColumns('stderr') : null;
    const { formatError } = await import('./format-error.ts');
    writePainted('stderr', (paint) => formatError(error, { json, github, paint, width }));
    const exitCode = error instanceof LecternError ? error.exitCode : 1;
    return signals.exitCode() ?? exitCode;
  } finally {
    signals.remove();
  }
}

/**
 * Finds the command a command line names, loads it and nothing else, and runs it with what yargs reads for it.
 * @returns the exit code of what did not fail: 0, or 2 where nothing was asked for
 * @throws USAGE for anything it does not understand, exit code 2, and what the command throws
 */
async function runCommandLine(argv: readonly string[]): Promise<number> {
  const [first, ...rest] = argv;
  const switches = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  // The table of commands takes longer to load than to answer this.
  if (first !== completionFlag && (switches.includes('--version') || switches.includes('-v'))) {
    writeOutput(`${await readVersion()}\n`);
    return 0;
  }
  const { program } = await import('./command-table.ts');
  if (first === completionFlag) {
    const { complete } = await import('./parser/parse-values.ts');
    const answers = await complete(programName, program, rest.slice(1));
    writeOutput(answers.map((answer) => `${answer}\n`).join(''));
    return 0;
  }
  const { findCommand } = await import('./parser/command.ts');
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
  const { createParser } = await import('./parser/parse-values.ts');
  return `${await createParser(found, textWidth()).getHelp()}\n`;
}

function isUsageError(error: unknown): boolean {
  return error instanceof LecternError && error.code === 'USAGE';
}

/** A build whose command line is wrong never started, but a job that reads its report must not find an older one. */
async function reportUsageError(error: unknown, argv: readonly string[]): Promise<void> {
  const { findReportFlags, reportFailure } = await import('./reports/write-reports.ts');
  const files = findReportFlags(argv);
  if (files === null) return;
  await reportFailure(
    { error, out: null, problems: [] },
    {
      files,
      folder: process.cwd(),
      json: argv.includes('--json'),
      environment: process.env,
      writeOutput,
      writeError,
    },
  );
}

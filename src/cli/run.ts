import { LecternError, messageOf } from '../core/errors.ts';
import { readVersion } from '../core/file-system.ts';
import { handleSignals } from './interrupt.ts';
import {
  ignoreClosedPipes,
  isTerminal,
  terminalColumns,
  textWidth,
  writeError,
  writeOutput,
  writePainted,
} from './terminal.ts';

/** The hidden flag with which the script of `lectern completion` calls the program. */
const completionFlag = '--get-completions';

/**
 * Runs the program for a command line (without node and script).
 * @returns the exit code: 0 success, 1 the run failed, 2 the command line or configuration is wrong, above 128 stopped by a signal
 */
export async function run(argv: readonly string[]): Promise<number> {
  const signals = handleSignals();
  process.once('exit', reportEarlyExit);
  ignoreClosedPipes();
  try {
    return await runCommandLine(argv);
  } catch (thrown) {
    const formatting = await import('./format-error.ts').catch(() => null);
    if (formatting === null) {
      // Without free file descriptors, nothing more can be loaded.
      writeError(
        `error PATH_UNUSABLE: ${messageOf(thrown)}\nhint: raise the limit of open files (ulimit -n)\n`,
      );
      return 1;
    }
    const { formatError } = formatting;
    const json = argv.includes('--json');
    const github = process.env.GITHUB_ACTIONS === 'true';
    if (isUsageError(thrown)) await reportUsageError(thrown, argv);
    const width = isTerminal('stderr') ? terminalColumns('stderr') : null;
    writePainted('stderr', (paint) => formatError(thrown, { json, github, paint, width }));
    const exitCode = thrown instanceof LecternError ? thrown.exitCode : 1;
    return signals.exitCode() ?? exitCode;
  } finally {
    process.off('exit', reportEarlyExit);
    signals.remove();
  }
}

/** A configuration file or a template may end the program, or wait for something that never comes: nothing is done then. */
function reportEarlyExit(code: number): void {
  // Node ends with 13 if a promise at the top level of a module cannot be settled by anything that still runs.
  if (code !== 0 && code !== 13) return;
  writeError(
    'error INTERRUPTED: the program ended before its work was done\nhint: a configuration file or a template called process.exit, or waits for ever\n',
  );
  process.exitCode = 1;
}

/**
 * Reads a command line, and runs the command that it names.
 * @returns the exit code if nothing failed: 0, or 2 if no command was given
 * @throws USAGE (exit code 2) for an invalid command line, and errors of the command
 */
async function runCommandLine(argv: readonly string[]): Promise<number> {
  const [first, ...rest] = argv;
  // Loading the parser takes longer than this answer.
  if (first === '-v' || (first !== completionFlag && argv.includes('--version'))) {
    writeOutput(`${readVersion()}\n`);
    return 0;
  }
  const { program } = await import('./command-table.ts');
  if (first === completionFlag) {
    const { complete } = await import('./complete.ts');
    const answers = await complete(program.commands, rest);
    writeOutput(answers.map((answer) => `${answer}\n`).join(''));
    return 0;
  }
  const { parseCommandLine } = await import('./parse-command-line.ts');
  const isEmpty = argv.length === 0;
  const request = await parseCommandLine(program, isEmpty ? ['--help'] : argv, textWidth());
  if (request.kind === 'help') {
    if (isEmpty) writeError(request.text);
    else writeOutput(request.text);
    return isEmpty ? 2 : 0;
  }
  await request.command.run(request.values);
  return 0;
}

function isUsageError(error: unknown): boolean {
  return error instanceof LecternError && error.code === 'USAGE';
}

/** With an invalid command line the build does not start, but a job that reads its report must not find an older one. */
async function reportUsageError(error: unknown, argv: readonly string[]): Promise<void> {
  const { program } = await import('./command-table.ts');
  const names = program.commands.map(({ usage }) => usage.split(' ')[0]);
  const name = argv.find((word) => names.includes(word));
  if (name !== 'build' && name !== 'feed') return;
  const { findReportFlag, reportFailure } = await import('./reports/write-report.ts');
  await reportFailure({ error, out: null, problems: [] }, findReportFlag(argv), argv.includes('--json'));
}

import { readVersion } from '../build/read-version.ts';
import { LecternError } from '../foundation/errors.ts';
import { handleSignals } from './interrupt.ts';
import {
  ignoreClosedPipes,
  isTerminal,
  terminalColumns,
  writeError,
  writeOutput,
  writePainted,
} from './terminal.ts';

/**
 * Runs the program for a command line (without node and script).
 * @returns the exit code: 0 done, 1 the run failed, 2 the command line or configuration is wrong, above 128 stopped by a
 * signal
 */
export async function run(argv: readonly string[]): Promise<number> {
  const signals = handleSignals();
  ignoreClosedPipes();
  try {
    // The table of commands takes longer to load than to answer this.
    if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v')) {
      writeOutput(`${await readVersion()}\n`);
      return 0;
    }
    const { runCommandLine } = await import('./run-command-line.ts');
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

function isUsageError(error: unknown): boolean {
  return error instanceof LecternError && error.code === 'USAGE';
}

/** A build whose command line is wrong never started, but a job that reads its report must not find an older one. */
async function reportUsageError(error: unknown, argv: readonly string[]): Promise<void> {
  const { findReportFlags } = await import('./reports/report-failure.ts');
  const files = findReportFlags(argv);
  if (files === null) return;
  const { reportFailure } = await import('./reports/report-failure.ts');
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

import type { ReportFiles } from './write-reports.ts';

/**
 * The reports a command line asks for that could not be understood as a whole; `null` where it is not one of
 * `lectern build`.
 */
export function findReportFlags(argv: readonly string[]): ReportFiles | null {
  if (!argv.includes('build')) return null;
  return {
    report: valueOfFlag('--report', argv),
    changedFiles: valueOfFlag('--changed-files', argv),
    gitlab: valueOfFlag('--gitlab-report', argv),
    junit: valueOfFlag('--junit-report', argv),
  };
}

/** `--name VALUE` or `--name=VALUE`. */
function valueOfFlag(name: string, argv: readonly string[]): string | undefined {
  const index = argv.findIndex((word) => word === name || word.startsWith(`${name}=`));
  if (index < 0) return undefined;
  const word = argv[index] === name ? argv[index + 1] : argv[index]?.slice(name.length + 1);
  return word === undefined || word === '' || word.startsWith('-') ? undefined : word;
}

import type { ReportedProblem } from '../core/report.ts';
import { formatProblems } from './format-report.ts';
import { textWidth, writePainted } from './terminal.ts';

/**
 * Prints problems as the summary of a build does.
 * @param isVerbose whether every problem is shown, also those for information
 */
export function printProblems(
  stream: 'stdout' | 'stderr',
  problems: readonly ReportedProblem[],
  isVerbose = false,
): void {
  const relevant = problems.filter(({ severity }) => isVerbose || severity !== 'info');
  writePainted(stream, (paint) =>
    formatProblems(relevant, { width: textWidth(), paint, isVerbose })
      .map((line) => `${line}\n`)
      .join(''),
  );
}

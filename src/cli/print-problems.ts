import type { ReportedProblem } from '../core/report.ts';
import { formatProblems } from './format-report.ts';
import { textWidth, writePainted } from './terminal.ts';

/**
 * Prints problems as the summary of a build does.
 * @param rest sentence that says where all problems are
 * @param isVerbose whether every problem is shown, also those for information
 */
export function printProblems(
  stream: 'stdout' | 'stderr',
  problems: readonly ReportedProblem[],
  rest: string,
  isVerbose = false,
): void {
  const relevant = problems.filter(({ severity }) => isVerbose || severity !== 'info');
  writePainted(stream, (paint) =>
    formatProblems(relevant, { width: textWidth(), paint, isVerbose, rest })
      .map((line) => `${line}\n`)
      .join(''),
  );
}

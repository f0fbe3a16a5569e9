import type { ReportedProblem } from '../core/report.ts';
import { formatProblems } from './format-report.ts';
import { textWidth, writePainted } from './terminal.ts';

/** Prints errors and warnings as the summary of a build does. */
export function printProblems(stream: 'stdout' | 'stderr', problems: readonly ReportedProblem[]): void {
  writePainted(stream, (paint) =>
    formatProblems(problems, textWidth(), paint)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

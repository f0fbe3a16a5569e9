import type { RunReport } from '../../foundation/report.ts';

/**
 * One line per file that differs from the replaced output: `A`, `M` or `D`, a tab, the path (as `git diff --name-status`);
 * none of a run that failed.
 */
export function formatChangedFiles(report: RunReport): string {
  if (report.error !== null || report.changedFiles === null) return '';
  const { added, changed, removed } = report.changedFiles;
  const lines = [
    ...added.map((path) => `A\t${path}`),
    ...changed.map((path) => `M\t${path}`),
    ...removed.map((path) => `D\t${path}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

import type { BuildReport } from '../../report.ts';

/** One line per file that differs from the replaced output: `A`, `M` or `D`, a tab, the path (as `git diff --name-status`). */
export function formatChangedFiles({ changedFiles }: BuildReport): string {
  if (changedFiles === null) return '';
  const { added, changed, removed } = changedFiles;
  const lines = [
    ...added.map((path) => `A\t${path}`),
    ...changed.map((path) => `M\t${path}`),
    ...removed.map((path) => `D\t${path}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

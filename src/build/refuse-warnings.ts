import { countProblems } from '../foundation/count-of.ts';
import { LecternError } from '../foundation/errors.ts';
import { countSeverities } from '../foundation/problems.ts';
import type { BuildReport } from '../foundation/report.ts';

/**
 * Fails a strict run with errors or warnings.
 * @throws STRICT
 */
export function refuseWarnings(report: BuildReport): void {
  const { error, warning } = countSeverities(report.problems);
  if (error + warning === 0) return;
  const found = countProblems({ error, warning, info: 0 });
  throw new LecternError('STRICT', `${found} found in --strict mode`, {
    hint: 'fix the problems in the report (--report FILE lists all), or run without --strict',
  });
}

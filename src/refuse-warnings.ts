import { LecternError } from './errors.ts';
import { countSeverities } from './problems.ts';
import type { BuildReport } from './report.ts';

/**
 * Fails a strict run that has something to mend.
 * @throws STRICT
 */
export function refuseWarnings(report: BuildReport): void {
  const { error, warning } = countSeverities(report.problems);
  if (error + warning === 0) return;
  throw new LecternError('STRICT', `${error} errors and ${warning} warnings in a strict run`, {
    hint: 'mend what the report lists (--report FILE), or leave out --strict',
  });
}

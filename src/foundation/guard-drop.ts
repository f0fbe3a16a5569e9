import { countOf } from './count-of.ts';
import { LecternError } from './errors.ts';

/** A count that must not fall far. */
export interface GuardedCount {
  /** Name of the counted thing in the singular, e.g. `article`. */
  readonly noun: string;
  /** The language it is counted in; `null`: all. */
  readonly language: string | null;
  readonly before: number;
  readonly now: number;
  /** When it was `before`, e.g. `in the last snapshot`. */
  readonly when: string;
}

/**
 * Stops a run in which a count fell by more than `maxDropPercent`: that is more often a fault of the server or of the
 * configuration than intended.
 * @throws MASS_DELETE
 */
export function guardDrop(
  { noun, language, before, now, when }: GuardedCount,
  maxDropPercent: number,
  hint = 'nothing was published; if this is intended, pass --allow-mass-delete once, else check key, base URL and languages',
): void {
  if ((before - now) * 100 <= before * maxDropPercent) return;
  const drop = `a drop of more than ${maxDropPercent}%`;
  const what = `${countOf(now, noun)}${language === null ? '' : ` in ${language}`}`;
  const from = before.toLocaleString('en');
  throw new LecternError('MASS_DELETE', `${what}, down from ${from} ${when}: ${drop}`, { hint });
}

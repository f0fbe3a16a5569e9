import { countOf } from './count-of.ts';
import { LecternError } from './errors.ts';

/** A count that must not drop much. */
interface GuardedCount {
  /** Singular name of the counted thing, e.g. `article`. */
  readonly noun: string;
  /** The language in which it is counted; `null`: all. */
  readonly language: string | null;
  readonly before: number;
  readonly now: number;
  /** Loss that never stops a run in which something remains; default 1. */
  readonly few?: number;
  /** Time of the count `before`, e.g. `in the last snapshot`. */
  readonly when: string;
}

/**
 * Stops a run if a count dropped by more than `maxDropPercent`: an error of the server or the configuration is more likely than intention.
 * One article may always go if others remain, because in a small help centre it is more than any percentage; `0` percent allows no loss.
 * @throws MASS_DELETE
 */
export function guardDrop(
  { noun, language, before, now, when, few = 1 }: GuardedCount,
  maxDropPercent: number,
  hint = 'nothing was published; if this is intended, pass --allow-mass-delete once, else check key, base URL and languages, or the files of the folder',
): void {
  const lost = before - now;
  if (lost * 100 <= before * maxDropPercent) return;
  if (lost <= few && now > 0 && maxDropPercent > 0) return;
  const drop = `a drop of more than ${maxDropPercent}%`;
  const what = `${countOf(now, noun)}${language === null ? '' : ` in ${language}`}`;
  const from = before.toLocaleString('en');
  throw new LecternError('MASS_DELETE', `${what}, down from ${from} ${when}: ${drop}`, { hint });
}

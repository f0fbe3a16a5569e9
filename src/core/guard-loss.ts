import { countOf } from './count-of.ts';
import { LecternError } from './errors.ts';
import { languageKey } from './language.ts';
import type { LanguageTag } from './model.ts';

/** Numbers of articles or documents. */
interface LossCounts {
  readonly total: number;
  /** By language; absent: only the total is compared. */
  readonly languages?: ReadonlyMap<LanguageTag, number>;
}

/** Largest loss that a run accepts, unless its settings say another. */
export const usualDropPercent = 20;

interface LossGuard {
  /** Singular name of the counted things, e.g. `article`. */
  readonly noun: string;
  /** Singular name of what the total counts; absent: `noun`. */
  readonly totalNoun?: string;
  /** When `before` was counted, e.g. `in the last snapshot`. */
  readonly when: string;
  /** Largest accepted loss, in total and per language; 0 allows no loss; absent: `usualDropPercent`. */
  readonly maxDropPercent?: number;
  /** Loss of the total that never stops a run in which something remains; absent: 1. */
  readonly few?: number;
  readonly hint?: string;
  /** Names of what would go, such as titles; the message shows the first ones. */
  readonly lost?: () => readonly string[];
}

const defaultHint =
  'nothing was published; if this is intended, pass --allow-mass-delete once, else check key, base URL and languages, or the files of the folder';

/**
 * Stops a run if the total, or the count of a language, dropped by more than `maxDropPercent`: an error of the server or the configuration is
 * more likely than intention. One article may always go if others remain, because in a small help centre it is more than any percentage.
 * @throws MASS_DELETE
 */
export function guardLoss(before: LossCounts, now: LossCounts, guard: LossGuard): void {
  const { noun, totalNoun = noun, when, few = 1, maxDropPercent = usualDropPercent } = guard;
  const refuse = (counted: string, from: number): never => {
    const drop = `a drop of more than ${maxDropPercent}%`;
    throw stop(`${counted}, down from ${from.toLocaleString('en')} ${when}: ${drop}`, guard);
  };
  if (isLoss(before.total, now.total, few, maxDropPercent)) {
    refuse(countOf(now.total, totalNoun), before.total);
  }
  const left = foldLanguages(now.languages);
  for (const [key, { language, count }] of foldLanguages(before.languages)) {
    const rest = left.get(key)?.count ?? 0;
    if (isLoss(count, rest, 1, maxDropPercent)) refuse(`${countOf(rest, noun)} in ${language}`, count);
  }
}

/**
 * Stops a run in which nothing is left of what was there before, however much there is now: it is probably of another site.
 * @param before number of things before
 * @param others how many there are now; absent: unknown
 * @throws MASS_DELETE
 */
export function guardReplaced(before: number, isAnyLeft: boolean, guard: LossGuard, others?: number): void {
  if (isAnyLeft || before < 2 || guard.maxDropPercent === 100) return;
  const replaced = others === undefined ? '' : `, and ${countOf(others, 'other')} would replace them`;
  throw stop(`none of the ${countOf(before, guard.noun)} ${guard.when} is left${replaced}`, guard);
}

function isLoss(before: number, now: number, few: number, maxDropPercent: number): boolean {
  const lost = before - now;
  if (lost * 100 <= before * maxDropPercent) return false;
  return !(lost <= few && now > 0 && maxDropPercent > 0);
}

function stop(message: string, { hint = defaultHint, lost }: LossGuard): LecternError {
  const names = lost?.() ?? [];
  const shown = names.slice(0, shownNames).map((name) => `\n  ${name}`);
  const more = names.length > shownNames ? `\n  and ${names.length - shownNames} more` : '';
  return new LecternError('MASS_DELETE', `${message}${shown.join('')}${more}`, { hint });
}

/** Names of lost things in the message. */
const shownNames = 10;

/** The count of each language under its key: another spelling of a language is not a loss. */
function foldLanguages(
  counts: LossCounts['languages'] = new Map(),
): ReadonlyMap<string, { readonly language: LanguageTag; readonly count: number }> {
  const folded = new Map<string, { readonly language: LanguageTag; readonly count: number }>();
  for (const [language, count] of counts) {
    const key = languageKey(language);
    const known = folded.get(key);
    folded.set(key, { language: known?.language ?? language, count: (known?.count ?? 0) + count });
  }
  return folded;
}

/** The counts of things of which each has one language. */
export function sumLanguages(languages: ReadonlyMap<LanguageTag, number>): Required<LossCounts> {
  return { total: [...languages.values()].reduce((sum, count) => sum + count, 0), languages };
}

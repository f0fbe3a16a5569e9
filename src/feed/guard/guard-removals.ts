import { countOf } from '../../core/count-of.ts';
import { LecternError } from '../../core/errors.ts';
import { guardLoss, guardReplaced, sumLanguages } from '../../core/guard-loss.ts';
import type { LanguageTag } from '../../core/model.ts';
import type { Manifest } from '../read/manifest.ts';

/** Documents that a run publishes, by language. */
export type DocumentCounts = ReadonlyMap<LanguageTag, number>;

const hint =
  'nothing was published; if this is intended, pass --allow-mass-delete once, else check the languages';

const replacedHint =
  'nothing was published; to publish another source beside this site, pass another --out and --cache; to replace the site, pass --allow-mass-delete once; else check the base URL or the folder';

/**
 * Stops a run that publishes nothing, drops a language, has far fewer documents than the previous feed or than one of the last days, or has
 * none of the previous feed: then the source is probably another one. The source stage compares with its snapshot, but a job without a cache
 * has no snapshot, and only the feed knows earlier days.
 * @param changes number of documents that are new, changed or removed, and the URLs of those that are removed
 * @param languages languages that the configuration names; `null`: all languages
 * @param maxDropPercent largest loss of documents that is published, in total and per language
 * @throws NOTHING_TO_PUBLISH, MASS_DELETE
 */
export function guardRemovals(
  previous: Manifest | null,
  documents: DocumentCounts,
  { changes, removed }: { readonly changes: number; readonly removed: readonly string[] },
  languages: readonly LanguageTag[] | null,
  maxDropPercent: number,
): void {
  const now = sumLanguages(documents);
  if (now.total === 0) {
    const where = languages === null ? '' : `: no article is published in ${languages.join(', ')}`;
    throw new LecternError('NOTHING_TO_PUBLISH', `the site would have no articles${where}`, { hint });
  }
  if (previous === null) return;
  for (const { language, documents: count } of previous.languages) {
    if (count === 0 || isNamed(language, languages)) continue;
    const before = `${language} is published (${countOf(count, 'document')})`;
    throw new LecternError('MASS_DELETE', `${before}, but "languages" does not include it`, { hint });
  }
  const last = sumLanguages(
    new Map(previous.languages.map(({ language, documents }) => [language, documents])),
  );
  const guard = { noun: 'document', when: 'in the previous feed', maxDropPercent };
  const lost = (): readonly string[] => removed;
  // Every document is new, and every earlier one is removed: after a change of the source, smaller numbers say nothing.
  const isReplaced = changes === last.total + now.total;
  guardReplaced(last.total, !isReplaced, { ...guard, hint: replacedHint }, now.total);
  // An article is one document in each language.
  guardLoss(last, now, { ...guard, few: last.languages.size, lost });
  for (const { day, languages } of previous.run.recent ?? []) {
    const before = sumLanguages(new Map(Object.entries(languages)));
    guardLoss(before, now, { ...guard, when: `on ${day}`, few: before.languages.size });
  }
}

/** Whether the configuration publishes a language, ignoring case. */
export function isNamed(language: LanguageTag, languages: readonly LanguageTag[] | null): boolean {
  return languages === null || languages.some((name) => name.toLowerCase() === language.toLowerCase());
}

/** Number of past days that a slow loss is compared with. */
const maxRecentDays = 30;

/**
 * The document counts of the last days with a build, for later runs: per day and language the largest.
 * @param previous counts of the previous feed; empty after an accepted loss, which restarts the history
 * @param builtAt ISO 8601; `null`: unknown, so nothing is added
 */
export function addDayCounts(
  previous: Manifest['run']['recent'],
  documents: DocumentCounts,
  builtAt: string | null,
): NonNullable<Manifest['run']['recent']> {
  const recent = previous ?? [];
  if (builtAt === null) return recent;
  const day = builtAt.slice(0, 10);
  const today = { ...recent.find((entry) => entry.day === day)?.languages };
  for (const [language, count] of documents) today[language] = Math.max(today[language] ?? 0, count);
  const others = recent.filter((entry) => entry.day !== day);
  return [...others, { day, languages: today }].slice(-maxRecentDays);
}

import { LecternError } from '../errors.ts';
import type { LanguageTag } from '../model.ts';
import type { RemovalGuard } from './feed-run.ts';
import type { Manifest } from './manifest.ts';

/**
 * Stops a run that would take much out of the previous feed. The source stage compares with its snapshot; a job that
 * lost its cache has none, and the published feed still knows what there was.
 * @throws MASS_DELETE
 */
export function guardRemovals(
  previous: Manifest,
  documents: ReadonlyMap<LanguageTag, number>,
  { maxDropPercent, languages }: RemovalGuard,
): void {
  const wanted = previous.languages.filter(({ language }) => languages?.includes(language) ?? true);
  const nowIn = (language: LanguageTag): number => documents.get(language) ?? 0;
  const before = wanted.reduce((sum, language) => sum + language.documents, 0);
  const now = wanted.reduce((sum, { language }) => sum + nowIn(language), 0);
  checkDrop('documents', before, now, maxDropPercent);
  for (const { language, documents: count } of wanted) {
    checkDrop(`documents in ${language}`, count, nowIn(language), maxDropPercent);
  }
}

function checkDrop(what: string, before: number, now: number, maxDropPercent: number): void {
  if ((before - now) * 100 <= before * maxDropPercent) return;
  throw new LecternError(
    'MASS_DELETE',
    `the feed would hold ${now} ${what}, and the previous one holds ${before}: a loss of more than ${maxDropPercent} %`,
    {
      hint: 'nothing was published; if this is intended, pass --allow-mass-delete once, else check key, base URL and languages',
    },
  );
}

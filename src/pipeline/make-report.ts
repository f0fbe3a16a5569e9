import { countProblems } from '../core/count-of.ts';
import { LecternError } from '../core/errors.ts';
import type { ExclusionReason } from '../core/model.ts';
import { countSeverities, type Problem } from '../core/problems.ts';
import { type BuildReport, countReasons, type ProblemPlace, reportProblems } from '../core/report.ts';
import type { WrittenFile } from '../output/output.ts';
import type { Plan } from '../site/plan/plan.ts';
import type { SkippedTranslation, Source } from '../source/source.ts';
import type { BuildOptions } from './build-options.ts';

/** Results of a run after everything is staged. */
interface RunResult extends Pick<BuildReport, 'out' | 'renderedPages' | 'seq' | 'changes' | 'changedFiles'> {
  readonly plan: Plan;
  /** Whether home pages and pages of categories are made. */
  readonly hasListings: boolean;
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
  readonly hidden: readonly Pick<SkippedTranslation, 'articleId' | 'language'>[];
  /** The file of an article in a language; `null` if there is none. */
  readonly fileOf: Source['fileOf'];
  readonly stats: Pick<Source['stats'], 'listed' | 'unread'>;
  readonly files: Iterable<WrittenFile>;
  readonly problems: readonly Problem[];
  /** A key that is masked if a problem quotes it. */
  readonly apiKey: string | null;
  readonly placeOf: (problem: Problem) => ProblemPlace;
  /** A message without the addresses of hidden records. */
  readonly mask: (message: string) => string;
}

/** Counts what was planned and written. */
export function makeReport({
  plan,
  hasListings,
  excluded,
  hidden,
  fileOf,
  stats,
  files,
  problems,
  ...rest
}: RunResult): BuildReport {
  return {
    schema: 'lectern.report/1',
    error: null,
    out: rest.out,
    languages: plan.languages.map(({ tag, articleIds }) => ({ language: tag, articles: articleIds.length })),
    articles: plan.articles.size,
    categories: plan.categoryPages.size,
    pages: countPages(plan, hasListings),
    renderedPages: rest.renderedPages,
    ...countFiles(files),
    ...coverageOf(stats),
    excluded: countReasons(excluded),
    hiddenTranslations: hidden.length,
    skipped: listSkipped(excluded, hidden, fileOf),
    seq: rest.seq,
    changes: rest.changes,
    changedFiles: rest.changedFiles,
    problems: reportProblems(problems, rest.apiKey, (problem) => {
      const place = rest.placeOf(problem);
      return { ...place, message: rest.mask(place.message ?? problem.message) };
    }),
  };
}

/** What a source has besides what is published. */
export function coverageOf({ listed, unread }: RunResult['stats']): Pick<BuildReport, 'seen' | 'unread'> {
  return { seen: listed, unread };
}

function listSkipped(
  excluded: RunResult['excluded'],
  hidden: RunResult['hidden'],
  fileOf: RunResult['fileOf'],
): BuildReport['skipped'] {
  const skipped = [
    ...Array.from(excluded, ([articleId, reason]) => ({ articleId, language: null, reason })),
    ...hidden.map((one) => ({ ...one, reason: 'hidden-translation' })),
  ].map(({ articleId, language, reason }) => ({
    articleId,
    language,
    file: fileOf(articleId, language),
    reason,
  }));
  const keyOf = ({ reason, file, articleId, language }: BuildReport['skipped'][number]): string =>
    JSON.stringify([reason, file ?? '', articleId, language ?? '']);
  return skipped.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function countFiles(written: Iterable<WrittenFile>): Pick<BuildReport, 'files' | 'bytes'> {
  let files = 0;
  let bytes = 0;
  for (const file of written) {
    files += 1;
    bytes += file.bytes;
  }
  return { files, bytes };
}

/** Home, category and article pages in all languages. */
function countPages(plan: Plan, hasListings: boolean): number {
  const articlePages = plan.languages.reduce((sum, { articleIds }) => sum + articleIds.length, 0);
  if (!hasListings) return articlePages;
  const categoryPages = [...plan.categoryPages.values()].reduce((sum, pages) => sum + pages.size, 0);
  return plan.languages.length + articlePages + categoryPages;
}

/** Passes on the report of a run that is about to end. @throws STRICT if a strict run has errors or warnings */
export async function finishReport(report: BuildReport, { onReport, strict }: BuildOptions): Promise<void> {
  await onReport?.(report);
  if (strict) refuseWarnings(report);
}

function refuseWarnings(report: BuildReport): void {
  const { error, warning } = countSeverities(report.problems);
  if (error + warning === 0) return;
  const found = countProblems({ error, warning, info: 0 });
  throw new LecternError('STRICT', `${found} found in --strict mode`, {
    hint: 'fix the problems in the report (--report FILE lists all of them), or run without --strict',
  });
}

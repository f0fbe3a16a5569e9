import { keyMask } from './errors.ts';
import { countEach } from './group-by.ts';
import type { ExclusionReason } from './model.ts';
import { type Problem, type ProblemCode, problemKinds } from './problems.ts';
import { z } from './schema.ts';

const count = z.int().min(0);
const paths = z.array(z.string()).readonly();
const nullableText = z.string().nullable();

/** A problem with its severity and hint, so that readers of the report need no table. */
const reportedProblem = z.strictObject({
  code: z.enum(Object.keys(problemKinds) as [ProblemCode, ...ProblemCode[]]),
  severity: z.enum(['error', 'warning', 'info']).describe('Errors and warnings fail a --strict run.'),
  message: z.string().describe('One sentence with the offending value in it.'),
  hint: z.string().describe('What to do about it.'),
  articleId: nullableText,
  categoryId: nullableText,
  language: nullableText,
  file: nullableText.describe('File of a folder source, relative to the folder of the configuration.'),
  line: z.int().min(1).nullable().describe('Line of the file, from 1; null if it is not known.'),
  title: nullableText.describe('Title of the article or category, if it is published.'),
  address: nullableText.describe('Where authors find the article in the knowledge base.'),
});

const schemaName = z.literal('lectern.report/1');

const skippedRecord = z.strictObject({
  articleId: z.string(),
  language: nullableText.describe('A hidden translation of a published article; null: the whole article.'),
  file: nullableText.describe('File of a folder source, relative to the folder of the configuration.'),
  reason: z.string().describe('As in excluded, or hidden-translation.'),
});

/** Report of a run: what it published and skipped, and its problems. */
export const reportSchema = z
  .strictObject({
    schema: schemaName,
    error: z.null().describe('Null if the run succeeded.'),
    out: z.string().describe('Absolute path of the output folder.'),
    languages: z.array(z.strictObject({ language: z.string(), articles: count })).readonly(),
    articles: count,
    categories: count,
    pages: count.describe('Home, category and article pages in all languages.'),
    renderedPages: count.describe(
      'Article pages that were rendered; the others are reused from the last build.',
    ),
    files: count,
    bytes: count,
    seen: count.describe('Articles that the source has, in any state.'),
    unread: z
      .record(z.string(), count)
      .describe('Files of the source that look like pages and were not read, by a pattern of their paths.'),
    excluded: z
      .record(z.string(), count)
      .describe('Records of the knowledge base that are not published, counted by reason.'),
    hiddenTranslations: count.describe('Translations of published articles that are drafts or not live.'),
    skipped: z
      .array(skippedRecord)
      .readonly()
      .describe('The articles and translations that excluded and hiddenTranslations count, by reason.'),
    seq: count.describe('Number of the feed run in the output; 1 for the first build.'),
    changes: count.describe('Pages that are new, changed, moved or removed since the previous run.'),
    changedFiles: z
      .strictObject({ added: paths, changed: paths, removed: paths })
      .nullable()
      .describe('Files that differ from the replaced output, relative to it; null unless requested.'),
    problems: z
      .array(reportedProblem)
      .readonly()
      .describe('Errors first, then warnings, then by file and line or by record.'),
  })
  .readonly();

/** Report of a failed run; the output is unchanged. */
export const failedReportSchema = z
  .strictObject({
    schema: schemaName,
    error: z
      .strictObject({
        code: z.string().describe('Permanent; docs/problems.md explains each. BUG is a defect of Lectern.'),
        message: z.string().describe('One sentence with the offending value in it.'),
        hint: z.string().describe('What to do about it.'),
      })
      .readonly()
      .describe('Why the run failed.'),
    out: nullableText.describe(
      'Absolute path of the output folder, which is unchanged; null if the run failed before it was known.',
    ),
    problems: z.array(reportedProblem).readonly().describe('Problems found before the run failed.'),
  })
  .readonly();

/** Schema of `--report`: one shape for a successful and one for a failed run, distinguished by `error`. */
export const runReportSchema = z.union([reportSchema, failedReportSchema]);

export type FailedReport = z.output<typeof failedReportSchema>;
export type RunReport = z.output<typeof runReportSchema>;
export type BuildReport = z.output<typeof reportSchema>;
export type ReportedProblem = Readonly<z.output<typeof reportedProblem>>;

/** Where the author finds what a problem is about; `message` if it can be said in the words of that place. */
export type ProblemPlace = Pick<ReportedProblem, 'file' | 'line' | 'title' | 'address'> &
  Partial<Pick<ReportedProblem, 'message'>>;

function ownPlace({ file, line }: Problem): ProblemPlace {
  return { file, line, title: null, address: null };
}

/**
 * Adds severity, hint and place, merges repetitions and sorts, so that the order is deterministic.
 * @param apiKey is masked, because messages may quote it from records and responses
 * @param placeOf finds the place of a problem that does not name it
 */
export function reportProblems(
  problems: readonly Problem[],
  apiKey: string | null = null,
  placeOf: (problem: Problem) => ProblemPlace = ownPlace,
): readonly ReportedProblem[] {
  const placed = problems.map((problem) => ({ ...problem, ...placeOf(problem) }));
  const mask = keyMask(apiKey);
  const distinct = new Map(placed.map((problem) => [sortKey(problem), problem]));
  return [...distinct]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, problem]) => ({
      ...problem,
      message: mask(problem.message),
      ...problemKinds[problem.code],
    }));
}

/** Number of records by reason, in alphabetical order. */
export function countReasons(excluded: ReadonlyMap<string, ExclusionReason>): Record<string, number> {
  return Object.fromEntries(countEach([...excluded.values()].sort()));
}

const rank = { error: '0', warning: '1', info: '2' } as const;

function sortKey(problem: Problem): string {
  return JSON.stringify([
    rank[problemKinds[problem.code].severity],
    problem.file ?? '',
    String(problem.line ?? 0).padStart(8, '0'),
    problem.articleId ?? '',
    problem.categoryId ?? '',
    problem.language ?? '',
    problem.code,
    problem.message,
  ]);
}

/** Progress of a fetch; `total` is `null` if unknown. For articles, it is the number of the last run. */
export interface Progress {
  readonly kind: 'articles' | 'bodies' | 'categories' | 'statistics';
  readonly done: number;
  readonly total: number | null;
}

/** Progress of a run; `total` is `null` if unknown. */
export type BuildProgress =
  | Progress
  | { readonly kind: 'rendering' | 'writing'; readonly done: number; readonly total: number | null };

import { problem } from '../../../src/core/problems.ts';
import { type BuildReport, reportProblems } from '../../../src/core/report.ts';

/** A report with a value in every part. */
export function sampleReport(changes: Partial<BuildReport> = {}): BuildReport {
  return {
    schema: 'lectern.report/1',
    error: null,
    out: '/work/dist',
    languages: [
      { language: 'en', articles: 21 },
      { language: 'ar', articles: 1 },
    ],
    articles: 21,
    categories: 4,
    pages: 1234,
    renderedPages: 1234,
    files: 2,
    bytes: 1_250_000,
    hiddenTranslations: 0,
    seen: 24,
    unread: {},
    excluded: { draft: 1, private: 2 },
    skipped: [
      { articleId: 'd', language: null, file: 'docs/d.md', reason: 'draft' },
      { articleId: 'p', language: null, file: null, reason: 'private' },
      { articleId: 'q', language: null, file: null, reason: 'private' },
    ],
    seq: 2,
    changes: 3,
    changedFiles: null,
    problems: reportProblems([
      problem('CATEGORY_EMPTY', 'category c has no public article', { categoryId: 'c' }),
      problem('LINK_BROKEN', 'the link "/article/x" leads nowhere', { articleId: 'a', language: 'en' }),
      problem('LINK_BROKEN', 'the link "/article/y" leads nowhere', { articleId: 'a', language: 'ar' }),
      problem('ID_INVALID', 'the record at 4 has the id "<b>|%"'),
    ]),
    ...changes,
  };
}

import { describe, expect, it } from 'vitest';
import { formatSummary } from '../../src/cli/format-report.ts';
import { createPaint } from '../../src/cli/terminal.ts';
import { problem } from '../../src/core/problems.ts';
import { reportProblems } from '../../src/core/report.ts';
import { sampleReport } from './support/sample-report.ts';

const layout = {
  folder: '/work',
  width: 80,
  paint: createPaint({ isTTY: false }, {}),
  isUpToDate: false,
  isVerbose: false,
  preview: null,
  rest: 'lectern build --verbose lists all of them, --report FILE writes them to a file.',
};

describe('formatSummary', () => {
  it('lists published, skipped and changed articles, problems with hints, and the output, in 80 columns', () => {
    const text = formatSummary(sampleReport(), layout);
    expect(text).toMatchInlineSnapshot(`
      "Published 21 articles in 2 languages: 2 files, 1.3 MB
                en 21, ar 1
      Source    24 articles: 21 published, 3 skipped
      Skipped   1 draft: docs/d.md
                2 private: p, q
      Changed   3 article pages since the last build
      Problems  1 error, 2 warnings, 1 info
        ID_INVALID      1 error
        LINK_BROKEN     2 warnings
        CATEGORY_EMPTY  1 info
        error ID_INVALID
          general
            the record at 4 has the id "<b>|%"
          → The record was skipped. Ids of articles are ten letters or digits, those
            of categories up to 64 letters, digits, hyphens or underscores.
        warning LINK_BROKEN
          article a (ar)
            the link "/article/y" leads nowhere
          article a (en)
            the link "/article/x" leads nowhere
          → The link leads to nothing that can be published. Correct its URL.
        lectern build --verbose lists all of them, --report FILE writes them to a
        file.
      Output    dist
      "
    `);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('says what nobody read, also if everything that was read is published', () => {
    const unread = { '_posts/**': 4720, '*.rst': 3 };
    expect(formatSummary(sampleReport({ articles: 2, seen: 2, unread }), layout)).toContain(
      'Source    2 articles: all published. Not read: 4,723 files (4,720 _posts/**, 3\n          *.rst)\n',
    );
  });

  it('counts syntax of generators over all pages, before other problems', () => {
    const left = (articleId: string, message: string) => problem('MARKUP_UNKNOWN', message, { articleId });
    const problems = [
      left('a', '577 × <RuleLinks>'),
      left('a', '2 × :::note'),
      left('b', '3 × <RuleLinks>'),
      problem('COMMENT_REMOVED', 'a comment without an end is not published', { articleId: 'b' }),
    ];
    const text = formatSummary({ ...sampleReport(), problems: reportProblems(problems) }, layout);
    expect(text.slice(text.indexOf('Problems'), text.indexOf('Output'))).toMatchInlineSnapshot(`
      "Problems  4 warnings
        MARKUP_UNKNOWN   3 warnings
        COMMENT_REMOVED  1 warning
        warning MARKUP_UNKNOWN
          in the text of 2 pages
            580 × <RuleLinks>, 2 × :::note
          → It is published as it is written. Write it in Markdown or HTML, or build
            the site with its generator and read the result (--source site:DIR).
        warning COMMENT_REMOVED
          article b
            a comment without an end is not published
          → It is treated as a comment for writers, which is not published. Close the
            comment, or write the text as code if readers need it.
        lectern build --verbose lists all of them, --report FILE writes them to a
        file.
      "
    `);
  });

  it('shows readable URLs', () => {
    const address = `/ar/article/x-${encodeURIComponent('الدفع')}/`;
    const problems = [problem('LINK_BROKEN', `the link "${address}" leads nowhere`, { articleId: 'a' })];
    const text = formatSummary({ ...sampleReport(), problems: reportProblems(problems, null) }, layout);
    expect(text).toContain('      the link "/ar/article/x-الدفع/" leads nowhere\n');
  });

  it('names the first build, and uses the singular for one', () => {
    const report = sampleReport({
      seq: 1,
      changes: 1,
      articles: 1,
      skipped: [],
    });
    const text = formatSummary({ ...report, problems: [] }, layout);
    expect(text).toContain('Published 1 article in 2 languages');
    expect(text).not.toContain('Skipped');
    expect(text).toContain('Changed   1 article page (first build)\n');
    expect(text).not.toContain('Problems');
  });

  it('names up to five skipped articles for each reason, and hidden translations, in 80 columns', () => {
    const drafts = Array.from({ length: 7 }, (_, index) => ({
      ...{ articleId: `a${index}`, language: null, reason: 'draft' },
      file: `docs/a-long-folder-name/page-${index}.md`,
    }));
    const other = { file: null, language: null, articleId: 'x' };
    const text = formatSummary(
      sampleReport({
        skipped: [
          ...drafts,
          { ...other, reason: 'gone' },
          { ...other, reason: 'no-content' },
          { ...other, language: 'de', reason: 'hidden-translation' },
        ],
      }),
      layout,
    );
    expect(text.slice(text.indexOf('Skipped'), text.indexOf('Changed'))).toMatchInlineSnapshot(`
      "Skipped   7 drafts: docs/a-long-folder-name/page-0.md,
                docs/a-long-folder-name/page-1.md, docs/a-long-folder-name/page-2.md,
                docs/a-long-folder-name/page-3.md, docs/a-long-folder-name/page-4.md
                and 2 more
                1 deleted during the build: x
                1 with no content: x
                1 hidden translation: x (de)
      "
    `);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('counts the changed files when they were compared', () => {
    const changedFiles = { added: ['a', 'b'], changed: ['c'], removed: [] };
    expect(formatSummary(sampleReport({ changedFiles }), layout)).toContain(
      'files: 2 added, 1 changed, 0 removed',
    );
  });

  it('shows the first problems of many, and how many more there are', () => {
    const problems = Array.from({ length: 100 }, (_, index) =>
      problem('LINK_BROKEN', `link ${index}`, { articleId: `a${index % 20}` }),
    );
    const text = formatSummary(sampleReport({ problems: reportProblems(problems) }), layout);
    expect(text).toContain('    … and 97 more\n');
    expect(text).toContain('  lectern build --verbose lists all of them');
    expect(text.split('\n').length).toBeLessThan(30);
    const all = formatSummary(sampleReport({ problems: reportProblems(problems) }), {
      ...layout,
      isVerbose: true,
    });
    for (let index = 0; index < 100; index += 1) expect(all).toContain(`      link ${index}\n`);
    expect(all).not.toContain('--verbose');
  });

  it('colours on a terminal alone, and never against NO_COLOR', () => {
    const colored = (isTTY: boolean, environment: Record<string, string>) =>
      formatSummary(sampleReport(), { ...layout, paint: createPaint({ isTTY }, environment) }).includes(
        '\x1b[',
      );
    expect(colored(true, {})).toBe(true);
    expect(colored(true, { NO_COLOR: '1' })).toBe(false);
    expect(colored(true, { TERM: 'dumb' })).toBe(false);
    expect(colored(false, {})).toBe(false);
  });
});

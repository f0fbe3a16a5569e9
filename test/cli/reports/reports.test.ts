import { describe, expect, it } from 'vitest';
import {
  formatGithubAnnotations,
  formatGithubSummary,
  pathInRepository,
} from '../../../src/cli/reports/github.ts';
import { problem } from '../../../src/core/problems.ts';
import { reportProblems, runReportSchema } from '../../../src/core/report.ts';
import { sampleReport } from '../support/sample-report.ts';

const report = sampleReport();

const failed = {
  schema: 'lectern.report/1',
  error: {
    code: 'MASS_DELETE',
    message: 'the list holds 3 <b>|articles',
    hint: 'pass --allow-mass-delete if that is right',
  },
  out: '/work/dist',
  problems: reportProblems([
    problem('VISIBILITY_UNKNOWN', 'is_private is "x"', { articleId: 'a' }),
    ...Array.from({ length: 12 }, (_, index) => problem('ID_INVALID', `id ${index}`)),
  ]),
} as const;

describe('the reports of a folder', () => {
  const problems = reportProblems(
    [
      problem('LINK_BROKEN', 'the link "x.md" leads nowhere', { articleId: 'a', language: 'en' }),
      problem('FILE_SKIPPED', 'b.md is odd', { file: 'docs/50%,b:c.md', line: 2 }),
    ],
    null,
    ({ file, line }) => ({ file: file ?? 'docs/a.md', line: line ?? 7, title: 'A', address: null }),
  );
  const ofFolder = sampleReport({ problems });

  it('name file and line to GitHub, relative to the repository', () => {
    const inRepository = (file: string) => pathInRepository(file, '/work/help', '/work');
    expect(formatGithubAnnotations(ofFolder, inRepository)).toMatchInlineSnapshot(`
      "::error file=help/docs/50%25%2Cb%3Ac.md,line=2,title=FILE_SKIPPED::docs/50%25,b:c.md:2: b.md is odd%0AIts page is not published. Correct the file, or put an underscore before its name if it is not a page.
      ::warning file=help/docs/a.md,line=7,title=LINK_BROKEN::docs/a.md:7 (en): the link "x.md" leads nowhere%0AThe link leads to nothing that can be published. Correct its URL.
      "
    `);
    expect(pathInRepository('../a.md', '/work/help', '/work/help')).toBe('../a.md');
    expect(pathInRepository('a.md', '/work/help', undefined)).toBe('a.md');
    expect(formatGithubSummary(ofFolder)).toContain('| docs/a.md:7 (en) |');
  });
});

it('the reports of a knowledge base name title and address of an article', () => {
  const place = { file: null, line: null, title: 'Brakes', address: 'https://kb.example.com/article/a' };
  const problems = reportProblems([problem('LINK_BROKEN', 'x', { articleId: 'a' })], null, () => place);
  const where = '"Brakes" (article a) https://kb.example.com/article/a';
  expect(formatGithubAnnotations(sampleReport({ problems }))).toContain(`::${where}: x`);
});

describe('the reports', () => {
  it('give GitHub an annotation per error and warning, escaped', () => {
    expect(formatGithubAnnotations(report)).toMatchInlineSnapshot(`
      "::error title=ID_INVALID::general: the record at 4 has the id "<b>|%25"%0AThe record was skipped. Ids of articles are ten letters or digits, those of categories up to 64 letters, digits, hyphens or underscores.
      ::warning title=LINK_BROKEN::article a (ar): the link "/article/y" leads nowhere%0AThe link leads to nothing that can be published. Correct its URL.
      ::warning title=LINK_BROKEN::article a (en): the link "/article/x" leads nowhere%0AThe link leads to nothing that can be published. Correct its URL.
      "
    `);
  });

  it('give GitHub ten annotations of a level at most', () => {
    const problems = Array.from({ length: 30 }, (_, index) => problem('LINK_BROKEN', `link ${index}`));
    const text = formatGithubAnnotations(sampleReport({ problems: reportProblems(problems) }));
    expect(text.match(/::warning /g)).toHaveLength(10);
  });

  it('give GitHub a job summary that a text of the knowledge base cannot break', () => {
    expect(formatGithubSummary(report)).toMatchInlineSnapshot(`
      "## Help centre published

      - 21 articles, 2 files in en, ar
      - changed: 3 article pages since the last build
      - skipped: 1 draft: docs/d.md; 2 private: p, q
      - problems: 1 error, 2 warnings, 1 info

      | | code | where | what | to do |
      |---|---|---|---|---|
      | error | \`ID_INVALID\` | general | the record at 4 has the id "&#60;b&#62;&#124;%" | The record was skipped. Ids of articles are ten letters or digits, those of categories up to 64 letters, digits, hyphens or underscores. |
      | warning | \`LINK_BROKEN\` | article a (ar) | the link "/article/y" leads nowhere | The link leads to nothing that can be published. Correct its URL. |
      | warning | \`LINK_BROKEN\` | article a (en) | the link "/article/x" leads nowhere | The link leads to nothing that can be published. Correct its URL. |
      "
    `);
  });

  it('give GitHub a job summary that it can show, and say how many problems are not in it', () => {
    const problems = Array.from({ length: 9000 }, (_, at) => problem('LINK_BROKEN', `link ${1000 + at}`));
    const text = formatGithubSummary(sampleReport({ problems: reportProblems(problems) }));
    expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
    expect(text).toContain('| link 1499 |');
    expect(text).toContain('\n8,500 more problems: `--report FILE` lists all of them.\n');
  });

  it('tell GitHub why a run failed, leaving room for the failure among the annotations', () => {
    expect(formatGithubAnnotations(failed).match(/::error /g)).toHaveLength(9);
    expect(formatGithubSummary(failed).split('\n').slice(0, 12).join('\n')).toMatchInlineSnapshot(`
      "## Help centre not published

      The published site is unchanged.

      - \`MASS_DELETE\`: the list holds 3 &#60;b&#62;&#124;articles
      - what to do: pass --allow-mass-delete if that is right
      - problems: 12 errors, 1 warning

      | | code | where | what | to do |
      |---|---|---|---|---|
      | error | \`ID_INVALID\` | general | id 0 | The record was skipped. Ids of articles are ten letters or digits, those of categories up to 64 letters, digits, hyphens or underscores. |
      | error | \`ID_INVALID\` | general | id 1 | The record was skipped. Ids of articles are ten letters or digits, those of categories up to 64 letters, digits, hyphens or underscores. |"
    `);
  });

  it('match the published schema', () => {
    expect(runReportSchema.parse(report)).toEqual(report);
    expect(runReportSchema.parse(failed)).toEqual(failed);
    expect(runReportSchema.safeParse({ ...report, error: failed.error }).success).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { problem } from '../../src/core/problems.ts';
import { countReasons, reportProblems } from '../../src/core/report.ts';

describe('reportProblems', () => {
  it('folds repetitions, adds severity and hint and puts the grave ones first', () => {
    const reported = reportProblems([
      problem('CATEGORY_EMPTY', 'category c has no public article', { categoryId: 'c' }),
      problem('LINK_BROKEN', 'the link "/article/x" leads nowhere', { articleId: 'a', language: 'en' }),
      problem('LINK_BROKEN', 'the link "/article/x" leads nowhere', { articleId: 'a', language: 'en' }),
    ]);
    expect(reported.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      'warning LINK_BROKEN',
      'info CATEGORY_EMPTY',
    ]);
    expect(reported[0]?.hint).toMatch(/^The link leads to nothing/);
  });
});

describe('countReasons', () => {
  it('counts by reason in a fixed order', () => {
    const counts = countReasons(
      new Map([
        ['a', 'private'],
        ['b', 'draft'],
        ['c', 'private'],
      ]),
    );
    expect(JSON.stringify(counts)).toBe('{"draft":1,"private":2}');
  });
});

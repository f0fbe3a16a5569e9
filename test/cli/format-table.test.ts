import { describe, expect, it } from 'vitest';
import { formatAnswer } from '../../src/cli/format-table.ts';

const article = (id: string, title: string) => ({
  article_id: id,
  account_id: 'default',
  category_id: 'ccccccccc1',
  title,
  slug: 'a-slug',
  description: 'Something long about this article, which nobody reads in a list.',
  tags: ['one', 'two'],
  is_published: true,
  is_private: false,
  sort_order: null,
  updated_at: '2026-03-01T10:00:00.000Z',
  multilingual: [{ language_code: 'de', title: 'Titel', slug: 'titel' }],
});

describe('an answer in a terminal', () => {
  it('is a table with ids and titles first, and other fields as far as there is room', () => {
    const articles = [
      article('aaaaaaaaa1', 'Refunds'),
      article('bbbbbbbbb2', '返金についてのよくある質問と回答をまとめたページです'),
      article('ccccccccc3', 'A very long title that does not fit into the columns of a terminal'),
    ];
    const table = formatAnswer(articles, 80);
    expect(table).toMatchInlineSnapshot(`
      "ARTICLE ID  TITLE                             IS PUBLISHED  IS PRIVATE
      aaaaaaaaa1  Refunds                           true          false
      bbbbbbbbb2  返金についてのよくある質問と回…   true          false
      ccccccccc3  A very long title that does not…  true          false
      "
    `);
    expect(formatAnswer({ articles, totalHits: 3 }, 80)).toBe(table);
  });

  it('has words as headings, however a field is spelled', () => {
    const keys = [{ keyId: 'YqFL7R9QvH', name: 'bot', createdAt: '2026-03-01T10:00:00.000Z' }];
    expect(formatAnswer({ keys }, 80)).toMatch(/^KEY ID +NAME +CREATED AT\n/);
  });

  it('has numbers to the right, and lists of texts below', () => {
    const records = [
      { article_id: 'aaaaaaaaa1', title: 'Refunds', unhelpful: 12, texts: ['Which card?', 'x'.repeat(90)] },
      { article_id: 'bbbbbbbbb2', title: '返金について', unhelpful: 3, texts: [] },
    ];
    expect(formatAnswer(records, 60)).toMatchInlineSnapshot(`
      "ARTICLE ID  TITLE         UNHELPFUL
      aaaaaaaaa1  Refunds              12
          Which card?
          xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
      bbbbbbbbb2  返金について          3
      "
    `);
  });

  it('is a line per field if it is one record', () => {
    const one = { ...article('aaaaaaaaa1', 'Refunds'), body: '<p>One</p>\n<p>Two</p>' };
    expect(formatAnswer(one, 60)).toMatchInlineSnapshot(`
      "article_id    aaaaaaaaa1
      account_id    default
      category_id   ccccccccc1
      title         Refunds
      slug          a-slug
      description   Something long about this article, which nobody reads in a list.
      tags          one, two
      is_published  true
      is_private    false
      sort_order
      updated_at    2026-03-01T10:00:00.000Z
      multilingual
          TITLE  LANGUAGE CODE
          Titel  de
      body
          <p>One</p>
          <p>Two</p>
      "
    `);
  });

  it('says that there is nothing', () => {
    expect(formatAnswer([], 80)).toBe('There are no records.\n');
  });
});

import { expect, it } from 'vitest';
import { formatTable } from '../../src/cli/format-table.ts';

it('shows records as columns, numbers to the right, and lists below', () => {
  const records = [
    { article_id: 'aaaaaaaaa1', title: 'Refunds', unhelpful: 12, texts: ['Which card?', 'x'.repeat(90)] },
    { article_id: 'bbbbbbbbb2', title: '返金について', unhelpful: 3, texts: [] },
    {
      article_id: 'ccccccccc3',
      title: 'A very long title that would not fit into the columns of a terminal',
      unhelpful: 0,
      texts: [],
    },
  ];
  expect(formatTable(records, 60)).toMatchInlineSnapshot(`
    "ARTICLE ID  TITLE                                               UNHELPFUL
    aaaaaaaaa1  Refunds                                                    12
        Which card?
        xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
    bbbbbbbbb2  返金について                                                3
    ccccccccc3  A very long title that would not fit into the col…          0
    "
  `);
});

it('says that there is nothing', () => {
  expect(formatTable([], 80)).toBe('Nothing was counted in this timeframe.\n');
});

import { describe, expect, it } from 'vitest';
import { buildSample } from './support/build-sample.ts';

const site = {
  languages: ['en', 'de'],
  articles: [
    { id: 'aaaaaaaaaa', pages: { en: { title: 'Long', markdown: `${'Words. '.repeat(200)}\n` } } },
    {
      id: 'bbbbbbbbbb',
      updatedAt: '2026-01-01T00:00:00.000Z',
      pages: { en: { title: 'A', markdown: 'One.\n' }, de: { title: 'B', markdown: 'Eins.\n' } },
    },
  ],
};

describe('the full text of a language', () => {
  it('has every article with its URL and date', async () => {
    const output = await buildSample(site);
    expect(output.text('de/llms-full.txt')).toMatchInlineSnapshot(`
      "# Example help

      > Every help article of Example help in Deutsch (de).

      Other languages: https://help.example.com/llms.txt

      ## B

      URL: https://help.example.com/de/article/bbbbbbbbbb-page/
      Updated: 2026-01-01

      Eins.
      "
    `);
  });

  it('is linked in the llms.txt of its language', async () => {
    const output = await buildSample(site);
    for (const tag of ['en', 'de'])
      expect(output.text(`${tag}/llms.txt`)).toContain(`/${tag}/llms-full.txt)`);
  });
});

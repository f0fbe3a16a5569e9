import { describe, expect, it } from 'vitest';
import type { ArticleFacts, RenderedPage } from '../../src/pipeline/rendered-article.ts';
import { readFacts, writeFacts } from '../../src/pipeline/stored-facts.ts';

/** The rows of a database, and the numbers of those that were written. */
function createRows() {
  const rows: string[] = [];
  const written: number[] = [];
  return {
    written,
    readFacts: () => [...rows],
    writeFacts(number: number, facts: string) {
      rows[number] = facts;
      written.push(number);
    },
    removeFacts(from: number) {
      rows.length = Math.min(rows.length, from);
    },
  };
}

function pageOf(articleId: string, language: string, number: number): RenderedPage {
  const isRich = number % 3 === 1;
  return {
    ...{
      articleId,
      language,
      hash: `hash ${number}`,
      searchHash: number % 4 === 0 ? '' : `search ${number}`,
    },
    ...{ chunks: number, tokens: 100 + number, description: isRich ? 'Über „Türen“ 日本' : '' },
    bytes: { document: 4 * number, chunks: 4 * number + 1, text: 4 * number + 2, source: 4 * number + 3 },
    files: [`${language}/${articleId}/index.html`, `${language}/${articleId}/index.html.md`],
    anchors: { anchors: `\nfirst\n${number}\n`, links: isRich ? ['/en/a/#first'] : [] },
    imageHosts: isRich ? [['images.example', number]] : [],
    problems: isRich ? [{ code: 'LINK_BROKEN', message: `the link ${number} is broken` }] : [],
  };
}

function articleOf(number: number): ArticleFacts {
  const id = `article${number}`;
  const languages = ['en', 'ar', 'ja'].slice(0, number % 4);
  return {
    ...{ id, source: `source ${number}` },
    pages: languages.map((language, at) => pageOf(id, language, 10 * number + at)),
    media:
      number % 5 === 2
        ? {
            requested: { images: [`https://images.example/${number}.png`], files: [] },
            ...{ hash: `media ${number}`, files: [`assets/media/${number}.png`] },
            failed: [['https://images.example/none.png', 'en']],
          }
        : null,
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

describe('the facts of articles', () => {
  it.each([0, 1, 63, 64, 65, 200])('are read as they were stored: %s articles', (count) => {
    const database = createRows();
    const facts = numbers(count).map(articleOf);
    writeFacts(database, [], facts);
    expect(readFacts(database).flat()).toEqual(facts);
  });

  it('are written again only in the rows of articles that changed', () => {
    const database = createRows();
    writeFacts(database, [], numbers(200).map(articleOf));
    database.written.length = 0;
    const stored = readFacts(database);
    const facts = [...stored.flat()];
    writeFacts(database, stored, facts);
    expect(database.written).toEqual([]);
    facts[70] = articleOf(1070);
    writeFacts(database, stored, facts);
    expect(database.written).toEqual([1]);
    expect(readFacts(database).flat()).toEqual(facts);
  });

  it.each([
    ['a new article', (facts: ArticleFacts[]) => void facts.splice(5, 0, articleOf(1000))],
    ['a deleted article', (facts: ArticleFacts[]) => void facts.splice(5, 1)],
    ['many deleted articles', (facts: ArticleFacts[]) => void facts.splice(5, 150)],
    ['a deleted article at the end', (facts: ArticleFacts[]) => void facts.pop()],
    ['no article any more', (facts: ArticleFacts[]) => void facts.splice(0)],
  ])('are right after %s', (_what, change) => {
    const database = createRows();
    writeFacts(database, [], numbers(193).map(articleOf));
    const stored = readFacts(database);
    const facts = [...stored.flat()];
    change(facts);
    writeFacts(database, stored, facts);
    expect(readFacts(database).flat()).toEqual(facts);
  });
});

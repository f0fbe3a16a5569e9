import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { publishCorpus } from '../../support/publish-corpus.ts';
import { pageRecords, publishSite } from '../../support/publish-site.ts';
import { corporaFolder, describeWithCorpora } from '../../support/tools.ts';
import { openSearch } from '../support/search-site.ts';

interface Question {
  readonly question: string;
  readonly language: string;
  readonly gold_article_id: string;
}

function readQuestions(corpus: string, language: string): readonly Question[] {
  const { questions } = JSON.parse(readFileSync(join(corporaFolder, `${corpus}.json`), 'utf8')) as {
    readonly questions: readonly Question[];
  };
  return questions.filter((question) => question.language === language);
}

describe('a large index', () => {
  test('needs less than 150 KB for the first result of 1,000 articles', async () => {
    const words = Array.from({ length: 6000 }, (_, index) => `w${(index * 7919).toString(36)}`);
    const pages = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => {
        const text = Array.from(
          { length: 300 },
          (_, at) => words[(index * 131 + at * at) % words.length],
        ).join(' ');
        const title = `Article ${index} about ${words[(index * 17) % words.length]}`;
        return [
          `a${String(index).padStart(9, '0')}`,
          [title, `<h2>Part ${index}</h2><p>${text}</p>`],
        ] as const;
      }),
    );
    const { files } = await publishSite(pageRecords('en', pages));
    const searcher = await openSearch(files, 'en');
    const { total } = await searcher.search('article about', 8);
    expect(total).toBe(1000);
    const paths = ['en/search/index.json', ...searcher.loaded()];
    const bytes = paths.reduce((sum, path) => sum + gzipSync(files.get(path) ?? '').length, 0);
    expect(bytes).toBeLessThan(150 * 1024);
  });
});

describeWithCorpora('questions with known answers', () => {
  test.each([
    ['en', 0.9],
    ['ar', 0.85],
    ['th', 0.9],
    ['vi', 0.95],
    ['zh', 0.95],
  ])('are answered by the first article in %s', async (language, share) => {
    const { files } = await publishCorpus('qa-xquad.dev');
    const { search } = await openSearch(files, language);
    const asked = readQuestions('qa-xquad.dev', language).slice(0, 100);
    let right = 0;
    for (const { question, gold_article_id: id } of asked) {
      const { results } = await search(question, 1);
      if (results[0]?.href.includes(id)) right += 1;
    }
    expect(right / asked.length).toBeGreaterThan(share);
  });
});

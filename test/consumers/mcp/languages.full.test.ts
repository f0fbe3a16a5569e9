import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runLectern, serveSeed } from '../../support/lectern.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { corporaFolder, describeWithCorpora } from '../../support/tools.ts';
import {
  type HalfTranslated,
  halfTranslate,
  paragraphsOf,
  type Query,
  readKnowledgeBase,
} from './support/half-translated.ts';
import type { ShownHit } from './support/live-feed.ts';
import { sixLanguages } from './support/six-languages.ts';
import { connectSearch, type Search } from './support/stdio-search.ts';

/** Builds the site of a knowledge base with the command, and connects a client that starts `lectern mcp` for it. */
async function openSearch({ articles, categories }: HalfTranslated): Promise<Search> {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'seed.json'), JSON.stringify({ articles, categories }));
  const service = await serveSeed(join(folder, 'seed.json'), folder);
  const built = await runLectern(
    ['build', '--quiet', '--out', 'dist', '--site-url', 'https://help.example.com'],
    { cwd: folder, env: service.env },
  );
  await service.stop();
  expect(built.code, built.stderr).toBe(0);
  return connectSearch('dist', folder);
}

/** How many queries have the right article first, with `language` and without, for each kind of query in English and in other languages. */
async function countRight(search: Search, queries: readonly Query[]) {
  const counts = new Map<string, { asked: number; withLanguage: number; without: number }>();
  for (const { text, language, articleId, kind } of queries) {
    const isRight = ([first]: readonly ShownHit[]) =>
      first?.language === language && first.url.includes(`/article/${articleId}`);
    const found = await search(text);
    expectOneLanguagePerArticle(found, text);
    const key = `${kind}, ${language === 'en' ? 'English' : 'other languages'}`;
    const count = counts.get(key) ?? { asked: 0, withLanguage: 0, without: 0 };
    count.asked += 1;
    count.withLanguage += Number(isRight(await search(text, language)));
    count.without += Number(isRight(found));
    counts.set(key, count);
  }
  return counts;
}

function expectOneLanguagePerArticle(found: readonly ShownHit[], query: string): void {
  const documents = new Set(found.map(({ url, language }) => `${language} ${articleIdOf(url)}`));
  expect(new Set(found.map(({ url }) => articleIdOf(url))).size, query).toBe(documents.size);
}

function articleIdOf(url: string): string {
  return /\/article\/([\dA-Za-z]{10})/.exec(url)?.[1] ?? '';
}

async function expectNearlyAsRight(knowledgeBase: HalfTranslated, queries = knowledgeBase.queries) {
  const counts = await countRight(await openSearch(knowledgeBase), queries);
  for (const [kind, { withLanguage, without }] of counts) {
    expect(withLanguage, kind).toBeGreaterThan(0);
    expect(without / withLanguage, `${kind}: ${without} instead of ${withLanguage}`).toBeGreaterThanOrEqual(
      0.9,
    );
  }
}

/** At most so many queries in English, and as many in other languages. */
function sample(queries: readonly Query[], most: number): readonly Query[] {
  return [true, false].flatMap((isEnglish) => {
    const group = queries.filter(({ language }) => (language === 'en') === isEnglish);
    const step = Math.ceil(group.length / most);
    return group.filter((_, at) => at % step === 0);
  });
}

it('a small knowledge base, half of it not translated, is searched in the language of the query', async () => {
  await expectNearlyAsRight(halfTranslate(sixLanguages()));
}, 300_000);

describeWithCorpora('without `language`, nine of ten queries that are right with it are right', () => {
  it('in 28 languages, most of them with little of their own', async () => {
    const [guide, help] = [readKnowledgeBase('opensource-guide'), readKnowledgeBase('login-gov-help')];
    const both = {
      // Every third one is enough: a build of all of them takes minutes on a slow machine.
      articles: [...help.articles.filter((_, at) => at % 3 === 0), ...guide.articles],
      categories: [...help.categories, ...guide.categories],
    };
    const halves = halfTranslate(both, paragraphsOf(guide));
    await expectNearlyAsRight(halves, sample(halves.queries, 100));
  }, 900_000);

  it('for questions in twelve languages', async () => {
    const file = join(corporaFolder, 'qa-xquad.dev.json');
    const { questions } = JSON.parse(await readFile(file, 'utf8')) as {
      readonly questions: readonly {
        readonly question: string;
        readonly language: string;
        readonly gold_article_id: string;
      }[];
    };
    const halves = halfTranslate(readKnowledgeBase('qa-xquad.dev'));
    const queries = questions.map(
      ({ question, language, gold_article_id: articleId }): Query => ({
        ...{ text: question, language, articleId, kind: 'question' },
      }),
    );
    await expectNearlyAsRight(halves, sample(queries, 100));
  }, 900_000);
});

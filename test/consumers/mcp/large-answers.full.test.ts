import { afterEach, expect, it } from 'vitest';
import { answerTokens, estimateTokens } from '../../../src/consumers/mcp/answer-size.ts';
import { loadTokenCounter } from '../../../src/feed/tokens/count-tokens.ts';
import { buildSample } from '../../feed/support/build-sample.ts';
import type { MemoryOutput } from '../../feed/support/memory-output.ts';
import { buildSampleFeed, questions } from '../export/support/questions.ts';
import { type Called, hitsOf, type LiveFeed, openLiveFeed } from './support/live-feed.ts';

let live: LiveFeed;

async function connect(output: MemoryOutput): Promise<void> {
  live = await openLiveFeed(output);
}

afterEach(() => live.close());

const scripts = {
  en: 'Open the cover, take out the paper tray, and remove the sheets. ',
  ru: 'Откройте крышку, выньте лоток для бумаги и удалите листы бумаги. ',
  ja: 'カバーを開け、用紙トレイを取り出して、用紙を取り除きます。',
};

it.each(Object.entries(scripts))(
  'an answer fits into a model, with a cursor for the rest, in %s',
  async (language, sentence) => {
    const markdown = Array.from({ length: 30 }, (_, at) => `## Part ${at}\n\n${sentence.repeat(12)}\n`).join(
      '\n',
    );
    const articles = Array.from({ length: 9 }, (_, at) => ({
      id: `article00${at}`,
      pages: { [language]: { title: `Tray ${at}`, markdown } },
    }));
    await connect(await buildSample({ languages: [language], articles }));
    const countTokens = await loadTokenCounter();
    const pages = async (name: string, args: Record<string, unknown>) => {
      const answers: Called[] = [];
      for (let cursor: string | undefined; answers.length < 100; ) {
        const answer = await live.call(name, { ...args, ...(cursor === undefined ? {} : { cursor }) });
        expect(estimateTokens(answer.text)).toBeLessThanOrEqual(answerTokens);
        expect(countTokens(answer.text)).toBeLessThanOrEqual(answerTokens);
        answers.push(answer);
        cursor = answer.next;
        if (cursor === undefined) return answers;
        expect(answer.text).toContain(`call again with cursor "${cursor}"`);
      }
      throw new Error('the pages do not end');
    };
    const found = await pages('search', { query: 'tray', limit: 20 });
    const hits = found.flatMap(hitsOf);
    expect(found.length).toBeGreaterThan(1);
    expect(hits).toHaveLength(18);
    expect(new Set(hits.map(({ url, text }) => url + text)).size).toBe(18);
    const read = await pages('read_article', { id: 'article000' });
    expect(read.length).toBeGreaterThan(1);
    expect(
      read
        .map(({ content }) => content.replace(/^[\s\S]*?\n\n[\s\S]*?\n\n/, ''))
        .join('\n\n')
        .replaceAll(/\s+/g, ''),
    ).toBe(markdown.replaceAll(/\s+/g, ''));
    const [first] = await pages('search', { query: 'tray', limit: 2 });
    expect(hitsOf(first as Called)).toHaveLength(2);
  },
);

it('ten questions to the sample help centre have the right article among three', async () => {
  await connect((await buildSampleFeed()).output);
  for (const [query, articleId] of questions) {
    const ids = hitsOf(await live.call('search', { query, language: 'en', limit: 6 })).map(({ id }) => id);
    const [first, second, third] = [...new Set(ids)];
    expect([first, second, third].join(' '), query).toContain(`-${articleId.toLowerCase()}-en`);
  }
});

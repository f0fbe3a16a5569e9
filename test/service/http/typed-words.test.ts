import { expect, test } from 'vitest';
import { typedWords } from '../../support/typed-words.ts';
import { startTestService } from '../support/service.ts';

test('The search of the service finds words as readers type them', async () => {
  const service = await startTestService({ requestsPerMinute: 0 });
  for (const [at, [language, text]] of typedWords.entries()) {
    const page = { title: `Title ${at}`, body: `<p>${text}</p>` };
    const other = { title: 'Other', body: '<p>x</p>', multilingual: [{ language_code: language, ...page }] };
    const body = { is_published: true, ...(language === 'en' ? page : other) };
    await service.call('/article', { method: 'POST', body });
  }
  const missing: string[] = [];
  for (const [at, [language, , ...queries]] of typedWords.entries()) {
    for (const query of queries) {
      const path = `/search?query=${encodeURIComponent(query)}&language_code=${language}`;
      const { articles } = (await service.call(path)).json;
      const found = articles.map((article: { title: string }) => article.title);
      if (!found.includes(`Title ${at}`)) missing.push(`${language}: ${query}`);
    }
  }
  expect(missing).toEqual([]);
});

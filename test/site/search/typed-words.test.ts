import { describe, expect, test } from 'vitest';
import { translatedArticle } from '../../source/support/records.ts';
import { publishSite } from '../../support/publish-site.ts';
import { abbreviations, typedWords } from '../../support/typed-words.ts';
import { openSearch, titles } from '../support/search-site.ts';

const rows = [...typedWords, ...abbreviations];

describe('words as readers type them', async () => {
  const articles = rows.map(([language, text], at) =>
    translatedArticle(`a${String(at).padStart(9, '0')}`, { [language]: [`Title ${at}`, `<p>${text}</p>`] }),
  );
  const { files } = await publishSite({ articles }, { defaultLanguage: 'en' });
  test.each(rows.map((row, at) => [row[0], row[1], row.slice(2), at] as const))(
    'find in %s: %s',
    async (language, _, queries, at) => {
      const searcher = await openSearch(files, language);
      for (const query of queries) expect(await titles(searcher, query), query).toContain(`Title ${at}`);
    },
  );
});

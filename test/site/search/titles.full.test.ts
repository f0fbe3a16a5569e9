import { expect, test } from 'vitest';
import { publishCorpus } from '../../support/publish-corpus.ts';
import { describeWithCorpora } from '../../support/tools.ts';
import { askTitles, searchedLanguages } from '../support/ask-titles.ts';
import { openSearch, titles } from '../support/search-site.ts';

describeWithCorpora('the published search of a real help centre', () => {
  test.each([
    ['login-gov-help', 0.95, 1],
    ['arduino-help', 0.95, 0.99],
    ['opensource-guide', 0.95, 1],
  ])(
    'finds the articles of %s by their titles, and under the topics of their breadcrumbs',
    async (name, leastFirst, leastAmongTen) => {
      const { files } = await publishCorpus(name);
      const asked = { asked: 0, first: 0, amongTen: 0, wrongTopics: [] as string[] };
      for (const language of searchedLanguages(files)) {
        const inLanguage = await askTitles(files, language);
        asked.asked += inLanguage.asked;
        asked.first += inLanguage.first;
        asked.amongTen += inLanguage.amongTen;
        asked.wrongTopics.push(...inLanguage.wrongTopics);
      }
      expect(asked.wrongTopics).toEqual([]);
      expect(asked.asked).toBeGreaterThan(200);
      expect(asked.first / asked.asked).toBeGreaterThanOrEqual(leastFirst);
      expect(asked.amongTen / asked.asked).toBeGreaterThanOrEqual(leastAmongTen);
    },
  );
});

describeWithCorpora('known answers of the corpora are found first', () => {
  test.each([
    ['opensource-guide', 'en', 'get paid', 'Getting Paid for Open Source Work'],
    ['opensource-guide', 'ja', '行動規範', '行動規範'],
    ['opensource-guide', 'ar', 'رخصة', 'الجانب القانوني للبرمجيات مفتوحة المصدر'],
    ['login-gov-help', 'zh', '删除账户', '我如何删除自己的账户？'],
    [
      'arduino-help',
      'en',
      'burn bootloader uno',
      'Burn the bootloader on UNO, Mega, and classic Nano using another Arduino',
    ],
  ])('%s, %s: %s', async (name, language, query, title) => {
    const { files } = await publishCorpus(name);
    const found = await titles(await openSearch(files, language), query);
    expect(found.slice(0, 3)).toContain(title);
  });
});

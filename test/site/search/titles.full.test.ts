import { expect, test } from 'vitest';
import { publishCorpus } from '../../support/publish-corpus.ts';
import { describeWithCorpora } from '../../support/tools.ts';
import { askTitles, searchedLanguages } from '../support/ask-titles.ts';

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

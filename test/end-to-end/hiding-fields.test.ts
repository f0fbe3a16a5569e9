import { expect, it } from 'vitest';
import { pageRecords, publishSite } from '../support/publish-site.ts';

it('Records with a field that may hide them are not in any published file, and are reported', async () => {
  const { articles } = pageRecords('en', {
    aaaaaaaaa1: ['Public', '<p>Text for everybody.</p>'],
    aaaaaaaaa2: ['Sombrero', '<p>SECRETTEXT.</p>'],
  });
  const [first, second] = articles as [object, object];
  const { files, report } = await publishSite(
    { articles: [first, { ...second, is_deleted: true }] },
    { defaultLanguage: 'en' },
  );
  const texts = Array.from(files, ([path, content]) => [path, content.toString()] as const);
  const pathsWith = (words: RegExp) => texts.filter((one) => words.test(one.join())).map(([path]) => path);
  expect(pathsWith(/Text for everybody\./)).not.toEqual([]);
  expect(pathsWith(/SECRETTEXT|sombrero/i)).toEqual([]);
  expect(report.problems.map(({ code, message }) => `${code}: ${message}`)).toContain(
    'VISIBILITY_UNKNOWN: is_deleted may say that the article is not public',
  );
});

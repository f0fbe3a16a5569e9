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

it('A category and a translation with a field that may hide them are not in any published file, and are reported', async () => {
  const { articles, categories = [] } = pageRecords(
    'en',
    { aaaaaaaaa1: ['First', '<p>Text for everybody.</p>'], aaaaaaaaa2: ['Second', '<p>Other text.</p>'] },
    ['Sombrero', 'Poncho'],
  );
  const [first, second] = articles as [object, object];
  const german = { language_code: 'de', title: 'Sombrero', body: '<p>SECRETTEXT.</p>', status: 'archived' };
  const { files, report } = await publishSite(
    {
      articles: [
        { ...first, multilingual: [...(first as { multilingual: [] }).multilingual, german] },
        second,
      ],
      categories: [{ ...(categories[0] as object), is_private: true }, categories[1]],
    },
    { defaultLanguage: 'en' },
  );
  const texts = Array.from(files, ([path, content]) => [path, content.toString()] as const);
  const pathsWith = (words: RegExp) => texts.filter((one) => words.test(one.join())).map(([path]) => path);
  expect(pathsWith(/Text for everybody\./)).not.toEqual([]);
  expect(pathsWith(/Poncho/)).not.toEqual([]);
  expect(pathsWith(/SECRETTEXT|sombrero/i)).toEqual([]);
  expect(report.problems.map(({ code, message }) => `${code}: ${message}`)).toEqual(
    expect.arrayContaining([
      'CATEGORY_UNKNOWN: the category "c000000000" of aaaaaaaaa1 does not exist or is not public',
      'VISIBILITY_UNKNOWN: status may say that de is not public',
      'VISIBILITY_UNKNOWN: is_published, is_private, is_live or permission_groups may say that the category is not public',
    ]),
  );
});

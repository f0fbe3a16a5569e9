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

it('A translation with such a field, and a category with what is below it, are not in any published file, and are reported', async () => {
  const { articles, categories = [] } = pageRecords(
    'en',
    {
      aaaaaaaaa1: ['First', '<p>Text for everybody. <a href="/article/aaaaaaaaa2">More</a></p>'],
      aaaaaaaaa2: ['Sombrero', '<p>SECRETTEXT of a category.</p>'],
      aaaaaaaaa3: ['Sombrero band', '<p>SECRETTEXT below it.</p>'],
    },
    ['Poncho', 'Sombrero of staff', 'Sombrero bands'],
  );
  const [first, ...others] = articles as [{ multilingual: [] }, object, object];
  const [poncho, staff, bands] = categories as [object, object, object];
  const german = { language_code: 'de', title: 'Sombrero', body: '<p>SECRETTEXT.</p>', status: 'archived' };
  const { files, report } = await publishSite(
    {
      articles: [{ ...first, multilingual: [...first.multilingual, german] }, ...others],
      categories: [poncho, { ...staff, is_private: true }, { ...bands, parent_category_id: 'c000000001' }],
    },
    { defaultLanguage: 'en' },
  );
  const texts = Array.from(files, ([path, content]) => [path, content.toString()] as const);
  const pathsWith = (words: RegExp) => texts.filter((one) => words.test(one.join())).map(([path]) => path);
  expect(pathsWith(/Text for everybody\./)).not.toEqual([]);
  expect(pathsWith(/Poncho/)).not.toEqual([]);
  expect(pathsWith(/SECRETTEXT|sombrero/i)).toEqual([]);
  expect(report.excluded).toEqual({ 'visibility-unknown': 2 });
  expect(report.problems.map(({ code, message }) => `${code}: ${message}`)).toEqual(
    expect.arrayContaining([
      'VISIBILITY_UNKNOWN: status may say that de is not public',
      'VISIBILITY_UNKNOWN: is_published, is_private, is_live or permission_groups may say that the category is not public',
      'VISIBILITY_UNKNOWN: its category c000000001 may not be public',
      'VISIBILITY_UNKNOWN: its category c000000002 may not be public',
    ]),
  );
});

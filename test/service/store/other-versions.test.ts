import { join } from 'node:path';
import { expect, it } from 'vitest';
import { restore } from '../../../src/service/backup.ts';
import { openDatabase } from '../../../src/service/store/database.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openTestStore } from '../support/service.ts';

const options = { defaultLanguage: 'en', clock: Date.now };

/** A data file with an article and a category, after some statements. */
async function makeFile(...statements: readonly string[]): Promise<string> {
  const file = join(temporaryFolder(), 'kb.sqlite');
  const store = await openSqliteStore(file, options);
  const multilingual = [{ language_code: 'de', title: 'Drucker', body: '<p>Tinte</p>' }];
  const body = '<p>Replacing cartridges</p>';
  await store.createArticle({ title: 'Printers', body, tags: ['basics'], is_published: true, multilingual });
  await store.createCategory({ title: 'Shop' });
  await store.close();
  const database = openDatabase(file);
  for (const statement of statements) database.rows(statement);
  database.close();
  return file;
}

it('texts, labels and words made by other rules are made again when the data file is opened', async () => {
  const file = await makeFile(
    'DELETE FROM search_index',
    'DELETE FROM article_version',
    'DELETE FROM article_label',
    "UPDATE article SET status = 'draft', meta = '{}', slug = ''",
    "UPDATE setting SET value = '4' WHERE name = 'index_version'",
  );
  const store = await openTestStore(file);
  const page = { includeBody: false, after: 0, skip: 0, limit: 10 };
  const wanted = { tag: 'basics', language_code: 'de', status: 'published' } as const;
  const listed = await store.listArticles(wanted, page);
  expect(listed).toMatchObject([{ slug: 'printers', json: expect.stringContaining('Drucker') }]);
  const find = async (text: string) => {
    const { hits } = await store.search({
      query: text,
      limit: 10,
      include_draft: false,
      include_private: false,
    });
    return hits.map(({ title }) => title);
  };
  expect([await find('cartridge'), await find('tinte')]).toEqual([['Printers'], ['Drucker']]);
  expect((await store.listSources({ after: null, limit: 10 })).map(({ text }) => text)).toEqual([
    'Replacing cartridges',
    'Tinte',
  ]);
  // Lists have another ETag than before.
  expect(await store.revision()).toBe('3');
});

it.each([3, 99])('a data file of version %i, which has other tables, is refused', async (version) => {
  const file = await makeFile(`PRAGMA user_version = ${version}`);
  const message = expect.stringContaining(`its version is ${version}, and this Lectern knows version 11`);
  await expect(openSqliteStore(file, options)).rejects.toMatchObject({ code: 'DATA_UNUSABLE', message });
  await expect(restore(file, join(temporaryFolder(), 'restored.sqlite'))).rejects.toMatchObject({
    code: 'PATH_UNUSABLE',
    message,
  });
});

it('a restored data file has a revision that no list has had', async () => {
  const file = join(temporaryFolder(), 'restored.sqlite');
  await restore(await makeFile(), file);
  expect(Number(await (await openTestStore(file)).revision())).toBeGreaterThan(1_700_000_000_000);
});

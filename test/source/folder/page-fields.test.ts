import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dateField, describeUnreadable, tagFields } from '../../../src/source/folder/plain/page-fields.ts';
import { parsePagePath } from '../../../src/source/folder/plain/page-path.ts';
import { pathsOf } from '../../../src/source/folder/plain/page-paths.ts';
import { runLectern } from '../../support/lectern.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it.each([
  [
    { date: '2025-02-30' },
    'the value of "date:" in the front matter, "2025-02-30", is not a date such as 2025-02-28',
  ],
  [
    { lastUpdated: 'soon' },
    'the value of "lastUpdated:" in the front matter, "soon", is not a date such as 2025-02-28',
  ],
  [{ tags: 5 }, 'the value of "tags:" in the front matter, 5, is not a list of texts'],
  [{ description: ['a'] }, 'the value of "description:" in the front matter, ["a"], is not a text'],
  [{ title: true }, 'the value of "title:" in the front matter, true, is not a text'],
  [
    { title: ['A'], keywords: 5 },
    'the value of "title:" in the front matter, ["A"], is not a text',
    'the value of "keywords:" in the front matter, 5, is not a list of texts',
  ],
  [{ order: 'first' }, 'the value of "order:" in the front matter, "first", is not a number'],
])('says which field of %j cannot be read', (data, ...messages) => {
  expect(describeUnreadable(data)).toEqual(messages);
});

it('says nothing of fields that are right, empty or settings of a generator', () => {
  const data = { date: '2025-01-02 10:00:00 +0100', lastUpdated: true, tags: [], description: '', order: 3 };
  expect(describeUnreadable(data)).toEqual([]);
});

it('takes keywords for tags, unless the page has tags', () => {
  expect(tagFields({ keywords: 'a, b' })).toEqual(['a', 'b']);
  expect(tagFields({ tags: ['a'], keywords: ['b'] })).toEqual(['a']);
});

it('takes the next date if one is wrong', () => {
  expect(dateField({ updated: '2025-02-30', date: '2025-02-03' }, 'updated', 'date')).toBe('2025-02-03');
});

it('publishes the page, and names file, line and field', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.md'), '---\ntitle: A\ndate: 2025-02-30\n---\nText\n');
  writeFileSync(join(folder, 'package.json'), '{}');
  const { code } = await runLectern(
    ['build', '.', '--site-url', 'https://help.example.com', '--report', 'r.json'],
    { cwd: folder },
  );
  const { problems } = JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'));
  expect(code).toBe(0);
  expect(problems).toMatchObject([
    { code: 'FIELD_INVALID', file: 'a.md', line: 3, message: expect.stringContaining('"date:"') },
  ]);
});

it('keeps tags that YAML does not read as texts, and those of lists in a list', () => {
  expect(tagFields({ tags: [true, 2024, 'a', ['b', 'c'], { label: 'd' }, null] })).toEqual([
    'true',
    '2024',
    'a',
    'b',
    'c',
    'd',
  ]);
});

it('reads old addresses from the top of the site, and none from a fragment alone', () => {
  const page = parsePagePath('guide/a.md', { locales: null, defaultLanguage: 'en', suffixes: new Set() });
  const aliases = ['b', '../c', '../../../d', '/e/', '/f?g', '#h', '?i', 'https://j.example/', 2];
  expect(pathsOf(page, { aliases }).aliases).toEqual(['guide/b', 'c', 'd', 'e/', 'f']);
});

it('reads the dates of a page that are in one field, and publishes none before its day', async () => {
  const folder = temporaryFolder();
  const write = (name: string, date: string) =>
    writeFileSync(join(folder, name), `---\ntitle: A\ndate:\n${date}---\nText\n`);
  write('a.md', '  created: 2025-02-03\n  updated: 2025-03-04\n');
  write('b.md', '  created: 2999-02-03\n');
  write('c.md', '  created: soon\n');
  writeFileSync(join(folder, 'package.json'), '{}');
  const { code } = await runLectern(
    ['build', '.', '--site-url', 'https://help.example.com', '--report', 'r.json'],
    { cwd: folder },
  );
  expect(code).toBe(0);
  const { skipped, problems } = JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'));
  expect(skipped).toMatchObject([{ file: 'b.md', reason: 'draft' }]);
  expect(problems).toMatchObject([{ code: 'FIELD_INVALID', file: 'c.md' }]);
  const [record] = readFileSync(join(folder, 'dist/feed/en/documents.jsonl'), 'utf8').split('\n');
  expect(JSON.parse(record ?? '')).toMatchObject({ updated_at: '2025-03-04T00:00:00.000Z' });
  expect(readFileSync(join(folder, 'dist/a/index.html'), 'utf8')).toContain(
    '"datePublished":"2025-02-03T00:00:00.000Z"',
  );
});

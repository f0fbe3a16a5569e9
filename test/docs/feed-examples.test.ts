import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { build } from '../../src/pipeline/library-build.ts';
import { recordsIn } from '../support/feed-records.ts';
import { page, type Tree, writeTree } from '../support/folder-layouts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { readBlocks } from './support/read-blocks.ts';

const article = (id: string, category: string, fields: string, body: string): string =>
  page(`article_id: ${id}\ncategory_id: ${category}\nis_published: true\nis_private: false\n${fields}`, body);

/** The help centre of the examples. */
const files: Tree = {
  'categories/account/en.md': page('category_id: account000\ntitle: Account', ''),
  'categories/account/de.md': page('title: Konto', ''),
  'articles/password/en.md': article(
    '4fq8d7s2ka',
    'account000',
    'title: Reset your password\ntags: [login]\nupdated_at: "2026-03-01T10:00:00Z"',
    'You can choose a new password at any time. You need the email address of your account, and about two minutes. Your lists, orders and settings stay as they are, but every device except this one is signed out, so have the new password at hand before you start. If you use a company account, ask your administrator instead: the company decides how you [sign in](../sign-in/en.md).\n\n## By email\n\nOpen the sign-in page and press **Forgot password**. Enter the email address of your account. We send you a link that is valid for one hour and works once. Open it on any device, type the new password twice, and press **Save**. If no link arrives, look into your spam folder, and make sure that you did not sign up with another address; then wait ten minutes and try again.',
  ),
  'articles/password/de.md': page('title: Passwort zurücksetzen', 'Öffnen Sie die Anmeldung.'),
  'articles/sign-in/en.md': article(
    '7hw3n5c8re',
    'account000',
    'title: Sign in',
    'Enter your email address.',
  ),
  'articles/old-app/en.md': article('9xk2m1p0qz', 'account000', 'title: The old app', 'It still works.'),
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, at) => [
      `articles/more-${at}/en.md`,
      article(`more00000${at}`, 'account000', `title: More ${at}`, 'More.'),
    ]),
  ),
};

let folder: string;
const blocks = readBlocks(join(import.meta.dirname, '../../docs/chatbot-feed.md')).filter(
  ({ language, code }) => language === '' && code.startsWith('{'),
);
const published = (path: string): string => readFileSync(join(folder, 'dist', path), 'utf8');
const find = (path: string, text: string) =>
  recordsIn(published(path)).find((record) => JSON.stringify(record).includes(text));

beforeAll(async () => {
  folder = temporaryFolder();
  const publish = async (tree: Tree) => {
    rmSync(join(folder, 'kb'), { recursive: true, force: true });
    writeTree(join(folder, 'kb'), tree);
    const config = {
      siteUrl: 'https://help.example.com',
      site: { title: 'Example Help' },
      source: { kind: 'folder' as const, path: './kb' },
    };
    await build(config, { folder, apiKey: '' });
  };
  const { 'articles/old-app/en.md': _, ...rest } = files;
  await publish({
    ...files,
    'articles/password/en.md': String(files['articles/password/en.md']).replace('two minutes', 'a minute'),
  });
  await publish(rest);
}, 60_000);

/** A record as the page shows it: a value that ends with `…` there is the beginning of the whole one. */
function shorten(record: unknown, shown: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(record ?? {}).map(([name, value]) => {
    const text = shown[name];
    const isBeginning =
      typeof value === 'string' &&
      typeof text === 'string' &&
      text.endsWith('. …') &&
      value.startsWith(text.slice(0, -1));
    return [name, isBeginning ? text : value];
  });
  return Object.fromEntries(entries);
}

it.each([
  ['a document', 0, 'feed/en/documents.jsonl', '"id":"a-4fq8d7s2ka-en"'],
  ['a chunk', 1, 'feed/en/chunks.jsonl', 'By email'],
  ['a deletion', 2, 'feed/changes/2.jsonl', '"op":"delete"'],
] as const)('shows %s as a build writes it', (_what, at, path, text) => {
  const shown = JSON.parse(blocks[at]?.code ?? '{}') as Record<string, unknown>;
  expect(shown).toEqual(shorten(find(path, text), shown));
});

it('has in a change the same document and chunks as in the other files', () => {
  const change = find('feed/changes/2.jsonl', '"id":"a-4fq8d7s2ka-en"') as {
    document: object;
    chunks: readonly object[];
  };
  expect(change.document).toEqual(find('feed/en/documents.jsonl', '"id":"a-4fq8d7s2ka-en"'));
  expect(change.chunks.at(-1)).toEqual(find('feed/en/chunks.jsonl', 'By email'));
});

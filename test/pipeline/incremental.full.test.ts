import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UserConfig } from '../../src/config/schema.ts';
import type { Category } from '../../src/foundation/model.ts';
import { defaultPartSizes, type PartSizes } from '../../src/plan/parts.ts';
import { databaseFile, inDatabase } from '../support/build-database.ts';
import { hashTree } from '../support/hash-tree.ts';
import {
  createOfflineProject,
  type OfflineProject,
  type WrittenArticle,
} from '../support/offline-project.ts';
import { fc, runs } from '../support/properties.ts';

const categories: readonly Category[] = [
  {
    id: 'cccccccccc',
    parentId: null,
    icon: null,
    updatedAt: null,
    translations: [{ language: 'en', title: 'Start', slug: null, description: null }],
  },
];
const ids = ['aaaaaaaaaa', 'bbbbbbbbbb', 'dddddddddd', 'eeeeeeeeee'] as const;

/** Every body links to every article, so that renaming or deleting one changes the inputs of the others. */
const linksToAll = ids
  .flatMap((id) => [`/article/${id}#part-1`, `https://help.example.com/blog/article/${id}`])
  .map((href) => `<a href="${href}">${href.length}</a>`)
  .join(' ');
const base: readonly WrittenArticle[] = ids.map((id, at) => ({
  id,
  categoryId: at % 2 === 0 ? 'cccccccccc' : null,
  tags: ['red'],
  texts: {
    en: { title: `Title ${at}`, body: `<h2>Part 1</h2><p class="wide">${linksToAll}</p>` },
    de: { title: `Titel ${at}`, body: `<h2>Teil 1</h2><p>${linksToAll}</p>` },
  },
}));

/** One change an author makes to one article; `null` deletes it. */
type Edit = (article: WrittenArticle) => WrittenArticle | null;

const edits: Readonly<Record<string, Edit>> = {
  'another body': (article) => withEnglish(article, (en) => ({ ...en, body: `${en.body}<p>More.</p>` })),
  'another heading': (article) => withEnglish(article, (en) => ({ ...en, body: en.body.replace('1', '2') })),
  'another title': (article) => withEnglish(article, (en) => ({ ...en, title: `${en.title}!` })),
  'no translation': ({ texts, ...article }) => ({ ...article, texts: { en: englishOf(texts) } }),
  'another category': (article) => ({ ...article, categoryId: article.categoryId ? null : 'cccccccccc' }),
  'another tag': (article) => ({ ...article, tags: ['blue'] }),
  gone: () => null,
};
const history = fc.array(fc.tuple(fc.constantFrom(...Object.keys(edits)), fc.constantFrom(...ids)), {
  minLength: 1,
  maxLength: 5,
});

/** So that the search index has several parts, more and fewer of them as articles come and go. */
const small: PartSizes = { pages: 2 };

let project: OfflineProject;
beforeEach(async () => {
  project = await createOfflineProject();
});
afterEach(() => project.remove());

/** Builds again with everything earlier runs left, and without, from the same previous output. */
async function buildBoth(
  config: Partial<UserConfig> = {},
  partSizes = small,
): Promise<readonly [incremental: unknown, clean: unknown]> {
  const clean = join(project.folder, 'clean');
  const cleanCache = join(project.folder, '.clean');
  await rm(clean, { recursive: true, force: true });
  await rm(cleanCache, { recursive: true, force: true });
  await cp(project.out, clean, { recursive: true, force: true }).catch(() => {});
  await mkdir(cleanCache);
  for (const name of (await readdir(project.cache)).filter((name) => name.startsWith('snapshot'))) {
    await cp(join(project.cache, name), join(cleanCache, name));
  }
  const incremental = await project.build(config, { partSizes });
  const fresh = await project.build({ ...config, out: 'clean', cache: '.clean' }, { partSizes });
  expect(incremental.problems).toEqual(fresh.problems);
  return [await hashTree(project.out), await hashTree(clean)];
}

describe('an incremental build', () => {
  it('equals a clean one byte for byte, whatever is edited', { tags: 'property' }, async () => {
    const sizes = fc.constantFrom(small, { pages: 1 }, defaultPartSizes);
    await fc.assert(
      fc.asyncProperty(history, sizes, async (steps, partSizes) => {
        await rm(project.out, { recursive: true, force: true });
        await rm(project.cache, { recursive: true, force: true });
        let articles = base;
        await project.write(articles, categories);
        await project.build({}, { partSizes });
        for (const [edit, id] of steps) {
          articles = applyEdit(articles, id, edits[edit]);
          await project.write(articles, categories);
          const [incremental, clean] = await buildBoth({}, partSizes);
          expect(incremental).toEqual(clean);
        }
      }),
      { numRuns: runs(12) },
    );
  });

  const file = () => databaseFile(project.cache);
  const change = (sql: string) => () => inDatabase(project.cache, (database) => database.exec(sql));

  it.each<[string, () => unknown]>([
    ['the database is cut', async () => writeFile(file(), cutInHalf(await readFile(file())))],
    [
      'facts of articles are altered',
      change("UPDATE rendered SET facts = replace(facts, 'part-1', 'part-2')"),
    ],
    ['keys of articles are altered', change("UPDATE rendered SET key = 'other', source = 'other'")],
    ['texts of the search are altered', change('UPDATE texts SET search = feed')],
    ['texts of the feed are cut', change('UPDATE texts SET feed = substr(feed, 1, length(feed) / 2)')],
    ['texts are gone', change('DELETE FROM texts')],
    ['the record of the build is altered', change("UPDATE run SET record = replace(record, '1', '2')")],
    ['the files of the build are altered', change("UPDATE file SET sha256 = replace(sha256, '1', '2')")],
    ['the database is of another version', change('PRAGMA user_version = 999')],
  ])('equals a clean one when %s', async (_what, damage) => {
    await project.write(base, categories);
    await project.build({}, { partSizes: small });
    await damage();
    await project.write(applyEdit(base, ids[0], edits['another body']), categories);
    const [incremental, clean] = await buildBoth();
    expect(incremental).toEqual(clean);
  });

  it('equals a clean one without the database', async () => {
    await project.write(base, categories);
    await project.build({}, { partSizes: small });
    await rm(file());
    await project.write(applyEdit(base, ids[0], edits['another body']), categories);
    const [incremental, clean] = await buildBoth();
    expect(incremental).toEqual(clean);
  });
});

describe('a build after another setting, template or text', () => {
  it.each<[what: string, config: Partial<UserConfig>, templates: Readonly<Record<string, string>>]>([
    ['a template of the site', {}, { 'hooks/article-after.eta': '<p>Was this helpful?</p>' }],
    ['a template of one language', {}, { 'de/hooks/article-after.eta': '<p>War das hilfreich?</p>' }],
    ['an interface text', {}, { 'locales/de.json': '{ "markdown": "Als Text" }' }],
    ['another look', { site: { look: 'docs' } }, {}],
    ['another title', { site: { title: 'Other help' } }, {}],
    ['a link in the footer', { site: { footerLinks: [{ title: 'Imprint', href: '/imprint' }] } }, {}],
    ['another address', { siteUrl: 'https://other.example.com/docs' }, {}],
    ['other chunks', { feed: { chunks: { minTokens: 10, maxTokens: 60 } } }, {}],
    ['other URLs', { urls: { article: '{lang}/a/{id}' } }, {}],
    ['an extra class', { content: { classes: ['wide'] } }, {}],
  ])('equals a clean one: %s', async (_what, config, templates) => {
    await project.write(base, categories);
    await project.build({}, { partSizes: small });
    const before = await hashTree(project.out);
    for (const [name, text] of Object.entries(templates)) {
      const file = join(project.folder, 'templates', name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    const [incremental, clean] = await buildBoth(config);
    expect(incremental).toEqual(clean);
    expect(incremental).not.toEqual(before);
  });
});

function applyEdit(
  articles: readonly WrittenArticle[],
  id: string,
  edit: Edit = (article) => article,
): readonly WrittenArticle[] {
  const edited = articles.map((article) => (article.id === id ? edit(article) : article));
  const left = edited.filter((article) => article !== null);
  // A knowledge base without any article is refused.
  return left.length === 0 ? base : left;
}

type EnglishText = { readonly title: string; readonly body: string };

function englishOf(texts: WrittenArticle['texts']): EnglishText {
  return texts.en ?? { title: '', body: '' };
}

function withEnglish(article: WrittenArticle, change: (text: EnglishText) => EnglishText): WrittenArticle {
  return { ...article, texts: { ...article.texts, en: change(englishOf(article.texts)) } };
}

function cutInHalf(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}

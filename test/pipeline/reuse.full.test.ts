import { appendFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { UserConfig } from '../../src/core/config/schema.ts';
import type { Category } from '../../src/core/model.ts';
import { hashMedia } from '../../src/pipeline/build-key.ts';
import type { PublishedMedia } from '../../src/site/media/media-table.ts';
import { dataAddress, png } from '../site/media/images.ts';
import { databaseFile, ignoreChangeTimes, inDatabase, readFinishedMs } from '../support/build-database.ts';
import { hashTree } from '../support/hash-tree.ts';
import {
  createOfflineProject,
  type OfflineProject,
  type WrittenArticle,
} from '../support/offline-project.ts';

let project: OfflineProject;
beforeEach(() => {
  project = createOfflineProject();
});

const ids = ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc', 'dddddddddd', 'eeeeeeeeee'] as const;
/** Every article has its own part of the search index. */
const small = 1;
/** All pages are in one part of the search index. */
const large = 100;
const build = (config: Partial<UserConfig> = {}, pagesPerPart = small) =>
  project.build(config, { pagesPerPart });

type Changes = Readonly<
  Record<string, Partial<WrittenArticle> & { readonly title?: string; readonly body?: string }>
>;

const category = (id: string, title: string): Category => ({
  id,
  parentId: null,
  icon: null,
  updatedAt: null,
  translations: [{ language: 'en', title, slug: null, description: null }],
});

interface Rest {
  /** Most viewed articles, the most viewed one first. */
  readonly top?: readonly string[];
  /** Views by which one is ahead of the next. */
  readonly step?: number;
  readonly written?: readonly string[];
  readonly categories?: readonly Category[];
}

/** Writes the knowledge base with these changes to articles. */
async function write(changes: Changes = {}, rest: Rest = {}): Promise<void> {
  const { top = [], written = ids, categories = [] } = rest;
  const articles = written.map((id): WrittenArticle => {
    const {
      title = `Title of ${id}`,
      body = `<p>${'Steady words. '.repeat(100)}</p>`,
      ...others
    } = changes[id] ?? {};
    return { id, categoryId: null, tags: [id], texts: { en: { title, body } }, ...others };
  });
  await project.write(articles, categories, { topArticles: new Map([['en', top]]) });
}

const inOut = (path: string) => join(project.out, path);

/** Files below a folder of the output with this ending, with their paths in the output. */
async function filesIn(folder: string, ending: string): Promise<readonly string[]> {
  const names = await readdir(inOut(folder), { recursive: true });
  return names.filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name}`);
}

const pageOf = async (id: string): Promise<string> =>
  (await filesIn('en/article', 'index.html')).find((path) => path.includes(id)) ?? '';

const anotherBody = { body: '<p>New words.</p>' };
const edit = { eeeeeeeeee: anotherBody };

/** A time that can be set again: one with a fraction of a millisecond cannot. */
const setTime = (path: string) => utimes(inOut(path), 1_700_000_000, 1_700_000_000);

/** Changes words of files without a trace: only who does not read them publishes the change again. */
async function mark(paths: readonly string[], pagesPerPart = small): Promise<void> {
  for (const path of paths) await setTime(path);
  // Sees and remembers the times.
  await rm(inOut('404.html'));
  await build({}, pagesPerPart);
  for (const path of paths) {
    const text = await readFile(inOut(path), 'utf8');
    expect(text, path).toContain('Steady');
    await writeFile(inOut(path), text.replaceAll('Steady', 'Mteady'));
    await setTime(path);
  }
  await ignoreChangeTimes(project.cache);
}

/** Expects the output of a build without previous output and cache. */
async function expectAsFirst(pagesPerPart = small): Promise<void> {
  // The feed's history depends on earlier runs.
  const isCompared = (path: string) =>
    !/^feed\/(?:changes\/|manifest|en\/documents)|^output-files\.txt$|^addresses\.json$|^_redirects$/.test(
      path,
    );
  const files = async () =>
    Object.fromEntries(Object.entries(await hashTree(project.out)).filter(([path]) => isCompared(path)));
  const incremental = await files();
  await project.forget();
  await rm(project.out, { recursive: true });
  expect((await build({}, pagesPerPart)).renderedPages).toBeGreaterThan(0);
  expect(incremental).toEqual(await files());
}

describe('a build after the body of one article changed', () => {
  it.each(ids)('renders that article and no other: %s', async (id) => {
    await write();
    expect((await build()).renderedPages).toBe(ids.length);
    await write({ [id]: anotherBody });
    const report = await build();
    expect(report.renderedPages).toBe(1);
    expect(report.changes).toBe(1);
    expect(await readFile(inOut(await pageOf(id)), 'utf8')).toContain('New words');
    await expectAsFirst();
  });

  it('does not read the pages of other articles', async () => {
    await write();
    await build();
    const ofOthers = [await pageOf('bbbbbbbbbb')];
    await mark(ofOthers);
    await write(edit);
    await build();
    for (const path of ofOthers) expect(await readFile(inOut(path), 'utf8'), path).toContain('Mteady');
  });

  it('leaves no file with a later change time than the stored one, which the next build would read', async () => {
    await write();
    await build();
    await write(edit);
    expect((await build()).renderedPages).toBe(1);
    const finishedMs = await readFinishedMs(project.cache);
    const paths = await filesIn('.', '');
    expect(paths).toContain(`./${await pageOf('bbbbbbbbbb')}`);
    for (const path of paths) {
      const found = await stat(inOut(path));
      if (found.isFile()) expect(found.ctimeMs, path).toBeLessThan(finishedMs);
    }
  });

  it('copies the texts of other articles from the files of the last output', async () => {
    await write();
    await build({}, large);
    const shared = ['feed/en/chunks.jsonl', 'feed/en/source.txt', 'llms-full.txt', 'feed/en/documents.jsonl'];
    await mark(shared, large);
    await write(edit);
    expect((await build({}, large)).renderedPages).toBe(1);
    for (const path of shared) {
      const text = await readFile(inOut(path), 'utf8');
      expect(text, path).not.toContain('Steady');
      expect(text, path).toContain('Mteady');
      expect(text, path).toContain('New words');
    }
  });
});

describe('a build when nothing but an article is new', () => {
  it.each([small, large])(
    'divides the search index as a first build does: %j pages per part',
    async (pagesPerPart) => {
      await write({}, { written: ids.slice(0, 4) });
      await build({}, pagesPerPart);
      await write();
      await build({}, pagesPerPart);
      await expectAsFirst(pagesPerPart);
    },
  );
});

describe('a link to a URL of the site that names no article', () => {
  it('is removed as soon as there is a draft with that id, although nothing else changed', async () => {
    const blog = 'https://help.example.com/blog/article/ffffffffff';
    const articles = ids.map((id): WrittenArticle => {
      const body = id === 'bbbbbbbbbb' ? `<p><a href="${blog}">Blog</a></p>` : '<p>Steady words.</p>';
      return { id, categoryId: null, texts: { en: { title: id, body } } };
    });
    await project.write(articles, []);
    await build();
    expect(await readFile(inOut(await pageOf('bbbbbbbbbb')), 'utf8')).toContain(`href="${blog}"`);
    await project.write(articles, [], { excluded: new Map([['ffffffffff', 'draft']]) });
    expect((await build()).renderedPages).toBe(1);
    expect(await readFile(inOut(await pageOf('bbbbbbbbbb')), 'utf8')).not.toContain('ffffffffff');
  });
});

describe('a build renders only the edited article', () => {
  /** Pages rendered when, besides something that is no change, one body changes. */
  async function renderedBeside(change: () => Promise<void>, before: Changes = {}): Promise<number> {
    await write(before);
    await build();
    await change();
    return (await build()).renderedPages;
  }
  it('when pages have copied images', async () => {
    const image = { bbbbbbbbbb: { body: `<p><img alt="" src="${dataAddress(png(8, 8))}"></p>` } };
    expect(await renderedBeside(() => write({ ...image, ...edit }), image)).toBe(1);
    expect(await filesIn('assets/media', '.png')).toHaveLength(1);
  });

  it('when the output was copied without its times', async () => {
    const rendered = renderedBeside(async () => {
      for (const path of await readdir(project.out, { recursive: true })) {
        if ((await stat(inOut(path))).isFile()) await utimes(inOut(path), 1, 1);
      }
      await write(edit);
    });
    expect(await rendered).toBe(1);
  });

  it('when an article links to itself or to a missing article', async () => {
    const links = {
      bbbbbbbbbb: { body: '<a href="/article/bbbbbbbbbb">me</a> <a href="/article/none">?</a>' },
    };
    expect(await renderedBeside(() => write({ ...links, ...edit }), links)).toBe(1);
  });

  it('when nothing but a file of no article is missing', async () => {
    expect(await renderedBeside(() => rm(inOut('404.html')))).toBe(0);
    expect((await stat(inOut('404.html'))).isFile()).toBe(true);
  });
});

describe('a build renders an article again', () => {
  it.each<[string, (page: string) => Promise<void>]>([
    ['was edited', (page) => appendFile(page, 'edited')],
    [
      'was edited to as many bytes',
      async (page) => writeFile(page, (await readFile(page)).fill('x', 20, 30)),
    ],
    ['is gone', (page) => rm(page)],
  ])('and no other, when its page %s in the output', async (_what, change) => {
    await write();
    await build();
    const page = inOut(await pageOf('bbbbbbbbbb'));
    const before = await readFile(page, 'utf8');
    await change(page);
    expect((await build()).renderedPages).toBe(1);
    expect(await readFile(page, 'utf8')).toBe(before);
  });

  it('when a copied image of it is gone from the output', async () => {
    await write({ bbbbbbbbbb: { body: `<p><img alt="" src="${dataAddress(png(8, 8))}"></p>` } });
    await build();
    const [image = ''] = await filesIn('assets/media', '.png');
    await rm(inOut(image));
    expect((await build()).renderedPages).toBe(1);
    expect(await readFile(inOut(image))).toEqual(png(8, 8));
  });

  it('when an article it links to has another URL', async () => {
    const links = { bbbbbbbbbb: { body: '<p><a href="/article/eeeeeeeeee">there</a></p>' } };
    await write(links);
    await build();
    await write({
      ...links,
      eeeeeeeeee: { texts: { en: { title: 'Title of eeeeeeeeee', slug: 'other', body: '<p>Words.</p>' } } },
    });
    await build();
    expect(await readFile(inOut(await pageOf('bbbbbbbbbb')), 'utf8')).toContain('eeeeeeeeee-other/');
  });
});

it('redirects from an alias that was added to a page while nothing else changed', async () => {
  const withAliases = (aliases: readonly string[]): Changes => ({
    bbbbbbbbbb: { texts: { en: { title: 'Bread', body: '<p>Words.</p>', aliases } } },
  });
  await write(withAliases(['old']));
  await build();
  await write(withAliases(['older']));
  expect((await build()).renderedPages).toBe(0);
  const redirects = await readFile(inOut('_redirects'), 'utf8');
  expect(redirects).toContain('/older ');
  await expectAsFirst();
});

describe('a build after an edit that other articles show', () => {
  const two = [category('oooooooooo', 'One'), category('tttttttttt', 'Two')];
  /** Two articles in each of two categories, and one in none. No title is like another, so that none is related. */
  const placed: Changes = {
    aaaaaaaaaa: { title: 'Apples', categoryId: 'oooooooooo' },
    bbbbbbbbbb: { title: 'Bread', categoryId: 'oooooooooo' },
    cccccccccc: { title: 'Cheese', categoryId: 'tttttttttt' },
    dddddddddd: { title: 'Dates', categoryId: 'tttttttttt' },
    eeeeeeeeee: { title: 'Eggs' },
  };

  /** Ids of the articles that a build renders: those whose row it writes. */
  async function rendered(changes: Changes, rest: Rest = {}): Promise<readonly string[]> {
    await write(placed, { categories: two });
    await build();
    // A row that is written again gets another number.
    const [lastRow] = inDatabase(project.cache, (database) =>
      database.prepare('SELECT max(rowid) FROM rendered').pluck().all(),
    );
    await write({ ...placed, ...changes }, { categories: two, ...rest });
    const { renderedPages } = await build();
    const stale = inDatabase(project.cache, (database) =>
      database
        .prepare('SELECT article_id FROM rendered WHERE rowid > ? ORDER BY article_id')
        .pluck()
        .all(lastRow),
    ) as string[];
    expect(renderedPages).toBe(stale.length);
    await expectAsFirst();
    return stale;
  }

  it('renders also the articles that name it as related', async () => {
    const named = { ...placed, eeeeeeeeee: { title: 'Dates of apples' } };
    await write(named, { categories: two });
    await build();
    const isShown = async (id: string) =>
      (await readFile(inOut(await pageOf(id)), 'utf8')).includes('Dates of apples');
    const shown = [];
    for (const id of ids) if (await isShown(id)) shown.push(id);
    expect(shown).not.toEqual(['eeeeeeeeee']);
    expect(shown.length).toBeLessThan(ids.length);
    await write({ ...named, eeeeeeeeee: { title: 'Dates of apples!' } }, { categories: two });
    expect((await build()).renderedPages).toBe(shown.length);
    await expectAsFirst();
  });

  it('renders nothing but the article for another tag', async () => {
    expect(await rendered({ aaaaaaaaaa: { ...placed.aaaaaaaaaa, tags: ['other'] } })).toEqual(['aaaaaaaaaa']);
  });

  it('renders the articles of its category, which show its title, and no other', async () => {
    expect(await rendered({ aaaaaaaaaa: { ...placed.aaaaaaaaaa, title: 'Pears' } })).toEqual([
      'aaaaaaaaaa',
      'bbbbbbbbbb',
    ]);
  });

  it.each([
    ['shows its title', { aaaaaaaaaa: { ...placed.aaaaaaaaaa, title: 'Pears' } }, 2],
    ['has related articles by its words', { eeeeeeeeee: { title: 'Dates, eggs' } }, 2],
    ['has the same title now', { aaaaaaaaaa: { ...placed.aaaaaaaaaa, title: 'Cheese' } }, 4],
  ])('compares the key of no article but the edited one and each that %s', async (_what, changes, pages) => {
    await write(placed, { categories: two });
    await build();
    inDatabase(project.cache, (database) => database.exec("UPDATE rendered SET key = 'another'"));
    await write({ ...placed, ...changes }, { categories: two });
    expect((await build()).renderedPages).toBe(pages);
    await expectAsFirst();
    // What is stored of titles is that of the last build, not that of the one that rendered their pages.
    await write(placed, { categories: two });
    expect((await build()).renderedPages).toBeGreaterThan(0);
    await expectAsFirst();
  });

  it('renders an article that is the home page, where a title moves another one to the front of a category', async () => {
    const home = { texts: { en: { title: 'Welcome', body: '<p>Words.</p>', sourcePath: '/' } } };
    const fruits = ['Apples', 'Bananas', 'Cherries', 'Dates', 'Figs', 'Grapes', 'Limes', 'Melons'];
    const written = ['hhhhhhhhhh', ...fruits.map((fruit) => fruit.padEnd(10, '0').toLowerCase())];
    const named = (last: string) =>
      Object.fromEntries(
        written.map((id, at) => [
          id,
          at === 0 ? home : { title: at === 8 ? last : fruits[at - 1], categoryId: 'oooooooooo' },
        ]),
      ) as Changes;
    await write(named('Melons'), { written, categories: two });
    await build();
    expect(await readFile(inOut('index.html'), 'utf8')).not.toContain('Melons');
    await write(named('Almonds'), { written, categories: two });
    await build();
    expect(await readFile(inOut('index.html'), 'utf8')).toContain('Almonds');
    await expectAsFirst();
  });

  it('renders the articles of both categories when it moves from one to the other', async () => {
    expect(await rendered({ bbbbbbbbbb: { ...placed.bbbbbbbbbb, categoryId: 'tttttttttt' } })).toEqual([
      'aaaaaaaaaa',
      'bbbbbbbbbb',
      'cccccccccc',
      'dddddddddd',
    ]);
  });

  it('renders the articles of its category when it is deleted, and forgets it', async () => {
    const written = ids.filter((id) => id !== 'bbbbbbbbbb');
    expect(await rendered({}, { written })).toEqual(['aaaaaaaaaa']);
    const known = inDatabase(project.cache, (database) =>
      database.prepare('SELECT article_id FROM rendered ORDER BY article_id').pluck().all(),
    );
    expect(known).toEqual(written);
  });
});

describe('a build renders every article', () => {
  it.each<[string, () => Promise<Partial<UserConfig> | undefined>]>([
    ['with another setting', async () => ({ site: { title: 'Other' } })],
    ['with another template', () => writeTemplate().then()],
    ['without the database', () => rm(databaseFile(project.cache)).then()],
    ['without the rest of the cache', () => project.forget().then()],
    ['without the previous output', () => rm(project.out, { recursive: true }).then()],
    ['when the manifest was edited', () => appendFile(inOut('feed/manifest.json'), ' ').then()],
  ])('%s', async (_what, change) => {
    await write();
    await build();
    const config = (await change()) ?? {};
    await write(edit);
    expect((await build(config)).renderedPages).toBe(ids.length);
  });

  it('of several outputs in turn that share one cache, and each is right', async () => {
    await write();
    const [one, other] = [{}, { out: 'other', site: { title: 'Other' } }];
    for (const config of [one, other, one, other]) {
      expect((await build(config)).renderedPages).toBe(ids.length);
    }
    await write(edit);
    for (const config of [other, one]) await build(config);
    const outputs = [project.out, join(project.folder, 'other')];
    const shared = await Promise.all(outputs.map(pagesOf));
    for (const out of outputs) await rm(out, { recursive: true });
    await project.forget();
    for (const config of [one, other]) await build(config);
    expect(shared).toEqual(await Promise.all(outputs.map(pagesOf)));
    expect(shared[0]).not.toEqual(shared[1]);
  });
});

it.each(['feed/en/source.json', 'llms-full.txt'])(
  'restores an edited copy of texts that another file has without rendering an article: %s',
  async (path) => {
    await write();
    await build();
    const before = await readFile(inOut(path), 'utf8');
    await appendFile(inOut(path), 'x');
    expect((await build()).renderedPages).toBe(0);
    expect(await readFile(inOut(path), 'utf8')).toBe(before);
  },
);

it.each([
  ['feed/en', /^source\.txt$/],
  ['feed/en', /^documents\.jsonl$/],
  ['feed/en', /^chunks\.jsonl$/],
  ['assets/search/en', /-0\.json$/],
])('restores an edited file of many articles, whose texts are only there: %s, %s', async (folder, name) => {
  await write();
  await build();
  const names = await readdir(inOut(folder));
  const file = inOut(`${folder}/${names.find((one) => name.test(one))}`);
  const before = await readFile(file, 'utf8');
  await appendFile(file, 'x');
  const { renderedPages, changes } = await build();
  expect([renderedPages, changes]).toEqual([ids.length, 0]);
  expect(await readFile(file, 'utf8')).toBe(before);
  expect((await build()).renderedPages).toBe(0);
});

/** Hashes of the pages below `en`. */
const pagesOf = (out: string) => hashTree(join(out, 'en'));

async function writeTemplate(): Promise<void> {
  await mkdir(join(project.folder, 'templates/hooks'), { recursive: true });
  await writeFile(join(project.folder, 'templates/hooks/footer-end.eta'), '<p>Hello</p>');
}

it('the hash of media is the same whatever the reason why a file is refused', () => {
  const hashOf = (media: PublishedMedia) => hashMedia(new Map([['https://folder.invalid/a.png', media]]));
  const refused = hashOf({ kind: 'refused', why: 'it cannot be read (ENOENT)' });
  expect(hashOf({ kind: 'refused', why: 'it cannot be read (EACCES)' })).toBe(refused);
  expect(hashOf({ kind: 'file', href: '/a.png', url: '/a.png' })).not.toBe(refused);
  expect(hashMedia(new Map())).not.toBe(refused);
});

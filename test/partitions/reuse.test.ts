import { appendFile, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UserConfig } from '../../src/config/schema.ts';
import type { PublishedMedia } from '../../src/media/media-table.ts';
import { createBuildKeys, hashMedia } from '../../src/partitions/reuse.ts';
import { partitionOf } from '../../src/plan/partitions.ts';
import { dataAddress, png } from '../media/images.ts';
import { hashTree } from '../support/hash-tree.ts';
import {
  createOfflineProject,
  type OfflineProject,
  type WrittenArticle,
} from '../support/offline-project.ts';

let project: OfflineProject;
beforeEach(async () => {
  project = await createOfflineProject();
});
afterEach(() => project.remove());

/** Five articles: two in one partition, each other one alone in its own. */
const ids = ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc', 'dddddddddd', 'eeeeeeeeee'] as const;
const bits = 2;
const build = (config: Partial<UserConfig> = {}, documents = 1) =>
  project.build(config, { partitionSizes: { pages: 1, documents } });

type Changes = Readonly<
  Record<string, Partial<WrittenArticle> & { readonly title?: string; readonly body?: string }>
>;

/** Writes the knowledge base with these changes to articles. */
async function write(
  changes: Changes = {},
  top: readonly string[] = ids,
  step = 1,
  written: readonly string[] = ids,
): Promise<void> {
  const articles = written.map((id): WrittenArticle => {
    const {
      title = `Title of ${id}`,
      body = `<p>${'Steady words. '.repeat(100)}</p>`,
      ...rest
    } = changes[id] ?? {};
    return { id, categoryId: null, tags: [id], texts: { en: { title, body } }, ...rest };
  });
  const counts = top.map((articleId, at) => ({ articleId, count: step * (top.length - at) }));
  await project.write(articles, [], { topArticles: new Map([['en', counts]]) });
}

const inOut = (path: string) => join(project.out, path);

/** Files below a folder of the output with this ending, with their paths in the output. */
async function filesIn(folder: string, ending: string): Promise<readonly string[]> {
  const names = await readdir(inOut(folder), { recursive: true });
  return names.filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name}`);
}

const pageOf = async (id: string): Promise<string> =>
  (await filesIn('en/article', 'index.html')).find((path) => path.includes(id)) ?? '';

/** How many articles the partition of an article has. */
const partitionSize = (id: string) =>
  ids.filter((other) => partitionOf(other, bits) === partitionOf(id, bits)).length;

const anotherBody = { body: '<p>New words.</p>' };

/** A time that can be set again: one with a fraction of a millisecond cannot. */
const setTime = (path: string) => utimes(inOut(path), 1_700_000_000, 1_700_000_000);

/** Changes words of files without a trace in size and time: only who does not read them repeats it. */
async function mark(paths: readonly string[], documents = 1): Promise<void> {
  for (const path of paths) await setTime(path);
  // Sees and remembers the times.
  await rm(inOut('404.html'));
  await build({}, documents);
  for (const path of paths) {
    const text = await readFile(inOut(path), 'utf8');
    await writeFile(inOut(path), text.replaceAll('Steady', 'Mteady'));
    await setTime(path);
  }
}

describe('a build after the body of one article changed', () => {
  it.each(ids)('renders the partition of that article and no other: %s', async (id) => {
    await write();
    expect((await build()).renderedPages).toBe(ids.length);
    await write({ [id]: anotherBody });
    const report = await build();
    expect(report.renderedPages).toBe(partitionSize(id));
    expect(report.changes).toBe(1);
    expect(await readFile(inOut(await pageOf(id)), 'utf8')).toContain('New words');
  });

  it('does not read the pages and feed sections of other partitions', async () => {
    await write();
    await build();
    const reused = await pageOf('bbbbbbbbbb');
    const documents = (await filesIn('feed/en/documents', '.jsonl')).filter((path) => path.length > 0);
    const ofReused = [];
    for (const path of documents) {
      if ((await readFile(inOut(path), 'utf8')).includes('"bbbbbbbbbb')) ofReused.push(path);
    }
    expect(ofReused).toHaveLength(1);
    const marked = [reused, ...ofReused];
    await mark(marked);
    await write({ eeeeeeeeee: anotherBody });
    await build();
    for (const path of marked) expect(await readFile(inOut(path), 'utf8'), path).toContain('Mteady');
  });

  it('copies the sections of other partitions into files of all of them', async () => {
    // All chunks are in one file.
    const documents = 100;
    await write();
    await build({}, documents);
    const shared = ['feed/en/chunks.jsonl', 'feed/source.txt', 'en/llms-full.txt'];
    await mark(shared, documents);
    await write({ eeeeeeeeee: anotherBody });
    await build({}, documents);
    for (const path of shared) {
      const text = await readFile(inOut(path), 'utf8');
      expect(text, path).toContain('Mteady');
      expect(text, path).toContain('New words');
    }
  });

  it('keeps the compressed copies of the pages that are the same', async () => {
    const config = { output: { compress: ['gz' as const] } };
    // Both are in one partition, so that both are rendered.
    const [same, edited] = ['aaaaaaaaaa', 'dddddddddd'] as const;
    expect(partitionOf(same, bits)).toBe(partitionOf(edited, bits));
    await write();
    await build(config);
    const copy = `${await pageOf(same)}.gz`;
    await setTime(copy);
    await rm(inOut('404.html'));
    await build(config);
    // Who compresses the page again writes another copy.
    const bytes = await readFile(inOut(copy));
    await writeFile(inOut(copy), bytes.fill(0, 10, 20));
    await setTime(copy);
    await write({ [edited]: anotherBody });
    expect((await build(config)).renderedPages).toBe(2);
    expect(await readFile(inOut(copy))).toEqual(bytes);
  });
});

describe('a partition whose articles are in several files of the feed', () => {
  /** SHA-256 of each file of records. */
  async function recordFiles(): Promise<ReadonlyMap<string, string>> {
    const files = Object.entries(await hashTree(inOut('feed/en')));
    return new Map(files.filter(([path]) => /^(?:documents|chunks)\//.test(path)));
  }

  it('is rendered as a whole, and only the files of the edited article are others', async () => {
    const partitionSizes = { pages: 100, documents: 1 };
    await write();
    await project.build({}, { partitionSizes });
    const before = await recordFiles();
    await write({ eeeeeeeeee: anotherBody });
    expect((await project.build({}, { partitionSizes })).renderedPages).toBe(ids.length);
    const after = await recordFiles();
    expect([...after.keys()]).toEqual([...before.keys()]);
    const changed = [...after].filter(([path, sha256]) => before.get(path) !== sha256);
    expect(changed.map(([path]) => path)).toEqual(['chunks/01.jsonl', 'documents/01.jsonl']);
  });

  it('is rendered again when another number of articles makes these files smaller', async () => {
    const partitionSizes = { pages: 2, documents: 1 };
    // In a file of each kind, two partitions.
    const few = ids.slice(0, 4);
    await write({}, ids, 1, few);
    await project.build({}, { partitionSizes });
    expect(await filesIn('feed/en', 'documents.jsonl')).toHaveLength(1);
    await write();
    expect((await project.build({}, { partitionSizes })).renderedPages).toBe(ids.length);
    const incremental = await recordFiles();
    expect(incremental.size).toBe(2 * ids.length);
    await project.forget();
    await rm(project.out, { recursive: true });
    await project.build({}, { partitionSizes });
    expect(await recordFiles()).toEqual(incremental);
  });

  it('has another build key if its slices differ, although its articles are the same', () => {
    const keysWith = (sliceBits: number) => {
      const keys = createBuildKeys('inputs', 'metadata', { sliceBits });
      return [keys.key([]), keys.quickKey([])];
    };
    expect(new Set([...keysWith(1), ...keysWith(2)]).size).toBe(4);
    expect(keysWith(1)).toEqual(keysWith(1));
  });
});

describe('a build reuses every other partition', () => {
  /** Pages rendered when, besides something that is no change, one body changes. */
  async function renderedBeside(change: () => Promise<void>, before: Changes = {}): Promise<number> {
    await write(before);
    await build();
    await change();
    return (await build()).renderedPages;
  }
  const edit = { eeeeeeeeee: anotherBody };

  it('when views were counted', async () => {
    expect(await renderedBeside(() => write(edit, ids, 7))).toBe(partitionSize('eeeeeeeeee'));
  });

  it('when pages have copied images', async () => {
    const image = { bbbbbbbbbb: { body: `<p><img alt="" src="${dataAddress(png(8, 8))}"></p>` } };
    expect(await renderedBeside(() => write({ ...image, ...edit }), image)).toBe(partitionSize('eeeeeeeeee'));
    expect(await filesIn('assets/media', '.png')).toHaveLength(1);
  });

  it('when the output was copied without its times', async () => {
    const rendered = renderedBeside(async () => {
      for (const path of await readdir(project.out, { recursive: true })) {
        if ((await stat(inOut(path))).isFile()) await utimes(inOut(path), 1, 1);
      }
      await write(edit);
    });
    expect(await rendered).toBe(partitionSize('eeeeeeeeee'));
  });

  it('when an article links to itself or to a missing article', async () => {
    const links = {
      bbbbbbbbbb: { body: '<a href="/article/bbbbbbbbbb">me</a> <a href="/article/none">?</a>' },
    };
    expect(await renderedBeside(() => write({ ...links, ...edit }), links)).toBe(partitionSize('eeeeeeeeee'));
  });

  it('when nothing but a file of no partition is missing', async () => {
    expect(await renderedBeside(() => rm(inOut('404.html')))).toBe(0);
    expect((await stat(inOut('404.html'))).isFile()).toBe(true);
  });
});

describe('a build renders a partition again', () => {
  it.each<[string, (page: string) => Promise<void>]>([
    ['was edited', (page) => appendFile(page, 'edited')],
    [
      'was edited to as many bytes',
      async (page) => writeFile(page, (await readFile(page)).fill('x', 20, 30)),
    ],
    ['is gone', (page) => rm(page)],
  ])('when a page of it %s in the output', async (_what, change) => {
    await write();
    await build();
    const page = inOut(await pageOf('bbbbbbbbbb'));
    const before = await readFile(page, 'utf8');
    await change(page);
    expect((await build()).renderedPages).toBe(partitionSize('bbbbbbbbbb'));
    expect(await readFile(page, 'utf8')).toBe(before);
  });

  it('when a copied image of it is gone from the output', async () => {
    await write({ bbbbbbbbbb: { body: `<p><img alt="" src="${dataAddress(png(8, 8))}"></p>` } });
    await build();
    const [image = ''] = await filesIn('assets/media', '.png');
    await rm(inOut(image));
    expect((await build()).renderedPages).toBe(partitionSize('bbbbbbbbbb'));
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

describe('a build renders every partition', () => {
  it.each<[string, () => Promise<Partial<UserConfig> | undefined>]>([
    ['with another setting', async () => ({ site: { title: 'Other' } })],
    [
      'without the records of the cache',
      () => rm(join(project.cache, 'partitions'), { recursive: true }).then(),
    ],
    ['without the previous output', () => rm(project.out, { recursive: true }).then()],
    ['when a file that holds sections was edited', () => appendFile(inOut('en/llms-full.txt'), 'x').then()],
  ])('%s', async (_what, change) => {
    await write();
    await build();
    const config = (await change()) ?? {};
    await write({ eeeeeeeeee: anotherBody });
    expect((await build(config)).renderedPages).toBe(ids.length);
  });
});

it('the hash of media is the same whatever the reason why a file is refused', () => {
  const hashOf = (media: PublishedMedia) => hashMedia([new Map([['https://folder.invalid/a.png', media]])]);
  const refused = hashOf({ kind: 'refused', why: 'it cannot be read (ENOENT)' });
  expect(hashOf({ kind: 'refused', why: 'it cannot be read (EACCES)' })).toBe(refused);
  expect(hashOf({ kind: 'file', href: '/a.png', url: '/a.png' })).not.toBe(refused);
  expect(hashMedia([new Map()])).not.toBe(refused);
});

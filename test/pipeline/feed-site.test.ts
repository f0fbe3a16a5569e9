import { cpSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../src/core/config/load-config.ts';
import type { BuildReport } from '../../src/core/report.ts';
import { createFolderReader } from '../../src/feed/read/feed-reader.ts';
import type { Manifest } from '../../src/feed/read/manifest.ts';
import type { ChunkRecord, DocumentRecord } from '../../src/feed/records/record-schemas.ts';
import { verifyFeed } from '../../src/feed/verify/verify-feed.ts';
import { feedSite } from '../../src/pipeline/feed-site.ts';
import { recordsIn } from '../support/feed-records.ts';
import { writeTree } from '../support/folder-layouts.ts';
import { readTree } from '../support/read-tree.ts';
import { openSiteProject, sitePage, siteUrl, smallSite } from './support/built-site.ts';

interface FeedOptions {
  readonly cache?: string;
  readonly strict?: boolean;
  readonly since?: string;
}

/** A project whose feed is written as the command does it. */
function openProject() {
  const project = openSiteProject();
  const { site, folder } = project;
  const read = (path: string): string => readFileSync(join(site, path), 'utf8');
  const readLines = <T>(path: string): readonly T[] => recordsIn<T>(read(path));
  return {
    ...project,
    feed({ cache, ...options }: FeedOptions = {}): Promise<BuildReport> {
      const source = { kind: 'site', path: 'build' } as const;
      const config = parseSettings(
        { source, siteUrl, ...(cache === undefined ? {} : { cache }) },
        () => 'the test',
      );
      return feedSite(config, {
        ...{ apiKey: null, folder, offline: false, allowMassDelete: false, insecureLoopback: false },
        ...{ strict: false, generator: 'lectern test', now: '2026-11-28T12:00:00Z', ...options },
      });
    },
    read,
    write: (path: string, text: string) => writeTree(site, { [path]: text }),
    manifest: (): Manifest => JSON.parse(read('feed/manifest.json')) as Manifest,
    documents: () => readLines<DocumentRecord>('feed/en/documents.jsonl'),
    chunks: () => readLines<ChunkRecord>('feed/en/chunks.jsonl'),
    changes: (seq: number) =>
      readLines<{ op: string; id: string; reason?: string; document?: DocumentRecord }>(
        `feed/changes/${seq}.jsonl`,
      ),
    /** Paths and contents of all files with the times of their last change. */
    async state(): Promise<ReadonlyMap<string, string>> {
      const tree = await readTree(site);
      return new Map(
        [...tree].map(([path, bytes]) => [path, `${statSync(join(site, path)).mtimeMs} ${bytes}`]),
      );
    },
    async verify(): Promise<unknown> {
      const tree = await readTree(site);
      const files = [...tree.keys()].filter((path) => path.startsWith('feed/'));
      return (await verifyFeed(createFolderReader(site).read, files)).findings;
    },
  };
}

const added = [
  'feed/en/chunks.jsonl',
  'feed/en/documents.jsonl',
  'feed/en/source.json',
  'feed/en/source.txt',
  'feed/files.json',
  'feed/manifest.json',
  'guide/install.html.md',
  'guide/use/index.html.md',
  'index.html.md',
  'llms-full.txt',
  'llms.txt',
];

describe('the feed of a built site', () => {
  it('writes the URLs of pages and images as the site has them, with the signs that a path may contain', async () => {
    const project = openProject();
    project.generate({
      'api/@kettle/core.html': sitePage('Core', '<p>Text. <img src="/img/a@2x.png" alt="A lid"></p>'),
      'index.html': sitePage('Welcome', '<p>See <a href="/api/@kettle/core.html">the core</a>.</p>'),
      'img/a@2x.png': 'no picture',
    });
    await project.feed();
    expect(project.documents().map(({ url }) => url)).toContain(`${siteUrl}/api/@kettle/core.html`);
    const text = project.documents().map(({ markdown }) => markdown);
    expect(text.join('\n')).toContain('A lid');
    expect(text.join('\n')).toContain(`[the core](${siteUrl}/api/@kettle/core.html)`);
  });

  it('is written beside the pages, which it names by their own URLs and fragments, and changes nothing else', async () => {
    const { generate, feed, state, documents, chunks, read, verify } = openProject();
    generate(smallSite);
    const before = await state();
    const report = await feed();
    expect(report).toMatchObject({ articles: 3, pages: 3, excluded: { noindex: 1 }, seq: 1, files: 10 });
    const after = await state();
    expect([...after.keys()].filter((path) => !before.has(path))).toEqual(added);
    for (const [path, file] of before) expect([path, after.get(path)]).toEqual([path, file]);
    const urls = documents().map(({ url }) => url.slice(siteUrl.length));
    expect(urls.sort()).toEqual(['/', '/guide/install', '/guide/use/']);
    for (const path of ['index.html.md', 'guide/install.html.md', 'guide/use/index.html.md'])
      expect(after.has(path)).toBe(true);
    const ids = documents().flatMap(({ headings }) => headings.map(({ id }) => id));
    expect(ids).toEqual(['stepTwo']);
    for (const { url } of chunks())
      expect([
        `${siteUrl}/`,
        `${siteUrl}/guide/install`,
        `${siteUrl}/guide/install#stepTwo`,
        `${siteUrl}/guide/use/`,
      ]).toContain(url);
    expect(read('index.html.md')).toContain(`[the second step](${siteUrl}/guide/install#stepTwo)`);
    expect(read('index.html.md')).toContain('\n\nA picture\n');
    expect(read('guide/install.html.md')).toContain(`[installer](${siteUrl}/files/setup.zip)`);
    expect(read('llms.txt')).toMatch(/^# Example Docs\n/);
    for (const [path, file] of after) {
      if (!before.has(path))
        expect([path, /TOPSECRET|folder\.invalid|secret\.html/.test(file)]).toEqual([path, false]);
    }
    expect(await verify()).toEqual([]);
  });

  it('is left as it is if nothing changed, and else changes only what the page changed', async () => {
    const { generate, feed, state, write, changes } = openProject();
    generate(smallSite);
    await feed();
    const first = await state();
    expect(await feed()).toMatchObject({ changes: 0, seq: 1 });
    expect(await state()).toEqual(first);
    write('guide/use/index.html', smallSite['guide/use/index.html']?.replace('button', 'large button') ?? '');
    expect(await feed()).toMatchObject({ changes: 1, seq: 2 });
    const second = await state();
    const changed = [...second].filter(([path, file]) => first.get(path) !== file).map(([path]) => path);
    expect(changed).toEqual([
      'feed/changes/2.jsonl',
      'feed/en/chunks.jsonl',
      'feed/en/documents.jsonl',
      'feed/en/source.json',
      'feed/en/source.txt',
      'feed/files.json',
      'feed/manifest.json',
      'guide/use/index.html',
      'guide/use/index.html.md',
      'llms-full.txt',
      'llms.txt',
    ]);
    expect(changes(2).map(({ op, document }) => [op, document?.title])).toEqual([['upsert', 'Use']]);
  });

  it('keeps its history although the generator empties the folder, and says which page is gone', async () => {
    const { generate, feed, manifest, changes, site, verify, documents } = openProject();
    generate(smallSite);
    await feed();
    const { feed_id } = manifest().run;
    const gone = documents().find(({ title }) => title === 'Use')?.id;
    const { 'guide/use/index.html': _, ...rest } = smallSite;
    // With so few pages, one is a large part.
    const more = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`more-${at}.html`, sitePage(`More ${at}`, `<p>Text ${at}.</p>`)]),
    );
    generate({ ...smallSite, ...more });
    await feed();
    generate({ ...rest, ...more });
    await feed();
    expect(manifest().run).toMatchObject({ feed_id, seq: 3 });
    expect(changes(3)).toEqual([{ op: 'delete', id: gone, reason: 'deleted', was: expect.any(String) }]);
    expect(existsSync(join(site, 'guide/use/index.html.md'))).toBe(false);
    expect(await verify()).toEqual([]);
  });

  it('removes the copy of a page that is gone from a folder that its generator does not empty', async () => {
    const { generate, feed, site } = openProject();
    const more = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`more-${at}.html`, sitePage(`More ${at}`, `<p>Text ${at}.</p>`)]),
    );
    generate({ ...smallSite, ...more });
    await feed();
    rmSync(join(site, 'guide/use/index.html'));
    await feed();
    expect(existsSync(join(site, 'guide/use'))).toBe(false);
    expect(existsSync(join(site, 'guide/install.html.md'))).toBe(true);
  });

  it('leaves files of the site at its paths, reports them, and is complete without them', async () => {
    const { generate, feed, read, verify, state } = openProject();
    const own = { 'llms.txt': '# Own', 'guide/install.html.md': 'Own copy' };
    generate({ ...smallSite, ...own });
    const before = await state();
    await expect(feed({ strict: true })).rejects.toMatchObject({ code: 'STRICT' });
    expect(await state()).toEqual(before);
    const { problems } = await feed();
    const kept = problems.filter(({ code }) => code === 'SITE_FILE_KEPT').map(({ file }) => file);
    expect(kept).toEqual(['build/guide/install.html.md', 'build/llms.txt']);
    for (const [path, text] of Object.entries(own)) expect(read(path)).toBe(text);
    expect(read('llms-full.txt')).toContain('Restart the machine.');
    expect(await verify()).toEqual([]);
  });

  it('is refused if a file of the site is at a path in feed/; files beside it there stay', async () => {
    const { site, generate, feed, read, write, state } = openProject();
    generate(smallSite);
    write('feed/notes.txt', 'Own notes');
    write('feed/manifest.json', 'Own manifest');
    const before = await state();
    await expect(feed()).rejects.toMatchObject({ code: 'OUTPUT_FOREIGN_FILES' });
    expect(await state()).toEqual(before);
    rmSync(join(site, 'feed/manifest.json'));
    await feed();
    expect(read('feed/notes.txt')).toBe('Own notes');
  });

  it('continues the feed in the folder if the cache is lost, and the published one with since', async () => {
    const { folder, generate, feed, manifest, write, site } = openProject();
    generate(smallSite);
    await feed();
    const { feed_id } = manifest().run;
    rmSync(join(folder, '.lectern'), { recursive: true });
    write('guide/use/index.html', smallSite['guide/use/index.html']?.replace('button', 'small button') ?? '');
    await feed();
    expect(manifest().run).toMatchObject({ feed_id, seq: 2 });
    const published = join(folder, 'published');
    cpSync(site, published, { recursive: true });
    rmSync(join(folder, '.lectern'), { recursive: true });
    generate(smallSite);
    await feed({ since: published });
    expect(manifest().run).toMatchObject({ feed_id, seq: 3 });
  });

  it('refuses a cache that would be published, and a folder that is not there', async () => {
    const { generate, feed } = openProject();
    await expect(feed()).rejects.toMatchObject({ code: 'PATH_UNUSABLE', exitCode: 2 });
    generate(smallSite);
    await expect(feed({ cache: 'build/.lectern' })).rejects.toMatchObject({ code: 'CACHE_UNUSABLE' });
  });

  it('has the files for language models of each language in a folder of it', async () => {
    const { generate, feed, site, verify } = openProject();
    const german = sitePage('Willkommen', '<p>Willkommen.</p>', '', 'de');
    generate({ ...smallSite, 'de/index.html': german });
    await feed();
    const files = [...(await readTree(site)).keys()].filter((path) => /llms|^de|^en/.test(path));
    expect(files).toEqual([
      'de/index.html',
      'de/index.html.md',
      'de/llms-full.txt',
      'de/llms.txt',
      'en/llms-full.txt',
      'en/llms.txt',
      'llms.txt',
    ]);
    expect(await verify()).toEqual([]);
  });
});

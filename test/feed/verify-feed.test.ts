import { beforeAll, describe, expect, it } from 'vitest';
import type { ReadFeedFile } from '../../src/feed/feed-reader.ts';
import { diffFeeds } from '../../src/feed/history/diff-feeds.ts';
import { type Manifest, rootHash } from '../../src/feed/manifest.ts';
import { sha256 } from '../../src/feed/records/record-schemas.ts';
import type { FindingCode } from '../../src/feed/verify/findings.ts';
import { verifyFeed } from '../../src/feed/verify/verify-feed.ts';
import { buildSample } from './support/build-sample.ts';
import type { MemoryOutput } from './support/memory-output.ts';
import type { SampleSite } from './support/sample-plan.ts';

const body = (topic: string) =>
  `${`About ${topic} there is a lot to say. `.repeat(30)}\n\n## More\n\n${`More on ${topic}. `.repeat(60)}\n`;

const site: SampleSite = {
  languages: ['en', 'de'],
  categories: [{ id: 'cat1', titles: { en: 'Account', de: 'Konto' } }],
  articles: [
    {
      id: 'aaaaaaaaaa',
      categoryId: 'cat1',
      pages: { en: { title: 'Reset', markdown: body('reset') }, de: { title: 'Neu', markdown: body('neu') } },
    },
    { id: 'bbbbbbbbbb', pages: { en: { title: 'Welcome', markdown: body('welcome') } } },
  ],
};
const later: SampleSite = { ...site, articles: site.articles.slice(0, 1) };

const reader =
  (output: MemoryOutput, changed: Readonly<Record<string, string | null>> = {}): ReadFeedFile =>
  async (path) => {
    const replaced = changed[path];
    if (replaced !== undefined) return replaced === null ? null : Buffer.from(replaced);
    return output.paths().includes(path) ? Buffer.from(output.text(path)) : null;
  };

/** Changes files and lists them in the manifest as if they were meant. */
function tamper(
  output: MemoryOutput,
  changes: Readonly<Record<string, (text: string) => string>>,
): ReadFeedFile {
  const changed = Object.fromEntries(
    Object.entries(changes).map(([path, change]) => [path, change(output.text(path))]),
  );
  const manifest = JSON.parse(changed['feed/manifest.json'] ?? output.text('feed/manifest.json')) as Manifest;
  const files = manifest.files.map((file) => {
    const text = changed[file.path];
    return text === undefined ? file : { ...file, sha256: sha256(text), bytes: Buffer.byteLength(text) };
  });
  const sealed = JSON.stringify({ ...manifest, files, root_hash: rootHash(files) });
  return reader(output, { ...changed, 'feed/manifest.json': sealed });
}

const editLine = (pattern: RegExp, replacement: string) => (text: string) => {
  const edited = text.replace(pattern, replacement);
  if (edited === text) throw new Error(`${pattern} is not in the file`);
  return edited;
};

describe('verifyFeed', () => {
  let output: MemoryOutput;
  beforeAll(async () => {
    output = await buildSample(later, { previous: await buildSample(site) });
  });

  it('finds no error in the output of a build', async () => {
    expect(await verifyFeed(reader(output), { twins: true })).toMatchObject({
      seq: 2,
      documents: 2,
      chunks: 4,
      findings: [],
    });
  });

  const codes = async (read: ReadFeedFile): Promise<readonly FindingCode[]> => {
    const { findings } = await verifyFeed(read, { twins: true });
    return [...new Set(findings.map(({ code }) => code))].sort();
  };

  it('says so when there is no manifest, or none that can be read', async () => {
    expect(await codes(reader(output, { 'feed/manifest.json': null }))).toEqual(['MANIFEST_INVALID']);
    expect(await codes(reader(output, { 'feed/manifest.json': '{"schema":1}' }))).toEqual([
      'MANIFEST_INVALID',
    ]);
    expect(await codes(reader(output, { 'feed/manifest.json': '<html>' }))).toEqual(['MANIFEST_INVALID']);
  });

  it('finds a changed and a missing file, whichever it is', async () => {
    const { files } = JSON.parse(output.text('feed/manifest.json')) as Manifest;
    for (const { path } of files) {
      expect(await codes(reader(output, { [path]: `${output.text(path)} ` }))).toContain('FILE_CHANGED');
      expect(await codes(reader(output, { [path]: null }))).toContain('FILE_MISSING');
    }
  });

  it.each<readonly [string, FindingCode, string, (text: string) => string]>([
    [
      'a field of the wrong type',
      'RECORD_INVALID',
      'feed/en/documents.jsonl',
      editLine(/"tags":\[\]/, '"tags":null'),
    ],
    ['a line that is not JSON', 'RECORD_INVALID', 'feed/en/chunks.jsonl', (text) => `${text}{\n`],
    ['a document twice', 'ID_WRONG', 'feed/en/documents.jsonl', (text) => text + text],
    [
      'an id of another article',
      'ID_WRONG',
      'feed/en/documents.jsonl',
      editLine(/a-aaaaaaaaaa-en/, 'a-cccccccccc-en'),
    ],
    ['a missing record', 'COUNT_WRONG', 'feed/en/documents.jsonl', () => ''],
    ['another title', 'HASH_WRONG', 'feed/en/documents.jsonl', editLine(/"Reset"/, '"Set"')],
    ['another tag', 'HASH_WRONG', 'feed/en/documents.jsonl', editLine(/"tags":\[\]/, '"tags":["x"]')],
    ['an offset beside the text', 'OFFSET_WRONG', 'feed/en/chunks.jsonl', editLine(/"start":0/, '"start":1')],
    ['another text', 'HASH_WRONG', 'feed/en/chunks.jsonl', editLine(/"text":"About/, '"text":"Above')],
    ['a broken chain', 'ORDER_WRONG', 'feed/en/chunks.jsonl', editLine(/"seq":2/, '"seq":1')],
    [
      'a link to nothing',
      'LINK_BROKEN',
      'feed/en/documents.jsonl',
      editLine(/"internal":\[\]/, '"internal":["a-x-en"]'),
    ],
    [
      'an alternate that is not there',
      'LINK_BROKEN',
      'feed/de/documents.jsonl',
      editLine(/"alternates":\{/, '"alternates":{"fr":"x",'),
    ],
    ['a change of another run', 'SEQUENCE_WRONG', 'feed/changes/2.jsonl', editLine(/"seq":2/, '"seq":3')],
    [
      'a delete of what is there',
      'SEQUENCE_WRONG',
      'feed/changes/2.jsonl',
      editLine(/a-bbbbbbbbbb-en/, 'a-aaaaaaaaaa-en'),
    ],
    [
      'a tombstone of what is there',
      'TOMBSTONE_WRONG',
      'feed/tombstones.jsonl',
      editLine(/a-bbbbbbbbbb-en/, 'a-aaaaaaaaaa-en'),
    ],
    ['a deletion without tombstone', 'TOMBSTONE_WRONG', 'feed/tombstones.jsonl', () => ''],
    [
      'a source page without an article',
      'COUNT_WRONG',
      'feed/de/source.json',
      editLine(/"articles":\[[\s\S]*\]/, '"articles":[]'),
    ],
    ['a wrong run number', 'SEQUENCE_WRONG', 'feed/manifest.json', editLine(/"seq": 2/, '"seq": 7')],
    [
      'a twin of another text',
      'TWIN_WRONG',
      'en/article/aaaaaaaaaa-page/index.html.md',
      editLine(/About reset/, 'About set'),
    ],
  ])('finds %s (%s)', async (_, code, path, change) => {
    expect(await codes(tamper(output, { [path]: change }))).toContain(code);
  });
});

describe('diffFeeds', () => {
  const one = (markdown: string, slug = 'page'): SampleSite => ({
    languages: ['en'],
    articles: [
      { id: 'aaaaaaaaaa', slug, pages: { en: { title: 'A', markdown } } },
      { id: 'bbbbbbbbbb', pages: { en: { title: 'B', markdown: body('b') } } },
    ],
  });

  it('follows the changes: what to fetch, to drop, and which chunks to embed again', async () => {
    const first = await buildSample(one(body('a')));
    const edited = `${body('a')}\n${'One thing more. '.repeat(5)}\n`;
    const second = await buildSample(one(edited), { previous: first });
    const { articles } = one(edited);
    const third = await buildSample({ ...one(edited), articles: articles.slice(0, 1) }, { previous: second });
    const diff = await diffFeeds(reader(first), reader(third));
    expect(diff).toMatchObject({
      from: 1,
      to: 3,
      by: 'changes',
      documents: {
        upsert: ['a-aaaaaaaaaa-en'],
        move: [],
        rechunk: [],
        touch: [],
        delete: ['a-bbbbbbbbbb-en'],
      },
    });
    expect([diff.chunks.embed.length, diff.chunks.delete.length, diff.chunks.kept]).toEqual([1, 2, 1]);
  });

  it('uses the snapshot if the changes do not go back far enough', async () => {
    const settings = { keepRuns: 1 };
    const first = await buildSample(one('1'), { settings });
    const second = await buildSample(one('2'), { settings, previous: first });
    const third = await buildSample(one('3', 'moved'), { settings, previous: second });
    expect(await diffFeeds(reader(first), reader(third))).toMatchObject({
      by: 'snapshot',
      documents: { upsert: ['a-aaaaaaaaaa-en'], delete: [] },
    });
  });

  it('has nothing to do between equal runs, and a move alone is a move', async () => {
    const first = await buildSample(one('1'));
    const second = await buildSample(one('1', 'moved'), { previous: first });
    expect(await diffFeeds(reader(first), reader(first))).toMatchObject({
      by: 'nothing',
      chunks: { kept: 3 },
    });
    expect(await diffFeeds(reader(first), reader(second))).toMatchObject({
      by: 'changes',
      documents: { move: ['a-aaaaaaaaaa-en'], upsert: [] },
    });
  });

  it('refuses a folder without a feed', async () => {
    await expect(
      diffFeeds(
        async () => null,
        async () => null,
      ),
    ).rejects.toMatchObject({ code: 'FEED_MISSING' });
  });
});

import { hash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyFeed } from '../../../src/consumers/follow/apply-feed.ts';
import { LecternError } from '../../../src/core/errors.ts';
import type { Manifest } from '../../../src/feed/read/manifest.ts';
import { buildSample } from '../../feed/support/build-sample.ts';
import type { MemoryOutput } from '../../feed/support/memory-output.ts';
import type { SampleSite } from '../../feed/support/sample-plan.ts';
import { writeTree } from '../../support/folder-layouts.ts';
import { makePipe } from '../../support/make-pipe.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeWith } from '../../support/tools.ts';
import { type PythonClient, startPythonClient } from './support/python-client.ts';

const manifestFile = 'feed/manifest.json';
const documents = 'feed/en/documents.jsonl';
const chunks = 'feed/en/chunks.jsonl';
const change = 'feed/changes/2.jsonl';

type Files = Map<string, Buffer>;

/** How a feed is made hostile. */
interface Hostile {
  /** Changes files; the manifest then names their new hashes and sizes. */
  readonly files?: (files: Files) => void;
  /** Changes the manifest after that. */
  readonly manifest?: (manifest: Manifest) => unknown;
  /** Changes the text of the manifest last. */
  readonly text?: (text: string) => string | Buffer;
  /** Changes the published folder. */
  readonly folder?: (site: string) => Promise<void>;
  /** Whether the clients have applied the run before. */
  readonly isFollowed?: boolean;
  readonly answer: 'applied' | 'busy' | 'FEED_INVALID' | 'FILE_OUTSIDE';
}

const inFile = (path: string, edit: (text: string) => string) => (files: Files) => {
  const before = String(files.get(path));
  const after = edit(before);
  if (after === before) throw new Error(`nothing to change in ${path}`);
  files.set(path, Buffer.from(after));
};
const inRecord =
  (path: string, fields: Readonly<Record<string, unknown>>, at = 0) =>
  (files: Files) =>
    inFile(path, (text) => {
      const lines = text.split('\n');
      lines[at] = JSON.stringify({ ...JSON.parse(lines[at] ?? ''), ...fields });
      return lines.join('\n');
    })(files);
const inRun = (fields: Readonly<Record<string, unknown>>) => (manifest: Manifest) => ({
  ...manifest,
  run: { ...manifest.run, ...fields },
});
const inListed = (path: string, fields: Readonly<Record<string, unknown>>) => (manifest: Manifest) => ({
  ...manifest,
  files: manifest.files.map((file) => (file.path === path ? { ...file, ...fields } : file)),
});
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const seqAs = (number: string) => (text: string) => text.replace('"seq":2', `"seq":${number}`);

const replaceByLink = (path: string, target: string) => async (site: string) => {
  await rm(join(site, path));
  await symlink(target, join(site, path));
};

/** Every client gives the same answer to each of these feeds. */
const hostile: Readonly<Record<string, Hostile>> = {
  'a negative number of the run': { manifest: inRun({ seq: -5 }), answer: 'FEED_INVALID' },
  'a number of the run with a fraction': { manifest: inRun({ seq: 1.5 }), answer: 'FEED_INVALID' },
  'a number of the run in quotes': { manifest: inRun({ seq: '2' }), answer: 'FEED_INVALID' },
  'a number of the run that is true': { manifest: inRun({ seq: true }), answer: 'FEED_INVALID' },
  'a number of the run that is NaN': { text: seqAs('NaN'), answer: 'FEED_INVALID' },
  'a number of the run that is infinite': { text: seqAs('1e400'), answer: 'FEED_INVALID' },
  'a number of the run above 2^53': { text: seqAs('9007199254740993'), answer: 'FEED_INVALID' },
  'a number of the run with 5,000 digits': { text: seqAs('9'.repeat(5000)), answer: 'FEED_INVALID' },
  'a number of the run written as 2.0': { text: seqAs('2.0'), answer: 'applied' },
  'an id of the feed that is none': { manifest: inRun({ feed_id: '../x' }), answer: 'FEED_INVALID' },
  'no languages': { manifest: (manifest) => ({ ...manifest, languages: [] }), answer: 'FEED_INVALID' },
  'files that are no list': { manifest: (manifest) => ({ ...manifest, files: {} }), answer: 'FEED_INVALID' },
  'a manifest that is a list': { manifest: (manifest) => [manifest], answer: 'FEED_INVALID' },
  'a manifest that is null': { text: () => 'null', answer: 'FEED_INVALID' },
  'a manifest that is a page': { text: () => '<!doctype html><title>Hi</title>', answer: 'FEED_INVALID' },
  'an empty manifest': { text: () => '', answer: 'FEED_INVALID' },
  'a manifest that ends early': { text: (text) => text.slice(0, -40), answer: 'FEED_INVALID' },
  'something after the manifest': { text: (text) => `${text}x`, answer: 'FEED_INVALID' },
  'a manifest with a byte order mark': { text: (text) => `\ufeff${text}`, answer: 'FEED_INVALID' },
  'a manifest in UTF-16': { text: (text) => Buffer.from(text, 'utf16le'), answer: 'FEED_INVALID' },
  'a manifest that is not UTF-8': {
    text: (text) => Buffer.from(text.replace('lectern test', 'l\u00e9ctern'), 'latin1'),
    answer: 'FEED_INVALID',
  },
  'a manifest of 100,000 levels': {
    text: (text) => text.replace('{', `{"x":${nested(100_000)},`),
    answer: 'FEED_INVALID',
  },
  'a key that occurs twice': { text: (text) => text.replace('{', '{"schema":"other",'), answer: 'applied' },
  'no manifest': { folder: (site) => rm(join(site, manifestFile)), answer: 'FEED_INVALID' },
  'a negative size': { manifest: inListed(documents, { bytes: -1 }), answer: 'FEED_INVALID' },
  'a size of a petabyte': { manifest: inListed(documents, { bytes: 1e15 }), answer: 'FEED_INVALID' },
  'a size that is too small': { manifest: inListed(documents, { bytes: 10 }), answer: 'busy' },
  'another hash': { manifest: inListed(documents, { sha256: hash('sha256', 'x') }), answer: 'busy' },
  'a hash that is none': { manifest: inListed(documents, { sha256: 'x' }), answer: 'FEED_INVALID' },
  'a file outside the folder': {
    manifest: inListed(documents, { path: 'feed/../../outside.txt' }),
    answer: 'FEED_INVALID',
  },
  'an absolute path': { manifest: inListed(documents, { path: '/etc/passwd' }), answer: 'FEED_INVALID' },
  'a path with backslashes': {
    manifest: inListed(documents, { path: 'feed\\en\\documents.jsonl' }),
    answer: 'FEED_INVALID',
  },
  'a path with a zero byte': {
    manifest: inListed(documents, { path: 'en/llms/a\0.txt' }),
    answer: 'FEED_INVALID',
  },
  'a file that is missing': { folder: (site) => rm(join(site, chunks)), answer: 'busy' },
  'a file of chunks that is not listed': {
    manifest: (manifest) => ({ ...manifest, files: manifest.files.filter(({ path }) => path !== chunks) }),
    answer: 'FEED_INVALID',
  },
  'an id of a document that leads outside': {
    files: inRecord(documents, { id: '../../../pwn' }),
    answer: 'FEED_INVALID',
  },
  'an id of a document with a slash': { files: inRecord(documents, { id: 'a/b' }), answer: 'FEED_INVALID' },
  'an id of a chunk that leads outside': {
    files: inRecord(chunks, { id: '../../../pwn' }),
    answer: 'FEED_INVALID',
  },
  'an id of a document that is a number': { files: inRecord(documents, { id: 7 }), answer: 'FEED_INVALID' },
  'a language that leads outside': {
    files: inRecord(documents, { language: '../en' }),
    answer: 'FEED_INVALID',
  },
  'a document twice': { files: inFile(documents, (text) => text + text), answer: 'applied' },
  'a chunk of an unknown document': {
    files: inRecord(chunks, { document_id: 'a-other-en' }),
    answer: 'FEED_INVALID',
  },
  'a URL that runs code': {
    files: inRecord(documents, { url: 'javascript:alert(1)' }),
    answer: 'FEED_INVALID',
  },
  'tags that are null': { files: inRecord(documents, { tags: null }), answer: 'FEED_INVALID' },
  'a text that is a list': { files: inRecord(chunks, { text: ['x'] }), answer: 'FEED_INVALID' },
  'a heading without a text': {
    files: inRecord(documents, { headings: [{ level: 2, id: 'x' }] }),
    answer: 'FEED_INVALID',
  },
  'a negative number of tokens': { files: inRecord(chunks, { tokens: -1 }), answer: 'FEED_INVALID' },
  'a document of 100 levels': {
    files: inRecord(documents, { x: JSON.parse(nested(100)) as unknown }),
    answer: 'FEED_INVALID',
  },
  'a document of 100,000 levels': {
    files: inFile(documents, (text) => text.replace('{', `{"x":${nested(100_000)},`)),
    answer: 'FEED_INVALID',
  },
  'a document that is Infinity': {
    files: inFile(documents, (text) => `${text}Infinity\n`),
    answer: 'FEED_INVALID',
  },
  'something after the last document': {
    files: inFile(documents, (text) => `${text}x`),
    answer: 'FEED_INVALID',
  },
  'documents with a byte order mark': {
    files: inFile(documents, (text) => `\ufeff${text}`),
    answer: 'FEED_INVALID',
  },
  'documents that are not UTF-8': {
    files: (files) => {
      const text = String(files.get(documents)).replace('Some', 'S\u00f6me');
      files.set(documents, Buffer.from(text, 'latin1'));
    },
    answer: 'FEED_INVALID',
  },
  'half a character': {
    files: inFile(documents, (text) => text.replace('"title":"', '"title":"\\ud800')),
    answer: 'applied',
  },
  'a field that is named __proto__': {
    files: inFile(documents, (text) => text.replace('{', '{"__proto__":{"id":"x"},')),
    answer: 'applied',
  },
  'a gap in the sequence of changes': {
    isFollowed: true,
    manifest: (manifest) => ({ ...manifest, files: manifest.files.filter(({ path }) => path !== change) }),
    answer: 'applied',
  },
  'changes to another state': {
    isFollowed: true,
    manifest: inListed(change, { base: hash('sha256', 'x') }),
    answer: 'applied',
  },
  'changes without a first run': {
    isFollowed: true,
    manifest: (manifest) => ({ ...manifest, changes: { last: 2 } }),
    answer: 'FEED_INVALID',
  },
  'a change that is neither an upsert nor a delete': {
    isFollowed: true,
    files: inRecord(change, { op: 'touch' }),
    answer: 'FEED_INVALID',
  },
  'a change with a chunk of another document': {
    isFollowed: true,
    files: inFile(change, (text) => text.replace(/"document_id":"[^"]*"/, '"document_id":"a-other-en"')),
    answer: 'FEED_INVALID',
  },
  'a deletion of a document outside': {
    isFollowed: true,
    files: inFile(change, (text) => `${text}{"op":"delete","id":"../pwn","reason":"deleted"}\n`),
    answer: 'FEED_INVALID',
  },
  'a link to a device in place of the manifest': {
    folder: replaceByLink(manifestFile, '/dev/zero'),
    answer: 'FILE_OUTSIDE',
  },
  'a link to a device in place of a file': {
    folder: replaceByLink(documents, '/dev/zero'),
    answer: 'FILE_OUTSIDE',
  },
  'a link to a file outside': {
    folder: replaceByLink(documents, '../../../outside.txt'),
    answer: 'FILE_OUTSIDE',
  },
  'a link to a file inside': {
    folder: async (site) => {
      await writeFile(join(site, 'feed/copy'), await readFile(join(site, documents)));
      await replaceByLink(documents, '../copy')(site);
    },
    answer: 'applied',
  },
  'a pipe in place of a file': {
    folder: async (site) => {
      await rm(join(site, documents));
      await makePipe(join(site, documents));
    },
    answer: 'FEED_INVALID',
  },
  'a folder in place of a file': {
    folder: async (site) => {
      await rm(join(site, documents));
      await mkdir(join(site, documents));
    },
    answer: 'FEED_INVALID',
  },
};

describeWith('python', 'the clients in JavaScript and Python', (python) => {
  let folder: string;
  let client: PythonClient;
  let runs: readonly [MemoryOutput, MemoryOutput];

  beforeAll(async () => {
    folder = temporaryFolder();
    client = startPythonClient(python);
    const site = (text: string): SampleSite => ({
      languages: ['en'],
      articles: ['One', text, 'Three', 'Four'].map((title, at) => ({
        id: `article00${at}`,
        pages: { en: { title, markdown: `Some words about ${title}.\n` } },
      })),
    });
    const first = await buildSample(site('Two'));
    runs = [first, await buildSample(site('Zwei'), { previous: first })];
  });

  afterAll(async () => {
    client.stop();
  });

  /** Writes a feed as an attacker would, who also corrects the manifest. */
  async function publish(site: string, published: MemoryOutput, how: Partial<Hostile>): Promise<void> {
    const files: Files = new Map(published.paths().map((path) => [path, Buffer.from(published.text(path))]));
    how.files?.(files);
    const manifest = JSON.parse(published.text(manifestFile)) as Manifest;
    const sealed = manifest.files.map((file) => {
      const content = files.get(file.path) ?? Buffer.of();
      return { ...file, sha256: hash('sha256', content), bytes: content.length };
    });
    // The changes of the next run lead from the state that an honest feed has.
    const state = how.files === undefined ? manifest.run.state : hash('sha256', JSON.stringify(sealed));
    const run = { ...manifest.run, state };
    const changed = JSON.stringify(
      how.manifest?.({ ...manifest, run, files: sealed }) ?? { ...manifest, run, files: sealed },
    );
    files.set(manifestFile, Buffer.from(how.text?.(changed) ?? changed));
    await rm(site, { recursive: true, force: true });
    writeTree(site, Object.fromEntries(files));
    await how.folder?.(site);
  }

  const apply = {
    javascript: (site: string, cursor: string) =>
      applyFeed(site, { cursor, allowMassDelete: true, upsert: () => {}, delete: () => {} }).then(
        ({ status }) => status,
        (error) => (error instanceof LecternError ? error.code : error),
      ),
    python: async (site: string, cursor: string) =>
      (await client.drive(site, cursor, `${cursor}.json`, '1000', ''))?.status,
  };

  it.each(Object.entries(hostile))('answer the same, and soon, to %s', async (name, how) => {
    const own = await mkdtemp(join(folder, 'feed-'));
    const site = join(own, 'site');
    await writeFile(join(own, 'outside.txt'), 'Outside.');
    const answers: Record<string, unknown> = {};
    for (const language of ['javascript', 'python'] as const) {
      const cursor = join(own, language);
      if (how.isFollowed) {
        await publish(site, runs[0], {});
        expect(await apply[language](site, cursor)).toBe('applied');
      }
      await publish(site, runs[1], how);
      const start = performance.now();
      answers[language] = await apply[language](site, cursor);
      expect([name, performance.now() - start < 10_000]).toEqual([name, true]);
    }
    expect(answers).toEqual({ javascript: how.answer, python: how.answer });
    const allowed = ['javascript', 'outside.txt', 'python', 'python.json', 'site'];
    expect((await readdir(own)).filter((entry) => !allowed.includes(entry))).toEqual([]);
    expect(await readFile(join(own, 'outside.txt'), 'utf8')).toBe('Outside.');
    expect((await readdir(folder)).every((entry) => entry.startsWith('feed-'))).toBe(true);
  });
});

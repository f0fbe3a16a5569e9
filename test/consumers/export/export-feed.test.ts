import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportFeed } from '../../../src/consumers/export/export-feed.ts';
import { targetNames } from '../../../src/consumers/export/target.ts';
import { targets } from '../../../src/consumers/export/targets.ts';
import { buildSample } from '../../feed/support/build-sample.ts';
import type { SampleSite } from '../../feed/support/sample-plan.ts';
import { openExports, siteOf } from './support/export-sample.ts';

let exports: ReturnType<typeof openExports>;
beforeAll(() => {
  exports = openExports();
});

const site = (...texts: readonly string[]): SampleSite => ({
  languages: ['en', 'de'],
  articles: texts.map((text, at) => ({
    id: `article00${at}`,
    tags: ['a'],
    pages: {
      en: { title: `Title ${at}`, markdown: `${text}\n` },
      de: { title: `Titel ${at}`, markdown: `${text} (de)\n` },
    },
  })),
});

describe('an export or a push', () => {
  it('has a row for every name of a target', () => {
    expect(Object.keys(targets)).toEqual([...targetNames]);
  });

  it('does not change the folder if it fails', async () => {
    const out = join(exports.folder, 'failing');
    const first = await buildSample(site('One.', 'Two.'));
    const before = await exports.run('qdrant', first, { out });
    const second = await buildSample(site('One.', 'Other.'), { previous: first });
    const half = siteOf(second);
    const busy = {
      ...half,
      read: async (path: string) => (/chunks|changes/.test(path) ? Buffer.from('half') : half.read(path)),
    };
    const settings = { target: 'qdrant' as const, out, collection: 'help', languages: [], strict: false };
    await expect(exportFeed(busy, settings)).rejects.toMatchObject({
      code: 'FEED_BUSY',
      hint: 'the site is probably being uploaded: try again in a few minutes; lectern verify lists the files that differ or are missing',
    });
    const cut = { ...half, read: async () => Buffer.from('{"schema":') };
    await expect(exportFeed(cut, settings)).rejects.toMatchObject({
      code: 'FEED_INVALID',
      hint: expect.stringContaining('if the site is being uploaded, try again later'),
    });
    expect(await readFile(join(out, 'export.json'), 'utf8')).toBe(before.files.get('export.json'));
    expect(
      readdirSync(exports.folder).filter((name) => name.includes('failing') && name.startsWith('.')),
    ).toEqual([]);
    expect(await exportFeed(siteOf(second), settings)).toMatchObject({ upserts: 4, seq: 2 });
  });

  it('refuses to delete more than a fifth of the documents, unless it is allowed to', async () => {
    const cursor = join(exports.folder, 'loss.json');
    for (const target of ['qdrant', 'openai'] as const) {
      const one = { cursor: `${cursor}-${target}` };
      const first = await buildSample(site('One.', 'Two.', 'Three.', 'Four.'));
      await exports.push(target, first, one);
      const second = await buildSample(site('One.', 'Two.'), { previous: first });
      await expect(exports.push(target, second, one)).rejects.toMatchObject({
        code: 'MASS_DELETE',
        hint: 'nothing was exported; if the loss is intended, pass --allow-mass-delete once',
      });
      const { report } = await exports.push(target, second, { ...one, allowMassDelete: true });
      expect(report).toMatchObject({ upserts: 0, deletes: 4 });
    }
  });

  it('refuses such a loss after an upgrade, and with more languages, too', async () => {
    const cursor = join(exports.folder, 'changed.json');
    const first = await buildSample(site('One.', 'Two.', 'Three.', 'Four.'));
    await exports.push('openai', first, { cursor, languages: ['de'] });
    const second = await buildSample(site('One.', 'Two.'), { previous: first });
    for (const changed of [{ generator: 'lectern next', languages: ['de'] }, { languages: [] }]) {
      await expect(exports.push('openai', second, { cursor, ...changed })).rejects.toMatchObject({
        code: 'MASS_DELETE',
        message: expect.stringContaining('2 documents'),
      });
    }
    const third = await buildSample(site('One.', 'Two.', 'Three.', 'Four.', 'Five.'), { previous: first });
    await exports.push('openai', third, { cursor, generator: 'lectern next' });
    const behind = exports.push('openai', first, { cursor, generator: 'lectern last' });
    await expect(behind).rejects.toMatchObject({ code: 'FEED_BEHIND' });
  });

  it('refuses the cursor of another target, and a damaged one', async () => {
    const cursor = join(exports.folder, 'other.json');
    const published = await buildSample(site('One.'));
    await exports.push('openai', published, { cursor });
    await expect(exports.push('pinecone', published, { cursor })).rejects.toMatchObject({
      code: 'CURSOR_UNUSABLE',
    });
    await writeFile(cursor, '{');
    await expect(exports.push('openai', published, { cursor })).rejects.toMatchObject({
      code: 'CURSOR_UNUSABLE',
    });
  });

  it('replaces a folder that an export wrote, and no other', async () => {
    const out = join(exports.folder, 'mine');
    const published = await buildSample(site('One.'));
    await mkdir(out);
    await writeFile(join(out, 'thesis.txt'), 'Mine.');
    await expect(exports.run('openai', published, { out })).rejects.toMatchObject({
      code: 'OUTPUT_FOREIGN_FILES',
    });
    const used = join(exports.folder, 'used');
    await exports.run('openai', published, { out: used });
    await exports.run('pgvector', published, { out: used });
    expect(existsSync(join(used, 'upserts', '00001.jsonl'))).toBe(false);
    await writeFile(join(used, 'thesis.txt'), 'Mine.');
    await expect(exports.run('openai', published, { out: used })).rejects.toMatchObject({
      code: 'OUTPUT_FOREIGN_FILES',
    });
  });

  it('writes nothing beside its folder', async () => {
    const parent = join(exports.folder, 'alone');
    await mkdir(parent);
    for (const target of targetNames) {
      await exports.run(target, await buildSample(site('One.')), {
        out: join(parent, 'out'),
      });
    }
    expect(readdirSync(parent)).toEqual(['out']);
  });

  it('refuses a feed whose ids are paths', async () => {
    const published = await buildSample(site('One.'));
    const evil = siteOf(published);
    const { createHash } = await import('node:crypto');
    const path = 'feed/en/documents.jsonl';
    const forged = published.text(path).replaceAll('"id":"a-article000-en"', '"id":"../../evil"');
    const original = published.text(path);
    const manifest = published
      .text('feed/manifest.json')
      .replace(
        createHash('sha256').update(original).digest('hex'),
        createHash('sha256').update(forged).digest('hex'),
      )
      .replace(`"bytes":${Buffer.byteLength(original)}`, `"bytes":${Buffer.byteLength(forged)}`);
    const read = async (name: string) => {
      if (name === path) return Buffer.from(forged);
      return name === 'feed/manifest.json' ? Buffer.from(manifest) : evil.read(name);
    };
    const settings = {
      target: 'openai' as const,
      out: join(exports.folder, 'evil'),
      collection: 'help',
      languages: [],
      strict: false,
    };
    await expect(exportFeed({ ...evil, read }, settings)).rejects.toMatchObject({
      code: 'FEED_INVALID',
    });
    expect(existsSync(settings.out)).toBe(false);
  });

  it('contains only the requested languages, and deletes those that are no longer requested', async () => {
    const cursor = join(exports.folder, 'languages.json');
    const published = await buildSample(site('One.', 'Two.'));
    expect((await exports.push('pinecone', published, { cursor })).report.upserts).toBe(4);
    const { report, files } = await exports.push('pinecone', published, { cursor, languages: ['de'] });
    expect(report).toMatchObject({ upserts: 0, deletes: 2, full: false });
    expect(files.get('deletes/00001.ndjson')).toContain('a-article000-en');
  });

  it('finds the language of the feed that a tag with a region means, as lectern mcp does', async () => {
    const published = await buildSample(site('One.', 'Two.'));
    const own = await exports.run('pinecone', published, { languages: ['de'] });
    const regional = await exports.run('pinecone', published, { languages: ['de-AT'] });
    expect(regional.report).toMatchObject({ upserts: own.report.upserts, problems: [] });
    await expect(exports.run('pinecone', published, { languages: ['deu-x'] })).rejects.toMatchObject({
      code: 'LANGUAGE_UNUSABLE',
    });
  });

  it('takes the case of a language for the same, and deletes nothing for a language that the feed does not have', async () => {
    const cursor = join(exports.folder, 'unknown.json');
    const published = await buildSample(site('One.', 'Two.'));
    expect((await exports.push('qdrant', published, { cursor })).report.upserts).toBe(4);
    await expect(exports.push('qdrant', published, { cursor, languages: ['fr'] })).rejects.toMatchObject({
      code: 'LANGUAGE_UNUSABLE',
      message: 'the feed has no articles in fr',
      hint: 'choose from its languages with --languages: de, en',
    });
    const { report } = await exports.push('qdrant', published, { cursor, languages: ['DE', 'EN'] });
    expect(report).toMatchObject({ upserts: 0, deletes: 0 });
  });

  it('deletes what was exported of a language that the feed no longer has', async () => {
    const cursor = join(exports.folder, 'dropped.json');
    const languages = ['de'];
    const published = await buildSample(site('One.', 'Two.'));
    expect((await exports.push('qdrant', published, { cursor, languages })).report.upserts).toBe(2);
    const english = await buildSample(
      {
        languages: ['en'],
        articles: [{ id: 'article000', pages: { en: { title: 'A', markdown: 'One.\n' } } }],
      },
      { previous: published },
    );
    const one = { cursor, languages };
    await expect(exports.push('qdrant', english, one)).rejects.toMatchObject({ code: 'MASS_DELETE' });
    const allowed = await exports.push('qdrant', english, { ...one, allowMassDelete: true });
    expect(allowed.report.deletes).toBe(2);
  });

  it('sends everything again after an upgrade, so that embeddings of unchanged texts are kept', async () => {
    const published = await buildSample(site('One.', 'Two.'));
    const cursor = join(exports.folder, 'upgrade.json');
    await exports.push('qdrant', published, { cursor });
    const upgraded = await exports.push('qdrant', published, { cursor, generator: 'lectern next' });
    expect(upgraded.report).toMatchObject({ upserts: 0, updates: 4, deletes: 0 });
  });

  it('sends an update if the text is unchanged, so that its vector is kept', async () => {
    const slug = (name: string): SampleSite => ({
      languages: ['en'],
      articles: [{ id: 'article000', slug: name, pages: { en: { title: 'A', markdown: 'Text.\n' } } }],
    });
    for (const target of ['qdrant', 'openai'] as const) {
      const cursor = join(exports.folder, `update-${target}.json`);
      const before = await buildSample(slug('old'));
      await exports.push(target, before, { cursor });
      const after = await buildSample(slug('new'), { previous: before });
      const { report, files } = await exports.push(target, after, { cursor });
      expect(report).toMatchObject({ upserts: 0, updates: 1, deletes: 0 });
      const [, update] = [...files].find(([path]) => path.startsWith('updates/')) ?? [];
      expect(update).toContain('new');
      expect([...files.keys()].filter((path) => path.startsWith('chunks/'))).toEqual([]);
    }
  });

  it('fails in strict mode before anything is replaced', async () => {
    const out = join(exports.folder, 'strict');
    const published = await buildSample({
      languages: ['en'],
      articles: [{ id: 'article000', pages: { en: { title: 'x'.repeat(600), markdown: 'Text.\n' } } }],
    });
    await expect(exports.run('openai', published, { out, strict: true })).rejects.toMatchObject({
      code: 'STRICT',
    });
    expect(existsSync(out)).toBe(false);
  });
});

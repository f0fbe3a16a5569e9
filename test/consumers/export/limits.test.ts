import { beforeAll, describe, expect, it } from 'vitest';
import { openBatchFiles } from '../../../src/consumers/export/batches.ts';
import type { ExportPassage } from '../../../src/consumers/export/fields.ts';
import type { Target } from '../../../src/consumers/export/target.ts';
import { targets } from '../../../src/consumers/export/targets.ts';
import { buildSample } from '../../feed/support/build-sample.ts';
import { createMemoryOutput } from '../../feed/support/memory-output.ts';
import type { SampleArticle } from '../../feed/support/sample-plan.ts';
import { openExports } from './support/export-sample.ts';

let exports: ReturnType<typeof openExports>;
beforeAll(() => {
  exports = openExports();
});

const article = (
  changes: Partial<SampleArticle> & { readonly title?: string; readonly text?: string },
): SampleArticle => {
  const { title = 'Ink', text = 'Ink is blue.\n', ...rest } = changes;
  return { id: 'limit00001', pages: { en: { title, markdown: text } }, ...rest };
};
const build = (...articles: readonly SampleArticle[]) => buildSample({ languages: ['en'], articles });

/** What a vendor's parser reads. */
function parse<T>(text: string | undefined): T {
  return JSON.parse(text ?? 'null') as T;
}

const passage: ExportPassage = {
  id: 'a-limit00001-en-t8ghcp6x',
  document_id: 'a-limit00001-en',
  article_id: 'limit00001',
  language: 'en',
  title: 'Ink',
  category_path: [],
  tags: [],
  updated_at: null,
  url: 'https://help.example.com/en/article/limit00001-page/',
  heading_path: [],
  position: 0,
  tokens: 5,
  text: 'Ink\n\nInk is blue.',
  flags: [],
};

const manyTags = Array.from({ length: 4000 }, (_, at) => `tag ${at}`);

describe('limits of platforms', () => {
  it('openai: an attribute of more than 512 characters is shortened, and its article named', async () => {
    const { files, report } = await exports.run(
      'openai',
      await build(article({ title: `${'😀'.repeat(400)}` })),
    );
    const { title } = parse<{ attributes: { title: string } }>(files.get('upserts/00001.jsonl')).attributes;
    expect(title.length).toBeLessThanOrEqual(512);
    expect(title.endsWith('😀…')).toBe(true);
    expect(report.problems).toMatchInlineSnapshot(`
      [
        {
          "address": null,
          "articleId": "limit00001",
          "categoryId": null,
          "code": "EXPORT_FIELD_SHORTENED",
          "file": null,
          "hint": "The field exceeds a limit of the platform. It was shortened or dropped. Shorten it in the knowledge base.",
          "language": "en",
          "line": null,
          "message": "title has 800 characters; an attribute has at most 512",
          "severity": "warning",
          "title": null,
        },
      ]
    `);
  });

  it('openai: every tag is an attribute that a filter can compare, as many as fit into 16', async () => {
    const { files, report } = await exports.run(
      'openai',
      await build(article({ tags: manyTags, updatedAt: '2026-03-01T10:00:00Z' })),
    );
    const { attributes } = parse<{ attributes: Record<string, unknown> }>(files.get('upserts/00001.jsonl'));
    expect(Object.keys(attributes)).toHaveLength(16);
    expect(attributes).toMatchObject({ 'tag:tag 0': true, updated_at: 1_772_359_200 });
    expect(report.problems).toMatchObject([{ code: 'EXPORT_FIELD_SHORTENED' }]);
    expect(report.problems[0]?.message).toMatch(/^\d+ of 4000 tags were dropped/);
  });

  it('an item that no longer fits a platform is deleted there', async () => {
    const cursor = `${exports.folder}/too-large.json`;
    const before = await build(article({}));
    await exports.push('pinecone', before, { cursor });
    const after = await buildSample(
      { languages: ['en'], articles: [article({ title: 'x'.repeat(41_000) })] },
      { previous: before },
    );
    const { files, report } = await exports.push('pinecone', after, { cursor, allowMassDelete: true });
    expect(report).toMatchObject({ upserts: 0, deletes: 1 });
    expect(files.get('deletes/00001.ndjson')).toMatch(/a-limit00001-en-\w+/);
  });

  it.each([
    ['pinecone', 96, 2_000_000],
    ['qdrant', 256, 8_000_000],
    ['openai', 500, 8_000_000],
    ['pgvector', 1000, 8_000_000],
  ] as const)('%s: a request has at most %i items', async (target, most, bytes) => {
    const row: Target = targets[target];
    const format = row.format('help');
    const output = createMemoryOutput();
    const batches = openBatchFiles(output, format);
    for (let at = 0; at <= 1000; at += 1) {
      const item = row.item({ ...passage, id: `${passage.id}-${at}` });
      if ('entry' in item) await batches.add(item.entry ?? '');
    }
    const written = (await batches.close()).map((path) => output.text(path));
    const sizes = written.map((text) => text.split('"title"').length - 1);
    expect(sizes).toEqual([...Array.from({ length: Math.floor(1001 / most) }, () => most), 1001 % most]);
    expect(written.every((text) => Buffer.byteLength(text) <= bytes)).toBe(true);
  });

  it.each([
    ['en', { language: 'english' }],
    ['de-AT', { language: 'german' }],
    ['zh-Hant', { language: 'none', tokenizer: 'multilingual' }],
    ['vi', { language: 'none' }],
  ])('qdrant: a text of %s is not cut into words as English is', (language, expected) => {
    const item = targets.qdrant.item({ ...passage, language });
    const point = parse<{ vector: unknown }>('entry' in item ? (item.entry ?? '') : '');
    expect(point.vector).toEqual({
      bm25: { text: passage.text, model: 'qdrant/bm25', options: expected },
    });
  });

  it.each(['elasticsearch', 'qdrant', 'openai', 'pgvector'] as const)(
    '%s: a file ends before it has too many bytes',
    async (target) => {
      const format = targets[target].format('help');
      const output = createMemoryOutput();
      const batches = openBatchFiles(output, { ...format, maxBytes: 2000 });
      for (let at = 0; at < 40; at += 1) await batches.add('é'.repeat(50));
      const paths = await batches.close();
      expect(paths.length).toBeGreaterThan(1);
      for (const path of paths) expect(Buffer.byteLength(output.text(path))).toBeLessThanOrEqual(2000);
      const written = paths.map((path) => output.text(path)).join('');
      expect(written.split('é').length - 1).toBe(40 * 50);
    },
  );
});

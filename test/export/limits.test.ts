import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBatches } from '../../src/export/batch-writer.ts';
import type { ExportArticle, ExportPassage } from '../../src/export/fields.ts';
import type { Target } from '../../src/export/target.ts';
import { targets } from '../../src/export/targets.ts';
import { buildSample } from '../feed/support/build-sample.ts';
import { createMemoryOutput } from '../feed/support/memory-output.ts';
import type { SampleArticle } from '../feed/support/sample-plan.ts';
import { openExports } from './support/export-sample.ts';

let exports: Awaited<ReturnType<typeof openExports>>;
beforeAll(async () => {
  exports = await openExports();
});
afterAll(() => exports.remove());

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

interface ZendeskRecord {
  readonly external_id: string;
  readonly title: string;
  readonly body: string;
  readonly url: string;
}

const recordsOf = (files: ReadonlyMap<string, string>): readonly ZendeskRecord[] =>
  (files.get('upserts.jsonl') ?? '')
    .trim()
    .split('\n')
    .map((line) => parse<{ record: ZendeskRecord }>(line).record);
const options = { collection: 'help', prefix: 'gs://bucket' };

const passage: ExportPassage = {
  id: 'a-limit00001-en-t8ghcp6x',
  uuid: '97308107-f4c8-5806-ad8a-0c845256d431',
  documentId: 'a-limit00001-en',
  articleId: 'limit00001',
  language: 'en',
  title: 'Ink',
  categoryPath: [],
  tags: [],
  updatedAt: '',
  isOutdated: false,
  url: 'https://help.example.com/en/article/limit00001-page/',
  headingPath: [],
  type: 'text',
  seq: 1,
  previousId: null,
  nextId: null,
  text: 'Ink is blue.',
  embedText: 'Ink\n\nInk is blue.',
  flags: [],
};

const exportArticle: ExportArticle = {
  id: 'a-limit00001-en',
  articleId: 'limit00001',
  language: 'en',
  title: 'Ink',
  description: '',
  url: passage.url,
  categoryPath: [],
  tags: [],
  updatedAt: '',
  markdown: `\`\`\`\n${'Ink is blue.\n'.repeat(200_000)}\`\`\`\n`,
  hash: '',
  flags: [],
};

const manyTags = Array.from({ length: 4000 }, (_, at) => `tag ${at}`);

describe('limits of platforms', () => {
  it('openai: an attribute of more than 512 characters is shortened, and its article named', async () => {
    const { files, report } = await exports.run(
      'openai',
      await build(article({ title: `${'😀'.repeat(400)}` })),
    );
    const { title } = parse<{ attributes: { title: string } }>(files.get('attributes.jsonl')).attributes;
    expect(title.length).toBeLessThanOrEqual(512);
    expect(title.endsWith('😀…')).toBe(true);
    expect(report.problems).toMatchInlineSnapshot(`
      [
        {
          "articleId": "limit00001",
          "categoryId": null,
          "code": "EXPORT_FIELD_SHORTENED",
          "hint": "The field exceeds a limit of the platform. It was shortened or dropped. Shorten it in the knowledge base.",
          "language": "en",
          "message": "title has 800 characters; an attribute has at most 512",
          "severity": "warning",
        },
      ]
    `);
  });

  it('intercom-fin: an article whose Markdown takes too much work is exported as text, and named', async () => {
    const { files, report } = await exports.run(
      'intercom-fin',
      await build(article({ text: `${'x<b>a</b>y<i>b</i>'.repeat(20_000)}\n` })),
    );
    expect(parse<{ html: string }>(files.get('upserts.jsonl')).html).toContain('x**a**y*b*x**a**');
    expect(report.problems).toMatchObject([
      {
        code: 'MARKDOWN_LITERAL',
        articleId: 'limit00001',
        language: 'en',
        message: 'the Markdown of a-limit00001-en is exported as text',
      },
    ]);
  });

  it('openai: an article has at most 16 attributes with names of 64 characters', async () => {
    const { files } = await exports.run('openai', await build(article({ tags: manyTags, description: 'x' })));
    const attributes = Object.entries(
      parse<{ attributes: object }>(files.get('attributes.jsonl')).attributes,
    );
    expect(attributes.length).toBeLessThanOrEqual(16);
    expect(attributes.every(([name, value]) => name.length <= 64 && String(value).length <= 512)).toBe(true);
  });

  it('bedrock: metadata of more than 10 KB loses the fields that filters need least', async () => {
    const { files, report } = await exports.run(
      'bedrock',
      await build(article({ tags: manyTags, description: 'About ink.' })),
    );
    const [, metadata = ''] = [...files].find(([path]) => path.endsWith('.metadata.json')) ?? [];
    expect(Buffer.byteLength(metadata)).toBeLessThanOrEqual(10_000);
    expect(Object.keys(parse<{ metadataAttributes: object }>(metadata).metadataAttributes)).toEqual([
      'id',
      'article_id',
      'language',
      'title',
      'url',
      'hash',
    ]);
    expect(report.problems.map(({ code, articleId, language }) => [code, articleId, language])).toEqual([
      ['EXPORT_FIELD_SHORTENED', 'limit00001', 'en'],
      ['EXPORT_FIELD_SHORTENED', 'limit00001', 'en'],
    ]);
  });

  it('bedrock: an article whose title alone is too long is omitted and reported', async () => {
    const { files, report } = await exports.run(
      'bedrock',
      await build(article({ title: 'x'.repeat(11_000) })),
    );
    expect([...files.keys()].filter((path) => path.startsWith('articles/'))).toEqual([]);
    expect(report.problems).toMatchInlineSnapshot(`
      [
        {
          "articleId": "limit00001",
          "categoryId": null,
          "code": "EXPORT_TOO_LARGE",
          "hint": "The item exceeds a limit of the platform. It was skipped, and an earlier version is deleted. Split the article.",
          "language": "en",
          "message": "a-limit00001-en has 11236 bytes; metadata has at most 10000",
          "severity": "error",
        },
      ]
    `);
  });

  it('an item that no longer fits a platform is deleted there', async () => {
    const cursor = `${exports.folder}/too-large.json`;
    const before = await build(article({}));
    await exports.run('bedrock', before, { cursor });
    const after = await buildSample(
      { languages: ['en'], articles: [article({ title: 'x'.repeat(11_000) })] },
      { previous: before },
    );
    const { files, report } = await exports.run('bedrock', after, { cursor, allowMassDelete: true });
    expect(report).toMatchObject({ upserts: 0, deletes: 1 });
    expect(files.get('deletes/00001.json')).toContain('articles/a-limit00001-en.md.metadata.json');
  });

  it('vertex: HTML of more than 2.5 MB is omitted', () => {
    const [made] = targets.vertex.reads === 'documents' ? targets.vertex.items(exportArticle, options) : [];
    expect(made).toEqual({
      code: 'EXPORT_TOO_LARGE',
      message: 'a-limit00001-en has 2600247 bytes; an HTML file has at most 2500000',
    });
  });

  it('zendesk: an article of more than 10,000 characters becomes several records, and loses none of its words', async () => {
    const sections = Array.from(
      { length: 30 },
      (_, at) => `## Part ${at}\n\n${`Word${at} more. `.repeat(80)}\n\n`,
    );
    const { files, report } = await exports.run('zendesk', await build(article({ text: sections.join('') })));
    const records = recordsOf(files);
    expect(records.length).toBeGreaterThan(2);
    expect(records.every(({ body }) => body.length <= 10_000)).toBe(true);
    expect(records.map(({ external_id }) => external_id).slice(0, 3)).toEqual([
      'a-limit00001-en',
      'a-limit00001-en-2',
      'a-limit00001-en-3',
    ]);
    expect(records[1]?.title).toMatch(/^Ink › Part \d+$/);
    expect(records[1]?.url).toMatch(/#part-\d+$/);
    const all = records.map(({ body }) => body).join(' ');
    for (let at = 0; at < 30; at += 1) expect(all.split(`Word${at} `).length - 1).toBe(80);
    expect(report.problems).toEqual([]);
  });

  it('zendesk: one passage of more than 10,000 characters is cut between words', () => {
    const text = `${'a'.repeat(9_000)} ${'b'.repeat(8_999)}😀${'c'.repeat(9_999)}😀`;
    const made =
      targets.zendesk.reads === 'chunks' ? targets.zendesk.items([{ ...passage, text }], options) : [];
    const bodies = made.map(
      (item) => parse<{ record: ZendeskRecord }>('entry' in item ? (item.entry ?? '') : '').record.body,
    );
    expect(bodies[0]).toBe('a'.repeat(9_000));
    expect(bodies.every((body) => body.length <= 10_000)).toBe(true);
    expect(bodies.join('')).toBe(text.replace(' ', ''));
    expect(bodies.join('')).not.toMatch(/\ufffd/);
  });

  it.each([
    ['azure-search', 1000, 16_000_000],
    ['pinecone', 96, 2_000_000],
    ['qdrant', 256, 8_000_000],
    ['weaviate', 500, 8_000_000],
  ] as const)('%s: a request has at most %i items', async (target, most, bytes) => {
    const row: Target = targets[target];
    const format = row.upserts(options);
    if (format === null || row.reads !== 'chunks') throw new Error('it sends passages in batches');
    const output = createMemoryOutput();
    const batches = openBatches(output, format);
    for (let at = 0; at <= 1000; at += 1) {
      for (const item of row.items([{ ...passage, id: `${passage.id}-${at}` }], options)) {
        if ('entry' in item) await batches.add(item.entry ?? '');
      }
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
    const made =
      targets.qdrant.reads === 'chunks' ? targets.qdrant.items([{ ...passage, language }], options) : [];
    const [item] = made;
    const point = parse<{ vector: unknown }>(item !== undefined && 'entry' in item ? (item.entry ?? '') : '');
    expect(point.vector).toEqual({
      bm25: { text: passage.embedText, model: 'qdrant/bm25', options: expected },
    });
  });

  it('azure-search: no field of texts is filterable, sortable or facetable, which would limit it to 32,766 bytes', () => {
    const [[, index = ''] = []] = targets['azure-search'].definitions(options);
    const { fields } = parse<{ fields: readonly Record<string, unknown>[] }>(index);
    const texts = fields.filter(({ name }) => name === 'text' || name === 'embed_text' || name === 'title');
    expect(texts).toHaveLength(3);
    for (const field of texts) {
      expect(field).toMatchObject({ filterable: false, sortable: false, facetable: false });
    }
  });

  it.each(['elasticsearch', 'azure-search', 'qdrant', 'weaviate', 'pgvector', 'vertex'] as const)(
    '%s: a file ends before it has too many bytes',
    async (target) => {
      const format = targets[target].upserts(options);
      const output = createMemoryOutput();
      if (format === null) throw new Error('it has batches');
      const batches = openBatches(output, { ...format, maxBytes: 2000 });
      for (let at = 0; at < 40; at += 1) await batches.add('é'.repeat(50));
      const paths = await batches.close();
      expect(paths.length).toBeGreaterThan(1);
      for (const path of paths) expect(Buffer.byteLength(output.text(path))).toBeLessThanOrEqual(2000);
      const written = paths.map((path) => output.text(path)).join('');
      expect(written.split('é').length - 1).toBe(40 * 50);
    },
  );
});

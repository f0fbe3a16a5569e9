import { Client } from '@elastic/elasticsearch';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { Document } from '@langchain/core/documents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MemoryOutput, recordsOf } from '../../feed/support/memory-output.ts';
import { recordsIn } from '../../support/feed-records.ts';
import { serve } from '../../support/serve.ts';
import { openExports } from './support/export-sample.ts';
import type { ExportFiles } from './support/platforms.ts';
import { pushSample } from './support/push-sample.ts';
import { buildSampleFeed, dimensions, embedWords, questions, topThree } from './support/questions.ts';
import { startVendor } from './support/vendor-servers.ts';

let exports: ReturnType<typeof openExports>;
let feed: MemoryOutput;
beforeAll(async () => {
  exports = openExports();
  feed = (await buildSampleFeed()).output;
});

/** Questions whose article is not among the first three. */
async function missedBy(
  search: (question: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const missed: string[] = [];
  for (const [question, articleId] of questions) {
    if (!topThree(await search(question)).includes(articleId)) missed.push(question);
  }
  return missed;
}

describe('PostgreSQL with pgvector', () => {
  let database: PGlite;
  beforeAll(async () => {
    database = await PGlite.create({ extensions: { vector } });
  });
  afterAll(() => database.close());

  async function loadExport(files: ExportFiles): Promise<void> {
    const { files: order } = JSON.parse(files.get('export.json') ?? '') as { files: readonly string[] };
    for (const path of order) await database.exec(files.get(path) ?? '');
  }

  async function embedMissing(): Promise<number> {
    const { rows } = await database.query<{ id: string; text: string }>(
      'SELECT id, text FROM help WHERE embedding IS NULL',
    );
    for (const { id, text } of rows) {
      await database.query('UPDATE help SET embedding = $1 WHERE id = $2', [
        JSON.stringify(embedWords(text)),
        id,
      ]);
    }
    return rows.length;
  }

  it('loads an export, finds the right articles by words and by vectors, and keeps embeddings of unchanged text', async () => {
    const { files, report } = await exports.run('pgvector', feed);
    await loadExport(files);
    const { rows } = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM help');
    expect(rows).toEqual([{ count: report.upserts }]);
    expect(await embedMissing()).toBe(report.upserts);
    await database.exec(
      `CREATE INDEX ON help USING hnsw ((embedding::vector(${dimensions})) vector_cosine_ops)`,
    );

    const byWords = async (question: string) => {
      const words = question.match(/[a-z]{3,}/gi)?.join(' or ') ?? '';
      const found = await database.query<{ article_id: string }>(
        `SELECT article_id FROM help, websearch_to_tsquery('english', $1) AS query
         WHERE language = 'en' AND search @@ query ORDER BY ts_rank_cd(search, query, 1) DESC, id LIMIT 30`,
        [words],
      );
      return found.rows.map(({ article_id }) => article_id);
    };
    const byVectors = async (question: string) => {
      const found = await database.query<{ article_id: string }>(
        `SELECT article_id FROM help WHERE language = 'en' ORDER BY embedding <=> $1, id LIMIT 30`,
        [JSON.stringify(embedWords(question))],
      );
      return found.rows.map(({ article_id }) => article_id);
    };
    expect(await missedBy(byWords)).toEqual([]);
    expect(await missedBy(byVectors)).toEqual([]);

    // Loading twice changes nothing, and no text is embedded again.
    await loadExport(files);
    expect(await embedMissing()).toBe(0);
  });

  it('stores texts unchanged, whatever characters they contain', async () => {
    const { buildSample } = await import('../../feed/support/build-sample.ts');
    const awkward = 'a\\nb \\N \\. \'quoted\' "double" $1 日本語 😀';
    const odd = await buildSample({
      languages: ['en'],
      articles: [
        {
          id: 'odd0000001',
          pages: { en: { title: awkward, markdown: `Line.\n\n\`\`\`\n${awkward}\n\\.\n\`\`\`\n` } },
        },
      ],
    });
    await loadExport((await exports.run('pgvector', odd, { collection: 'odd' })).files);
    const { rows } = await database.query<{ title: string; text: string }>('SELECT title, text FROM odd');
    const [chunk] = recordsOf<{ text: string }>(odd, 'en', 'chunks');
    expect(rows).toEqual([{ title: awkward, text: chunk?.text }]);
  });
});

it('LangChain makes a Document of every line of JSON Lines', async () => {
  const { files, report } = await exports.run('jsonl', feed, { languages: ['en'] });
  const chunks = recordsIn<{ id: string; text: string; article_id: string }>(files.get('chunks.jsonl') ?? '');
  const documents = chunks.map(
    ({ id, text, ...metadata }) => new Document({ id, pageContent: text, metadata }),
  );
  expect(documents.length).toBe(report.upserts);
  const embedded = documents.map(({ pageContent, metadata }) => ({
    vector: embedWords(pageContent),
    articleId: metadata.article_id,
  }));
  expect(await missedBy(async (question) => nearest(embedded, question))).toEqual([]);
});

it('the client of Elasticsearch sends the actions of a push to the bulk API byte for byte as they are', async () => {
  const bodies: string[] = [];
  const server = await serve((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      bodies.push(Buffer.concat(parts).toString());
      const headers = { 'x-elastic-product': 'Elasticsearch', 'content-type': 'application/json' };
      response.writeHead(200, headers).end('{"took":1,"errors":false,"items":[]}');
    });
  });
  const vendor = await startVendor('elasticsearch');
  const client = new Client({ node: server.origin });
  try {
    const cursor = `${exports.folder}/elastic.json`;
    await pushSample('elasticsearch', vendor, feed, { cursor });
    await pushSample('elasticsearch', vendor, feed, { cursor, languages: ['de'] });
    const requests = vendor.requests.flatMap(({ request }) =>
      request.path.endsWith('/_bulk') ? [request.text] : [],
    );
    expect(requests.join('')).toContain('{"delete":{');
    expect(requests.length).toBeGreaterThan(1);
    for (const text of requests) {
      await client.bulk({ index: 'help', operations: [...recordsIn<object>(text)] });
    }
    expect(bodies).toEqual(requests);
  } finally {
    await client.close();
  }
});

function nearest(
  embedded: readonly { readonly vector: readonly number[]; readonly articleId: string }[],
  question: string,
): readonly string[] {
  const asked = embedWords(question);
  return embedded
    .map(({ vector, articleId }) => ({
      articleId,
      score: vector.reduce((sum, value, at) => sum + value * (asked[at] ?? 0), 0),
    }))
    .sort((a, b) => b.score - a.score)
    .map(({ articleId }) => articleId);
}

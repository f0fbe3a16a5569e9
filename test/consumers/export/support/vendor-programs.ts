import { linesIn } from '../../../support/feed-records.ts';
import type { ExportFiles } from './platforms.ts';
import type { PushedTarget, VendorRequest } from './vendor-servers.ts';

/**
 * The vendors' own packages, at versions that run under the oldest Node of `engines`. They are no development dependencies, because they have
 * 190 MB. A newer version of Pinecone's client sends another API version, which `src/consumers/export/push/pinecone.ts` has to send as well.
 */
export const vendorPackages = {
  '@elastic/elasticsearch': '8.19.2',
  '@opensearch-project/opensearch': '3.9.0',
  '@pinecone-database/pinecone': '8.2.0',
  '@qdrant/js-client-rest': '1.18.0',
  openai: '6.49.0',
};

// Programs are TypeScript with the JSON of Lectern as literals, because only in a literal is a property that the vendor's type lacks an error.

/** Stands in for the vendor's parser. */
const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;
const literal = (value: unknown): string => JSON.stringify(value);

/** How the client of a platform makes a request. */
interface VendorClient {
  /** Every kind of request; `*` stands for an id. */
  readonly requests: readonly string[];
  /** Headers that the client has to send exactly as Lectern does. */
  readonly headers: readonly string[];
  /** Creates the client; `url` and `key` are constants of the program. */
  readonly open: string;
  /** The call that makes the same request. */
  readonly call: (request: VendorRequest) => string;
  /** Values in files that no call sends, or whose parameter is described too roughly, with the type that describes them. */
  readonly claims?: (files: ExportFiles) => string;
}

const elasticIndex = (files: ExportFiles) => {
  const text = files.get('0/index.json') ?? '';
  const analyzers = [...new Set([...text.matchAll(/"analyzer": "(\w+)"/g)].map(([, name = '']) => name))];
  return { text, analyzers };
};

export const vendorClients: Readonly<Record<PushedTarget, VendorClient>> = {
  openai: {
    requests: [
      'POST /files',
      'DELETE /files/*',
      'POST /vector_stores/vs_help/file_batches',
      'GET /vector_stores/vs_help/file_batches/*',
      'GET /vector_stores/vs_help/file_batches/*/files',
      'POST /vector_stores/vs_help/files/*',
    ],
    headers: ['authorization'],
    open: `import OpenAI, { toFile } from 'openai';
const client = new OpenAI({ baseURL: url, apiKey: key, maxRetries: 0 });`,
    call({ method, path, query, text }) {
      const [, , , kind, id] = path.split('/');
      const store = `{ vector_store_id: 'vs_help' }`;
      if (path === '/files') {
        const [, name, content] =
          /filename="(.+?)"\r\nContent-Type: text\/plain\r\n\r\n([\s\S]*)\r\n--.+--\r\n$/.exec(text) ?? [];
        const file = `await toFile(Buffer.from(${literal(content)}), ${literal(name)}, { type: 'text/plain' })`;
        return `client.files.create({ purpose: 'assistants', file: ${file} })`;
      }
      if (method === 'DELETE') return `client.files.delete(${literal(path.split('/').at(-1))})`;
      if (kind === 'files') {
        const params = literal({ vector_store_id: 'vs_help', ...parse(text) });
        return `client.vectorStores.files.update(${literal(id)}, ${params})`;
      }
      if (method === 'POST') return `client.vectorStores.fileBatches.create('vs_help', ${text})`;
      if (!path.endsWith('/files'))
        return `client.vectorStores.fileBatches.retrieve(${literal(id)}, ${store})`;
      const params = {
        vector_store_id: 'vs_help',
        ...Object.fromEntries(query),
        limit: Number(query.get('limit')),
      };
      return `client.vectorStores.fileBatches.listFiles(${literal(id)}, ${literal(params)})`;
    },
    // The files are of Lectern's own making, but for the attributes.
    claims(files) {
      const entries = valuesOf(files, /\/(?:upserts|updates)\//, linesIn).map(
        (line) => parse(line).attributes,
      );
      return `${literal(entries)} satisfies OpenAI.VectorStores.FileBatchCreateParams.File['attributes'][];`;
    },
  },
  pinecone: {
    requests: ['POST /records/namespaces/help/upsert', 'POST /vectors/delete'],
    headers: ['api-key', 'x-pinecone-api-version'],
    open: `import { Pinecone } from '@pinecone-database/pinecone';
const client = new Pinecone({ apiKey: key, maxRetries: 0 }).index({ host: url, namespace: 'help' });`,
    call({ path, text }) {
      if (path === '/vectors/delete') return `client.deleteMany(${text})`;
      return `client.upsertRecords({ records: [${linesIn(text).join(',\n')}] })`;
    },
  },
  qdrant: {
    requests: [
      'GET /collections/help',
      'PUT /collections/help',
      'PUT /collections/help/index',
      'PUT /collections/help/points',
      'POST /collections/help/points/batch',
      'POST /collections/help/points/delete',
    ],
    headers: ['api-key'],
    open: `import { QdrantClient, type Schemas } from '@qdrant/js-client-rest';
const client = new QdrantClient({ url, apiKey: key, checkCompatibility: false });`,
    call({ method, path, text }) {
      if (method === 'GET') return `client.getCollection('help')`;
      const names: Readonly<Record<string, string>> = {
        '/collections/help': 'createCollection',
        '/collections/help/index': 'createPayloadIndex',
        '/collections/help/points': 'upsert',
        '/collections/help/points/batch': 'batchUpdate',
        '/collections/help/points/delete': 'delete',
      };
      const wait = path === '/collections/help' ? {} : { wait: true };
      return `client.${names[path]}('help', ${literal({ ...wait, ...parse(text) })})`;
    },
    // The client accepts any option of any model.
    claims(files) {
      const upserts = valuesOf(files, /\/upserts\//);
      const options = upserts.flatMap((text) =>
        (parse(text).points as { vector: { bm25: { options: { language: string } } } }[]).map(
          ({ vector }) => vector.bm25.options,
        ),
      );
      const languages = new Set(options.map(({ language }) => language));
      const distinct = new Set(options.map(literal));
      return `[${[...distinct]}] satisfies Schemas['Bm25Config'][];
${literal([...languages])} satisfies (Schemas['SnowballLanguage'] | 'none')[];`;
    },
  },
  elasticsearch: {
    requests: ['HEAD /help', 'PUT /help', 'POST /help/_bulk'],
    headers: ['authorization'],
    open: `import { Client, type estypes } from '@elastic/elasticsearch';
const client = new Client({ node: url, auth: { apiKey: key }, maxRetries: 0 });`,
    call({ method, path, text }) {
      if (method === 'HEAD') return `client.indices.exists({ index: 'help' })`;
      if (method === 'PUT') return `client.indices.create(${literal({ index: 'help', ...parse(text) })})`;
      if (path !== '/help/_bulk') throw new Error(`no call for ${method} ${path}`);
      return `client.bulk({ index: 'help', operations: [${elasticActions(text, 'estypes.BulkOperationContainer')}] })`;
    },
    claims: (files) =>
      elasticIndex(files)
        .analyzers.map((type) => `(${literal({ type })}) satisfies estypes.AnalysisAnalyzer;`)
        .join('\n'),
  },
};

/** Documents follow the actions; the types of clients accept any object as either. */
function elasticActions(text: string, type: string): string {
  return linesIn(text)
    .map((line) => (/^\{"(?:index|delete)":\{/.test(line) ? `${line} satisfies ${type}` : line))
    .join(',\n');
}

/** A program that makes the requests again, with the client of the vendor. */
export function replayProgram(
  target: PushedTarget,
  requests: readonly VendorRequest[],
  files: ExportFiles,
): string {
  const { open, call, claims } = vendorClients[target];
  // An error is an answer like any other.
  const calls = requests.map((request) => `await ${call(request)}.catch(() => {});\n`);
  return `const [url = '', key = ''] = process.argv.slice(2);\n${open}\n${claims?.(files) ?? ''}\n${calls.join('')}`;
}

/** Files of an export whose names match, parsed line by line or as a whole. */
function valuesOf(
  files: ExportFiles,
  pattern: RegExp,
  split: (text: string) => string[] = (text) => [text],
): string[] {
  return [...files].filter(([path]) => pattern.test(path)).flatMap(([, text]) => split(text));
}

/** Programs that check files of platforms without a push. Paths begin with the number of the export. */
export const fileChecks: Readonly<Record<string, (files: ExportFiles) => string>> = {
  opensearch: (files) => `import type { API, Types } from '@opensearch-project/opensearch';
(${elasticIndex(files).text}) satisfies API.Indices_Create_RequestBody;
[${valuesOf(files, /\.ndjson$/).map((text) => elasticActions(text, 'Types.Core_Bulk.OperationContainer'))}] satisfies API.Bulk_RequestBody;
${literal(elasticIndex(files).analyzers)} satisfies Lowercase<Types.Common_Analysis.Language>[];
`,
};

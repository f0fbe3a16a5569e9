import type { IncomingMessage } from 'node:http';
import type { TargetName } from '../../../../src/consumers/export/target.ts';
import { linesIn, recordsIn } from '../../../support/feed-records.ts';
import { serve } from '../../../support/serve.ts';

/** What a platform has, by the id of the item in the feed. */
export type VendorStore = Map<string, unknown>;

export type PushedTarget = Extract<TargetName, 'openai' | 'elasticsearch' | 'pinecone' | 'qdrant'>;

/** A request, as the server sees it. */
export interface VendorRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface VendorAnswer {
  readonly status: number;
  readonly body?: unknown;
}

/** A request, and its answer; `null` if the request failed. */
export interface VendorExchange {
  readonly request: VendorRequest;
  readonly answer: VendorAnswer | null;
}

/** How a request fails. `lost`: it is processed, but the connection breaks before the response. */
export type Fault = 'reset' | 'lost' | 429 | 500 | 503 | null;

/** The key that all servers expect. */
export const vendorKey = 'secret-key-0123456789';

/** A local server that behaves like the API of a vendor, as far as a push uses it: status codes, limits and partial failures. */
export interface VendorServer {
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly store: VendorStore;
  /** Requests so far, in the order of their answers. */
  readonly requests: readonly VendorExchange[];
  /** Decides about every request; `count` begins at 1. */
  fault: (count: number) => Fault;
  /** Items whose text contains this are refused. */
  poison: string | null;
}

interface Vendor {
  readonly environment: (url: string) => Readonly<Record<string, string>>;
  /** Whether the request has the right key. */
  readonly authorized: (headers: IncomingMessage['headers']) => boolean;
  readonly answer: (request: VendorRequest) => VendorAnswer;
}

type Open = (store: VendorStore, isPoison: (text: string) => boolean) => Vendor;

/** Stands in for the vendor's parser; the test checks the shape. */
function parse<T>(text: string): T {
  return JSON.parse(text) as T;
}

const refuse = (status: number, message: string): VendorAnswer => ({ status, body: { error: { message } } });

/** https://docs.pinecone.io/reference/api/database-limits: 96 records of text, 2 MB, 40 KB of metadata, 1,000 ids. */
const pinecone: Open = (store, isPoison) => ({
  environment: (url) => ({ PINECONE_API_KEY: vendorKey, PINECONE_INDEX_HOST: url }),
  authorized: (headers) => headers['api-key'] === vendorKey,
  answer({ method, path, headers, text }) {
    if (headers['x-pinecone-api-version'] !== '2026-04') return refuse(400, 'unknown API version');
    if (Buffer.byteLength(text) > 2_000_000) return refuse(413, 'request too large');
    if (method === 'POST' && path === '/records/namespaces/help/upsert') {
      if (headers['content-type'] !== 'application/x-ndjson') return refuse(415, 'not NDJSON');
      const records = recordsIn<Record<string, unknown>>(text);
      if (records.length > 96) return refuse(400, 'Batch size exceeds 96');
      for (const record of records) {
        const { _id, text: embedded, ...metadata } = record;
        if (typeof _id !== 'string' || typeof embedded !== 'string') return refuse(400, 'no _id or text');
        const bad = Object.values(metadata).some(
          (value) =>
            !['string', 'number', 'boolean'].includes(typeof value) &&
            !(Array.isArray(value) && value.every((entry) => typeof entry === 'string')),
        );
        if (bad) return refuse(400, `metadata of ${_id} is neither text, number, boolean nor list of texts`);
        if (Buffer.byteLength(JSON.stringify(metadata)) > 40_960) return refuse(400, 'metadata over 40 KB');
        if (isPoison(embedded)) return refuse(400, `record ${_id} is poison`);
      }
      for (const record of records) store.set(String(record._id), record);
      return { status: 201 };
    }
    if (method === 'POST' && path === '/vectors/delete') {
      const { ids, namespace } = parse<{ ids: string[]; namespace: string }>(text);
      if (ids.length > 1000 || namespace !== 'help') return refuse(400, 'too many ids');
      for (const id of ids) store.delete(id);
      return { status: 200, body: {} };
    }
    return refuse(404, 'no such operation');
  },
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

interface QdrantPoint {
  readonly id: string;
  readonly vector: Readonly<Record<string, { readonly text: string; readonly model: string }>>;
  readonly payload: Readonly<Record<string, unknown>> & { readonly chunk_id: string; readonly text: string };
}

/** https://api.qdrant.tech/api-reference: UUIDs as ids, named vectors of the collection, 32 MB a request. */
const qdrant: Open = (store, isPoison) => {
  let collection: { vectors: Record<string, object>; sparse_vectors: Record<string, object> } | null = null;
  const idOf = new Map<string, string>();
  const fail = (status: number, error: string): VendorAnswer => ({ status, body: { status: { error } } });
  const ok = { status: 200, body: { result: { status: 'completed' }, status: 'ok' } };
  return {
    environment: (url) => ({ QDRANT_URL: url, QDRANT_API_KEY: vendorKey }),
    authorized: (headers) => headers['api-key'] === vendorKey,
    answer({ method, path, query, text }) {
      const operation = `${method} ${path.replace('/collections/help', '')}`;
      if (operation === 'GET ') return collection === null ? fail(404, 'Not found') : ok;
      if (operation === 'PUT ') {
        if (collection !== null) return fail(409, 'Collection `help` already exists!');
        collection = parse(text);
        return ok;
      }
      if (collection === null) return fail(404, "Not found: Collection `help` doesn't exist!");
      if (query.get('wait') !== 'true') return fail(400, 'the test wants to read its writes');
      if (operation === 'PUT /index') return ok;
      if (operation === 'PUT /points') {
        const { points } = parse<{ points: QdrantPoint[] }>(text);
        for (const { id, vector, payload } of points) {
          if (!uuid.test(id)) return fail(400, `Unable to parse point ID ${id}`);
          const unknown = Object.keys(vector).find(
            (name) => !(name in (collection?.vectors ?? {})) && !(name in (collection?.sparse_vectors ?? {})),
          );
          if (unknown !== undefined) return fail(400, `Not existing vector name error: ${unknown}`);
          if (isPoison(payload.text)) return fail(400, `point ${id} is poison`);
        }
        for (const point of points) {
          idOf.set(point.id, point.payload.chunk_id);
          store.set(point.payload.chunk_id, point);
        }
        return ok;
      }
      if (operation === 'POST /points/batch') {
        const { operations } = parse<{
          operations: {
            overwrite_payload: { points: string[]; payload: QdrantPoint['payload'] };
          }[];
        }>(text);
        for (const { overwrite_payload } of operations) {
          for (const id of overwrite_payload.points) {
            const known = store.get(idOf.get(id) ?? '');
            if (known === undefined) return fail(404, `Not found: No point with id ${id} found`);
            store.set(idOf.get(id) ?? '', { ...known, payload: overwrite_payload.payload });
          }
        }
        return ok;
      }
      if (operation === 'POST /points/delete') {
        for (const id of parse<{ points: string[] }>(text).points) store.delete(idOf.get(id) ?? '');
        return ok;
      }
      return fail(404, 'no such operation');
    },
  };
};

/** https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-bulk: every action has its own status. */
const elasticsearch: Open = (store, isPoison) => {
  let fields: Record<string, unknown> | null = null;
  let bulks = 0;
  return {
    environment: (url) => ({ ELASTICSEARCH_URL: url, ELASTICSEARCH_API_KEY: vendorKey }),
    authorized: (headers) => headers.authorization === `ApiKey ${vendorKey}`,
    answer({ method, path, headers, text }) {
      if (path === '/help' && method === 'HEAD') return { status: fields === null ? 404 : 200 };
      if (path === '/help' && method === 'PUT') {
        if (fields !== null) return refuse(400, 'resource_already_exists_exception');
        fields = parse<{ mappings: { properties: Record<string, unknown> } }>(text).mappings.properties;
        return { status: 200, body: { acknowledged: true } };
      }
      if (path !== '/help/_bulk' || method !== 'POST') return refuse(404, 'no such operation');
      if (headers['content-type'] !== 'application/x-ndjson' || !text.endsWith('\n')) {
        return refuse(406, 'not NDJSON');
      }
      bulks += 1;
      const lines = linesIn(text);
      const items: object[] = [];
      for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
        const action = parse<{ index?: { _id: string }; delete?: { _id: string } }>(line);
        if (action.delete !== undefined) {
          const { _id } = action.delete;
          items.push({ delete: { _id, status: store.delete(_id) ? 200 : 404 } });
          continue;
        }
        const _id = action.index?._id ?? '';
        const document = parse<Record<string, unknown> & { readonly text: string }>(lines.shift() ?? '');
        const foreign = Object.keys(document).find((name) => !(name in (fields ?? {})));
        // The second action of every other request finds the queue full.
        if (bulks % 2 === 1 && items.length === 1) {
          const error = { type: 'es_rejected_execution_exception', reason: 'rejected execution' };
          items.push({ index: { _id, status: 429, error } });
        } else if (foreign !== undefined || isPoison(document.text)) {
          const reason = foreign === undefined ? 'poison' : `[${foreign}] is not allowed`;
          items.push({ index: { _id, status: 400, error: { type: 'document_parsing_exception', reason } } });
        } else {
          store.set(_id, document);
          items.push({ index: { _id, status: 201 } });
        }
      }
      return { status: 200, body: { errors: true, items } };
    },
  };
};

interface OpenaiFile {
  readonly text: string;
  readonly name: string;
}

/** https://platform.openai.com/docs/api-reference/vector-stores-file-batches: 2,000 files, 16 attributes, batches take time. */
const openai: Open = (store, isPoison) => {
  const files = new Map<string, OpenaiFile>();
  const attached = new Map<string, Record<string, unknown>>();
  const batches = new Map<string, { polls: number; failed: string[] }>();
  let created = 0;
  const root = '/vector_stores/vs_help';
  /** The store as a search sees it: exactly one file per item at the end of a push. */
  const show = (): void => {
    store.clear();
    for (const [id, attributes] of attached) {
      const key = String(attributes.id);
      const before = store.get(key);
      const value = { attributes, text: files.get(id)?.text, name: files.get(id)?.name };
      store.set(key, before === undefined ? value : [before, value]);
    }
  };
  const attributesFault = (attributes: Record<string, unknown>): string | null => {
    const entries = Object.entries(attributes);
    const isWrong = entries.some(
      ([name, value]) =>
        name.length > 64 ||
        !['string', 'number', 'boolean'].includes(typeof value) ||
        String(value).length > 512,
    );
    return entries.length > 16 || isWrong ? 'invalid attributes' : null;
  };
  return {
    environment: (url) => ({
      OPENAI_API_KEY: vendorKey,
      OPENAI_VECTOR_STORE: 'vs_help',
      OPENAI_BASE_URL: url,
    }),
    authorized: (headers) => headers.authorization === `Bearer ${vendorKey}`,
    answer({ method, path, query, headers, text }) {
      if (method === 'POST' && path === '/files') {
        const [, boundary = ''] =
          /^multipart\/form-data; boundary=(.+)$/.exec(headers['content-type'] ?? '') ?? [];
        const parts = text.split(`--${boundary}`);
        const [, purpose] = /name="purpose"\r\n\r\n(\w+)\r\n$/.exec(parts[1] ?? '') ?? [];
        const [, name = '', content] =
          /name="file"; filename="([\w-]+\.txt)"\r\nContent-Type: text\/plain\r\n\r\n([\s\S]*)\r\n$/.exec(
            parts[2] ?? '',
          ) ?? [];
        if (purpose !== 'assistants' || content === undefined) return refuse(400, 'invalid form');
        created += 1;
        files.set(`file-${created}`, { text: content, name });
        return { status: 200, body: { id: `file-${created}`, object: 'file' } };
      }
      const [, deleted] = /^\/files\/(file-\d+)$/.exec(path) ?? [];
      if (method === 'DELETE' && deleted !== undefined) {
        attached.delete(deleted);
        show();
        return files.delete(deleted) ? { status: 200, body: { deleted: true } } : refuse(404, 'No such File');
      }
      if (method === 'POST' && path === `${root}/file_batches`) {
        const { files: entries } = parse<{
          files: {
            file_id: string;
            attributes: Record<string, unknown>;
            chunking_strategy: { static: { max_chunk_size_tokens: number; chunk_overlap_tokens: number } };
          }[];
        }>(text);
        if (entries.length === 0 || entries.length > 2000) return refuse(400, 'too many files');
        const failed: string[] = [];
        for (const { file_id, attributes, chunking_strategy } of entries) {
          const { max_chunk_size_tokens: most, chunk_overlap_tokens: overlap } = chunking_strategy.static;
          if (most < 100 || most > 4096 || overlap > most / 2) return refuse(400, 'invalid chunking');
          const fault = attributesFault(attributes);
          const file = files.get(file_id);
          if (file === undefined || fault !== null) return refuse(400, fault ?? `No file ${file_id}`);
          if (isPoison(file.text)) failed.push(file_id);
          else attached.set(file_id, attributes);
        }
        show();
        const id = `vsfb_${batches.size + 1}`;
        batches.set(id, { polls: 0, failed });
        return {
          status: 200,
          body: { id, status: 'in_progress', file_counts: { failed: 0, total: entries.length } },
        };
      }
      const [, batchId = '', list] =
        /^\/vector_stores\/vs_help\/file_batches\/(\w+)(\/files)?$/.exec(path) ?? [];
      const batch = batches.get(batchId);
      if (method === 'GET' && batch !== undefined) {
        if (list !== undefined) {
          if (query.get('filter') !== 'failed') return refuse(400, 'the test lists failed files');
          const after = batch.failed.indexOf(query.get('after') ?? '') + 1;
          const page = batch.failed.slice(after, after + 2);
          const data = page.map((id) => ({
            id,
            last_error: { code: 'unsupported_file', message: 'poison' },
          }));
          return { status: 200, body: { data, has_more: after + 2 < batch.failed.length } };
        }
        batch.polls += 1;
        const status = batch.polls < 2 ? 'in_progress' : 'completed';
        const failed = status === 'completed' ? batch.failed.length : 0;
        return { status: 200, body: { id: batchId, status, file_counts: { failed } } };
      }
      const [, updated = ''] = /^\/vector_stores\/vs_help\/files\/(file-\d+)$/.exec(path) ?? [];
      if (method === 'POST' && updated !== '') {
        if (!attached.has(updated)) return refuse(404, 'No such file');
        const { attributes } = parse<{ attributes: Record<string, unknown> }>(text);
        const fault = attributesFault(attributes);
        if (fault !== null) return refuse(400, fault);
        attached.set(updated, attributes);
        show();
        return { status: 200, body: { id: updated } };
      }
      return refuse(404, 'no such operation');
    },
  };
};

const vendors: Readonly<Record<PushedTarget, Open>> = { openai, elasticsearch, pinecone, qdrant };

export const pushedTargets = Object.keys(vendors) as PushedTarget[];

/** Starts the server of a vendor on this machine. */
export async function startVendor(name: PushedTarget): Promise<VendorServer> {
  const store: VendorStore = new Map();
  const requests: VendorExchange[] = [];
  const vendor = vendors[name](store, (text) => api.poison !== null && text.includes(api.poison));
  const { origin: url } = await serve((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://localhost');
      const method = incoming.method ?? '';
      const { headers } = incoming;
      const request = {
        ...{ method, headers, path: url.pathname, query: url.searchParams },
        text: Buffer.concat(parts).toString(),
      };
      const fault = api.fault(requests.length + 1);
      if (fault === 'reset' || typeof fault === 'number') requests.push({ request, answer: null });
      if (fault === 'reset') return void incoming.socket.resetAndDestroy();
      if (typeof fault === 'number') {
        const headers = {
          'content-type': 'application/json',
          ...(fault === 429 ? { 'retry-after': '7' } : {}),
        };
        return void response.writeHead(fault, headers).end('{"error":{"message":"busy"}}');
      }
      const answer = vendor.authorized(headers)
        ? vendor.answer(request)
        : refuse(401, `Incorrect API key provided: ${String(headers['api-key'] ?? headers.authorization)}`);
      requests.push({ request, answer });
      if (fault === 'lost') return void incoming.socket.resetAndDestroy();
      const { status, body } = answer;
      response.writeHead(status, { 'content-type': 'application/json' });
      return void response.end(body === undefined || method === 'HEAD' ? undefined : JSON.stringify(body));
    });
  });
  const api: VendorServer = {
    ...{ url, environment: vendor.environment(url), store, requests },
    fault: () => null,
    poison: null,
  };
  return api;
}

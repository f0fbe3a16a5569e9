import { hash } from 'node:crypto';
import { inParallel } from '../../../core/concurrency.ts';
import { LecternError } from '../../../core/errors.ts';
import {
  createVendorClient,
  type PushItem,
  type PushVendor,
  type Refusal,
  type RemoteIds,
} from './vendor.ts';

interface FileBatch {
  readonly id: string;
  readonly status: 'in_progress' | 'completed' | 'cancelled' | 'failed';
  readonly file_counts: { readonly failed: number };
}

interface FailedFiles {
  readonly has_more: boolean;
  readonly data: readonly {
    readonly id: string;
    readonly last_error: FileFault | null;
  }[];
}

interface FileFault {
  readonly code: string;
  readonly message: string;
}

/** A file of an item, by its id at OpenAI. */
type ItemFile = readonly [id: string, file: string];

/** Uploads at a time. OpenAI accepts 1,000 a minute of one user, and answers 429 to more. */
const concurrency = 8;
/** A passage must not be divided again: the largest part that OpenAI makes, and no overlap. */
const chunking_strategy = {
  type: 'static',
  static: { max_chunk_size_tokens: 4096, chunk_overlap_tokens: 0 },
};
/** Waits for a batch: from one second to ten, 20 minutes in all. */
const pollMs = { first: 1000, longest: 10_000, total: 1_200_000 };
/** Failures of files are often passing. */
const maxAttempts = 3;

/**
 * OpenAI vector stores: uploads files, attaches them in batches (`file_batches`) with their attributes, then deletes the files that they
 * replace. A search may find both for a moment, never neither.
 */
export const openaiPush: PushVendor = {
  variables: [
    { name: 'OPENAI_API_KEY', meaning: 'a key of the project' },
    { name: 'OPENAI_VECTOR_STORE', meaning: 'the id of the vector store, such as vs_abc123' },
    { name: 'OPENAI_BASE_URL', meaning: 'the URL of the API', isOptional: true },
  ],
  open(context) {
    const { variable, sleep } = context;
    const store = variable('OPENAI_VECTOR_STORE');
    const baseUrl = variable('OPENAI_BASE_URL') || 'https://api.openai.com/v1';
    const client = createVendorClient(context, {
      ...{ product: 'OpenAI', urlVariable: 'OPENAI_BASE_URL', keyVariable: 'OPENAI_API_KEY' },
      baseUrl,
    });
    const root = `/vector_stores/${encodeURIComponent(store)}`;

    /** Deletes files of items, which removes them from their vector stores, too. */
    async function deleteFiles(files: readonly ItemFile[], ids: RemoteIds): Promise<void> {
      await inParallel(files, concurrency, async ([id, file]) => {
        await client.call({ method: 'DELETE', path: `/files/${file}`, accept: [404] });
        ids.remove(id, file);
      });
    }

    /** Every id is noted before the file is attached: a push that is killed leaves no file in the store that nobody knows. */
    async function uploadAll(items: readonly PushItem[], ids: RemoteIds): Promise<void> {
      await inParallel(items, concurrency, async ({ id, files = [] }) => {
        const content = multipart(`${id}.txt`, files.map(([, text]) => text).join(''));
        // A repeated upload leaves a file that no store uses, which does no harm.
        const { body } = await client.call<{ readonly id: string }>({
          method: 'POST',
          path: '/files',
          content,
        });
        ids.add(id, body.id);
      });
    }

    /** Attaches uploaded files. @returns those that failed */
    async function attach(
      items: readonly PushItem[],
      ids: RemoteIds,
    ): Promise<ReadonlyMap<string, FileFault>> {
      const files = items.map((item) => ({
        file_id: ids.of(item.id).at(-1),
        attributes: attributesOf(item),
        chunking_strategy,
      }));
      const created = await client.call<FileBatch>({
        method: 'POST',
        path: `${root}/file_batches`,
        body: { files },
      });
      const path = `${root}/file_batches/${created.body.id}`;
      const batch = await waitFor(created.body, path);
      if (batch.status !== 'completed' && batch.file_counts.failed === 0) {
        throw new LecternError('PUSH_REFUSED', `OpenAI ended the batch ${batch.id} as ${batch.status}`, {
          hint: 'check the vector store in the dashboard, then run again: the push continues where it stopped',
        });
      }
      return batch.file_counts.failed === 0 ? new Map() : await listFailed(path);
    }

    async function listFailed(path: string): Promise<ReadonlyMap<string, FileFault>> {
      const failed = new Map<string, FileFault>();
      for (let after: string | undefined; ; ) {
        const { body } = await client.call<FailedFiles>({
          method: 'GET',
          path: `${path}/files`,
          query: { filter: 'failed', limit: 100, after },
        });
        for (const { id, last_error } of body.data) {
          failed.set(id, last_error ?? { code: 'failed', message: 'no reason was given' });
        }
        after = body.data.at(-1)?.id;
        if (!body.has_more || after === undefined) return failed;
      }
    }

    async function waitFor(created: FileBatch, path: string): Promise<FileBatch> {
      let batch = created;
      let delayMs = pollMs.first;
      for (let waitedMs = 0; batch.status === 'in_progress'; waitedMs += delayMs) {
        if (waitedMs > pollMs.total) {
          throw new LecternError(
            'TIMEOUT',
            `OpenAI has not finished the batch ${batch.id} after 20 minutes`,
            {
              hint: 'run again later: the push continues where it stopped',
            },
          );
        }
        await sleep(delayMs);
        delayMs = Math.min(pollMs.longest, delayMs * 1.5);
        batch = (await client.call<FileBatch>({ method: 'GET', path })).body;
      }
      return batch;
    }

    async function upsert(items: readonly PushItem[], ids: RemoteIds): Promise<readonly Refusal[]> {
      const refusals: Refusal[] = [];
      let rest = items;
      for (let attempt = 1; rest.length > 0; attempt += 1) {
        await uploadAll(rest, ids);
        const failed = await attach(rest, ids);
        const again: PushItem[] = [];
        const unused: ItemFile[] = [];
        for (const item of rest) {
          const { id } = item;
          const files = ids.of(id);
          const fault = failed.get(files.at(-1) ?? '');
          const old = fault === undefined ? files.slice(0, -1) : files.slice(-1);
          unused.push(...old.map((file) => [id, file] as const));
          if (fault === undefined) continue;
          // Other faults are about the file itself: invalid_file, unsupported_file.
          if (fault.code === 'server_error' && attempt < maxAttempts) again.push(item);
          else refusals.push({ id, reason: `${fault.code}: ${fault.message}` });
        }
        await deleteFiles(unused, ids);
        rest = again;
      }
      return refusals;
    }

    async function update(items: readonly PushItem[], ids: RemoteIds): Promise<readonly Refusal[]> {
      const refusals: Refusal[] = [];
      await inParallel(items, concurrency, async (item) => {
        const { id } = item;
        const file = ids.of(id).at(-1);
        const { status } =
          file === undefined
            ? { status: 404 }
            : await client.call({
                method: 'POST',
                path: `${root}/files/${file}`,
                body: { attributes: attributesOf(item) },
                accept: [404],
              });
        if (status === 404) refusals.push({ id, reason: 'its file is no longer in the vector store' });
      });
      return refusals;
    }

    return {
      destination: `${baseUrl} ${store}`,
      upsert: (items, { ids }) => upsert(items, ids),
      update: (items, { ids }) => update(items, ids),
      async delete(items, { ids }) {
        await deleteFiles(
          items.flatMap(({ id }) => ids.of(id).map((file) => [id, file] as const)),
          ids,
        );
        return [];
      },
      close: client.close,
    };
  },
};

function attributesOf({ entry }: PushItem): object {
  return (JSON.parse(entry) as { readonly attributes: object }).attributes;
}

/** The form of an upload (RFC 7578). Names are ids, which need no escapes. */
function multipart(name: string, text: string): { readonly type: string; readonly text: string } {
  const boundary = `lectern-${hash('sha256', text)}`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    text: [
      `--${boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nassistants\r\n`,
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n`,
      `${text}\r\n--${boundary}--\r\n`,
    ].join(''),
  };
}

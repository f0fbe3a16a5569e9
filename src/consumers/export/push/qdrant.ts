import { createVendorClient, type PushVendor, sendHalving } from './vendor.ts';

/** Entries of an upsert and an update file. */
interface Point {
  readonly id: string;
}
interface Overwrite {
  readonly overwrite_payload: { readonly points: readonly string[] };
}

/** Qdrant: “Upsert points”, “Batch update points” and “Delete points”; a missing collection is created, with indexes for filters. */
export const qdrantPush: PushVendor = {
  variables: [
    { name: 'QDRANT_URL', meaning: 'the URL of the cluster, such as https://abc.cloud.qdrant.io:6333' },
    { name: 'QDRANT_API_KEY', meaning: 'a key of the cluster', isOptional: true },
  ],
  open({ variable, collection, connect }) {
    const baseUrl = variable('QDRANT_URL');
    const client = createVendorClient(
      connect,
      { baseUrl, apiKey: variable('QDRANT_API_KEY') || null, keyHeaders: (key) => ({ 'api-key': key }) },
      { product: 'Qdrant', urlVariable: 'QDRANT_URL', keyVariable: 'QDRANT_API_KEY' },
    );
    const root = `/collections/${collection}`;
    const wait = { wait: true };
    return {
      destination: `${baseUrl} ${collection}`,
      async send({ path, text }, { isProven }) {
        if (path === 'collection.json') {
          const { status } = await client.call({ method: 'GET', path: root, accept: [404] });
          // 409: another push created it in the meantime.
          const body: unknown = JSON.parse(text);
          if (status === 404) await client.call({ method: 'PUT', path: root, body, accept: [409] });
        } else if (path === 'indexes.jsonl') {
          for (const line of text.split('\n').filter((one) => one !== '')) {
            const body: unknown = JSON.parse(line);
            await client.call({ method: 'PUT', path: `${root}/index`, query: wait, body });
          }
        } else if (path.startsWith('deletes/')) {
          const body: unknown = JSON.parse(text);
          await client.call({ method: 'POST', path: `${root}/points/delete`, query: wait, body });
        } else if (path.startsWith('updates/')) {
          const { operations } = JSON.parse(text) as { readonly operations: readonly Overwrite[] };
          return sendHalving(
            operations,
            isProven,
            ({ overwrite_payload }) => overwrite_payload.points[0] ?? '',
            async (part) => {
              await client.call({
                method: 'POST',
                path: `${root}/points/batch`,
                query: wait,
                body: { operations: part },
              });
              return [];
            },
          );
        } else {
          const { points } = JSON.parse(text) as { readonly points: readonly Point[] };
          return sendHalving(
            points,
            isProven,
            ({ id }) => id,
            async (part) => {
              await client.call({
                method: 'PUT',
                path: `${root}/points`,
                query: wait,
                body: { points: part },
              });
              return [];
            },
          );
        }
        return [];
      },
      close: client.close,
    };
  },
};

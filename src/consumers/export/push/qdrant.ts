import { recordUuid } from '../../../feed/records/record-schemas.ts';
import { joinEntries } from '../batches.ts';
import { jsonList, qdrantCollection, qdrantIndexes } from '../targets/qdrant.ts';
import { createVendorClient, type PushItem, type PushVendor, sendHalving } from './vendor.ts';

/** Qdrant: “Upsert points”, “Batch update points” and “Delete points”; a missing collection is created, with indexes for filters. */
export const qdrantPush: PushVendor = {
  variables: [
    { name: 'QDRANT_URL', meaning: 'the URL of the cluster, such as https://abc.cloud.qdrant.io:6333' },
    { name: 'QDRANT_API_KEY', meaning: 'a key of the cluster', isOptional: true },
  ],
  open(context) {
    const { variable, collection } = context;
    const baseUrl = variable('QDRANT_URL');
    const client = createVendorClient(context, {
      ...{ product: 'Qdrant', urlVariable: 'QDRANT_URL', keyVariable: 'QDRANT_API_KEY' },
      ...{ baseUrl, keyHeaders: (key) => ({ 'api-key': key }) },
    });
    const root = `/collections/${collection}`;
    const wait = { wait: true };
    const send = async (method: 'PUT' | 'POST', path: string, field: string, points: readonly PushItem[]) => {
      const content = { type: 'application/json', text: joinEntries(jsonList(field), points) };
      await client.call({ method, path: `${root}/points${path}`, query: wait, content });
      return [];
    };
    return {
      destination: `${baseUrl} ${collection}`,
      async prepare() {
        const { status } = await client.call({ method: 'GET', path: root, accept: [404] });
        // 409: another push created it in the meantime.
        if (status === 404)
          await client.call({ method: 'PUT', path: root, body: qdrantCollection, accept: [409] });
        for (const body of qdrantIndexes)
          await client.call({ method: 'PUT', path: `${root}/index`, query: wait, body });
      },
      upsert: (items, { isProven }) =>
        sendHalving(items, isProven, (part) => send('PUT', '', 'points', part)),
      update: (items, { isProven }) =>
        sendHalving(items, isProven, (part) => send('POST', '/batch', 'operations', part)),
      delete: (items) =>
        send(
          'POST',
          '/delete',
          'points',
          items.map(({ id }) => ({ id, entry: JSON.stringify(recordUuid(id)) })),
        ),
      close: client.close,
    };
  },
};

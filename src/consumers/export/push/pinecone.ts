import { joinEntries } from '../batches.ts';
import { createVendorClient, type PushVendor, sendHalving } from './vendor.ts';

/** Pinecone supports a version for a year or more. This one is what its client 8 sends. */
const version = { 'x-pinecone-api-version': '2026-04' };

/** Pinecone: “Upsert text” (`/records/namespaces/…/upsert`) and “Delete vectors”. The index must exist, because it decides the model. */
export const pineconePush: PushVendor = {
  variables: [
    { name: 'PINECONE_API_KEY', meaning: 'a key of the project' },
    {
      name: 'PINECONE_INDEX_HOST',
      meaning: 'the host of the index, such as https://help-abc123.svc.us-east-1-aws.pinecone.io',
    },
  ],
  open(context) {
    const { variable, collection } = context;
    const host = variable('PINECONE_INDEX_HOST');
    const baseUrl = host.includes('://') ? host : `https://${host}`;
    const client = createVendorClient(context, {
      ...{ product: 'Pinecone', urlVariable: 'PINECONE_INDEX_HOST', keyVariable: 'PINECONE_API_KEY' },
      ...{ baseUrl, keyHeaders: (key) => ({ 'api-key': key }) },
    });
    return {
      destination: `${baseUrl} ${collection}`,
      upsert: (items, { isProven }) =>
        sendHalving(items, isProven, async (part) => {
          await client.call({
            method: 'POST',
            path: `/records/namespaces/${collection}/upsert`,
            headers: version,
            content: { type: 'application/x-ndjson', text: joinEntries({}, part) },
          });
          return [];
        }),
      async delete(items) {
        // 404: the namespace does not exist, so there is nothing to delete.
        await client.call({
          method: 'POST',
          path: '/vectors/delete',
          headers: version,
          body: { namespace: collection, ids: items.map(({ id }) => id) },
          accept: [404],
        });
        return [];
      },
      close: client.close,
    };
  },
};

import { LecternError } from '../../../core/errors.ts';
import { elasticsearchIndex } from '../targets/elasticsearch.ts';
import { createVendorClient, type PushItem, type PushVendor, type Refusal, sendHalving } from './vendor.ts';

interface ActionResult {
  readonly _id: string;
  readonly status: number;
  readonly error?: { readonly type?: string; readonly reason?: string };
}

interface BulkResult {
  readonly errors: boolean;
  readonly items: readonly Readonly<Record<string, ActionResult>>[];
}

const maxAttempts = 6;
const firstDelayMs = 1000;

/** Elasticsearch: the bulk API, whose response names every failed action; a missing index is created. */
export const elasticsearchPush: PushVendor = {
  variables: [
    { name: 'ELASTICSEARCH_URL', meaning: 'the URL of the cluster, such as https://abc.es.io:443' },
    { name: 'ELASTICSEARCH_API_KEY', meaning: 'an encoded API key', isOptional: true },
  ],
  open(context) {
    const { variable, collection, sleep } = context;
    const baseUrl = variable('ELASTICSEARCH_URL');
    const client = createVendorClient(context, {
      product: 'Elasticsearch',
      urlVariable: 'ELASTICSEARCH_URL',
      keyVariable: 'ELASTICSEARCH_API_KEY',
      baseUrl,
      keyHeaders: (key) => ({ authorization: `ApiKey ${key}` }),
    });

    /** The server may accept some actions and be too busy for others, which are sent again. */
    async function sendActions(actions: readonly PushItem[], isProven: boolean): Promise<readonly Refusal[]> {
      const refusals: Refusal[] = [];
      let rest = actions;
      for (let attempt = 1; rest.length > 0; attempt += 1) {
        const { body } = await client.call<BulkResult | null>({
          method: 'POST',
          path: `/${collection}/_bulk`,
          content: { type: 'application/x-ndjson', text: rest.map(({ entry }) => entry).join('') },
        });
        const results = (body?.items ?? []).flatMap((item) => Object.entries(item).slice(0, 1));
        if (results.length !== rest.length) {
          throw new LecternError('BAD_RESPONSE', 'the response of the bulk API is not complete', {
            hint: 'check that ELASTICSEARCH_URL is the URL of Elasticsearch, not of another server',
          });
        }
        const busy: PushItem[] = [];
        for (const [at, [action, { status, error }]] of results.entries()) {
          const sent = rest[at] as PushItem;
          if (status === 429 || status >= 500) busy.push(sent);
          else if (status >= 400 && !(action === 'delete' && status === 404)) {
            refusals.push({ id: sent.id, reason: `${error?.type ?? status}: ${error?.reason ?? ''}` });
          }
        }
        rest = busy;
        if (rest.length === 0) break;
        if (attempt === maxAttempts) {
          throw new LecternError('RATE_LIMITED', `Elasticsearch is too busy for ${rest.length} documents`, {
            hint: 'run again later: the push continues where it stopped',
          });
        }
        await sleep(firstDelayMs * 2 ** (attempt - 1));
      }
      const [first] = refusals;
      if (!isProven && first !== undefined && refusals.length === actions.length && actions.length > 1) {
        throw new LecternError(
          'PUSH_REFUSED',
          `Elasticsearch refused all ${actions.length} documents: ${first.reason}`,
          {
            hint: 'the index has other fields than this export: use another --collection, or delete the index',
          },
        );
      }
      return refusals;
    }

    async function hasIndex(): Promise<boolean> {
      const { status } = await client.call({ method: 'HEAD', path: `/${collection}`, accept: [404] });
      return status !== 404;
    }

    return {
      destination: `${baseUrl} ${collection}`,
      async prepare() {
        if (await hasIndex()) return;
        try {
          await client.call({ method: 'PUT', path: `/${collection}`, body: elasticsearchIndex });
        } catch (error) {
          // It exists if the response of an earlier attempt was lost.
          if (!(await hasIndex())) throw error;
        }
      },
      upsert: (items, { isProven }) => sendHalving(items, isProven, (part) => sendActions(part, isProven)),
      delete: (items, { isProven }) => {
        const actions = items.map(({ id }) => ({
          id,
          entry: `${JSON.stringify({ delete: { _id: id } })}\n`,
        }));
        return sendHalving(actions, isProven, (part) => sendActions(part, isProven));
      },
      close: client.close,
    };
  },
};

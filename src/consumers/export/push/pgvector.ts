import pg from 'pg';
import { parseUrl } from '../../../core/addresses.ts';
import { LecternError, maskKey, messageOf } from '../../../core/errors.ts';
import { joinEntries } from '../batches.ts';
import { createTable, pgvector } from '../targets/pgvector.ts';
import type { PushVendor, Refusal } from './vendor.ts';

const maxAttempts = 6;
const firstDelayMs = 1000;

/** SQL states that pass: connections (class 08), too few resources (53), shutdown and start (57P), deadlocks and serialisation (40). */
const passingState = /^(?:08|53|57P|40)/;
const passingCode = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|EAI_AGAIN)/;

/** PostgreSQL with pgvector: everything is sent as a statement or a few, which can be run again. */
export const pgvectorPush: PushVendor = {
  variables: [
    { name: 'DATABASE_URL', meaning: 'the URL of the database, such as postgres://user@host/name' },
  ],
  open({ variable, collection, sleep }) {
    const text = variable('DATABASE_URL');
    const url = parseUrl(text);
    if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) {
      throw new LecternError('USAGE', 'DATABASE_URL is not the URL of a PostgreSQL database', {
        hint: 'set it to a URL such as postgres://user:password@host:5432/name',
      });
    }
    let client: pg.Client | null = null;

    async function disconnect(): Promise<void> {
      const old = client;
      client = null;
      await old?.end().catch(() => {});
    }

    async function run(sql: string): Promise<void> {
      if (client === null) {
        const opened = new pg.Client({ connectionString: text, connectionTimeoutMillis: 10_000 });
        // A connection that breaks while it is idle fails its next query.
        opened.on('error', () => {});
        await opened.connect();
        client = opened;
        await opened.query('SET standard_conforming_strings = on');
      }
      await client.query(sql);
    }

    const send = async (sql: string): Promise<readonly Refusal[]> => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          await run(sql);
          return [];
        } catch (cause) {
          await disconnect();
          const isPassing = isPassingFault(cause);
          if (isPassing && attempt < maxAttempts) {
            await sleep(firstDelayMs * 2 ** (attempt - 1));
            continue;
          }
          const message = maskKey(messageOf(cause), decodeURIComponent(url.password) || null);
          throw new LecternError(isPassing ? 'DATA_UNUSABLE' : 'PUSH_REFUSED', `PostgreSQL: ${message}`, {
            hint: isPassing
              ? 'check that the database runs and DATABASE_URL is right, then run again: the push continues where it stopped'
              : 'check that the user may create and change the table, that the extension vector is installed, and that the table is one that lectern export created',
            cause,
          });
        }
      }
    };

    return {
      destination: `${url.host}${url.pathname} ${url.searchParams.get('host') ?? ''} ${collection}`,
      prepare: async () => void (await send(createTable(collection))),
      upsert: (items) => send(joinEntries(pgvector.format(collection), items)),
      // Record ids contain no characters with a meaning in SQL (idSchema).
      delete: (items) =>
        send(`DELETE FROM ${collection} WHERE id IN (${items.map(({ id }) => `'${id}'`).join(', ')});`),
      close: disconnect,
    };
  },
};

function isPassingFault(cause: unknown): boolean {
  const code = String((cause as { readonly code?: unknown }).code ?? '');
  if (passingCode.test(code) || passingState.test(code)) return true;
  return cause instanceof Error && /Connection terminated|timeout expired/.test(cause.message);
}

import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { LecternError, messageOf } from '../../core/errors.ts';
import { makeFolder, readFileOrNull, writeFileAtomically } from '../../core/file-system.ts';
import { z } from '../../core/schema.ts';
import type { Notice } from './notice.ts';

/** What happened to one webhook. */
export interface Delivery {
  /** Without the query, which may contain a secret. */
  readonly url: string;
  /** `known`: it was sent before; `failed`: see `error`. */
  readonly outcome: 'sent' | 'known' | 'failed';
  readonly error: string | null;
}

interface SendOptions {
  /** Absolute path of the file that says which runs were announced. It is made if it is missing or damaged. */
  readonly stateFile: string;
  /** Sends also what was sent before. */
  readonly isForced: boolean;
  /** Posts the notice with retries. @throws LecternError */
  readonly post: (url: string, notice: Notice) => Promise<void>;
}

const stateSchema = z.object({
  schema: z.literal('lectern/notices/1'),
  /** By the hash of the URL, which may contain a secret: the last run that was announced. */
  sent: z.record(z.string(), z.object({ feed_id: z.string(), seq: z.int() })),
});

/**
 * Sends a notice to webhooks, one after another. A webhook that got the notice of this or a newer run of the feed is left out. What was sent
 * is stored after each webhook, so that a killed run repeats one notice at most.
 * @throws CACHE_UNWRITABLE
 */
export async function sendNotices(
  urls: readonly string[],
  notice: Notice,
  { stateFile, isForced, post }: SendOptions,
): Promise<readonly Delivery[]> {
  const { sent } = readState(stateFile);
  const deliveries: Delivery[] = [];
  for (const address of new Set(urls)) {
    const key = createHash('sha256').update(address).digest('hex');
    const last = sent[key];
    const url = address.replace(/[?#].*$/s, '');
    if (!isForced && last?.feed_id === notice.feedId && last.seq >= notice.seq) {
      deliveries.push({ url, outcome: 'known', error: null });
      continue;
    }
    try {
      await post(address, notice);
    } catch (error) {
      if (!(error instanceof LecternError)) throw error;
      deliveries.push({ url, outcome: 'failed', error: messageOf(error) });
      continue;
    }
    sent[key] = { feed_id: notice.feedId, seq: notice.seq };
    writeState(stateFile, sent);
    deliveries.push({ url, outcome: 'sent', error: null });
  }
  return deliveries;
}

type DeliveryState = z.output<typeof stateSchema>;

function readState(file: string): DeliveryState {
  try {
    return stateSchema.parse(JSON.parse(readFileOrNull(file)?.toString('utf8') ?? ''));
  } catch {
    return { schema: 'lectern/notices/1', sent: {} };
  }
}

function writeState(file: string, sent: DeliveryState['sent']): void {
  try {
    makeFolder(dirname(file));
    writeFileAtomically(file, [`${JSON.stringify({ schema: 'lectern/notices/1', sent }, null, 2)}\n`]);
  } catch (cause) {
    throw new LecternError('CACHE_UNWRITABLE', `${file} cannot be written: ${messageOf(cause)}`, {
      hint: 'make the cache folder writable; the notice was sent and may be sent again by the next run',
      cause,
    });
  }
}

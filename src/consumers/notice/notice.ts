import { createHmac } from 'node:crypto';
import { LecternError } from '../../core/errors.ts';
import { z } from '../../core/schema.ts';

const count = z.int().min(0);

/** What a notice says of a manifest. */
const announced = z.object({
  site: z.object({ url: z.string() }),
  run: z.object({
    feed_id: z.string().regex(/^[0-9a-f]{32}$/),
    seq: z.int().min(1),
    built_at: z.string().optional(),
  }),
  languages: z.array(z.object({ language: z.string(), documents: count, chunks: count })),
});

/** A notice that a run of the feed is online. */
export interface Notice {
  /** The same for every notice of the run: receivers recognize repetitions by it. */
  readonly id: string;
  readonly feedId: string;
  readonly seq: number;
  /** The JSON that is sent and signed. */
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Makes the notice of a published manifest.
 * @param feedUrl URL of the manifest
 * @throws FEED_INVALID
 */
export function makeNotice(manifest: Uint8Array, feedUrl: string): Notice {
  const { data } = announced.safeParse(parseJson(Buffer.from(manifest).toString('utf8')));
  if (data === undefined) {
    throw new LecternError('FEED_INVALID', `${feedUrl} is not the manifest of a feed`, {
      hint: 'publish the whole output of one build, and check it with lectern verify',
    });
  }
  const { site, run, languages } = data;
  const { feed_id, seq, built_at } = run;
  const sum = (of: 'documents' | 'chunks') => languages.reduce((total, language) => total + language[of], 0);
  return {
    id: `${feed_id}.${seq}`,
    feedId: feed_id,
    seq,
    body: {
      type: 'feed.published',
      ...(built_at === undefined ? {} : { timestamp: built_at }),
      data: {
        site: site.url,
        feed_url: feedUrl,
        feed_id,
        seq,
        ...(built_at === undefined ? {} : { built_at }),
        documents: sum('documents'),
        chunks: sum('chunks'),
        languages,
      },
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Parses the secrets that notices are signed with: base64 of at least 24 bytes, also after `whsec_`, separated by spaces. Several make one
 * signature each, so that a secret can be replaced.
 * @throws WEBHOOK_SECRET_INVALID (exit 2); its message does not contain the secret
 */
export function parseWebhookSecrets(text: string): readonly Buffer[] {
  const secrets = text.split(/\s+/).filter((secret) => secret !== '');
  const keys = secrets.map((secret) => secret.replace(/^whsec_/, ''));
  const isValid = (key: string) =>
    /^[A-Za-z0-9+/]+={0,2}$/.test(key) && Buffer.from(key, 'base64').length >= 24;
  if (keys.length > 0 && keys.every(isValid)) return keys.map((key) => Buffer.from(key, 'base64'));
  throw new LecternError(
    'WEBHOOK_SECRET_INVALID',
    text.trim() === '' ? 'LECTERN_WEBHOOK_SECRET is not set' : 'LECTERN_WEBHOOK_SECRET is not a secret',
    {
      hint: 'set it to 24 bytes or more in base64, e.g. the output of: openssl rand -base64 32',
      exitCode: 2,
    },
  );
}

/** The headers of a notice (Standard Webhooks 1.0): its id, the time in seconds and a signature per secret. */
export function signNotice(
  { id, body }: Notice,
  secrets: readonly Buffer[],
  nowMs: number,
): Readonly<Record<string, string>> {
  const time = String(Math.floor(nowMs / 1000));
  const signed = `${id}.${time}.${JSON.stringify(body)}`;
  const signatures = secrets.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures.join(' ') };
}

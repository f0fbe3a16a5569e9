import type { FeedCheck } from '../consumers/follow/follow-feed.ts';
import type { ReadFeedFile } from '../feed/read/feed-reader.ts';
import type { FeedTrust } from '../feed/signature.ts';
import { type FlagValues, usageError } from './command.ts';

/** Options of the commands that can check the signature of a feed. */
export const trustOptions = {
  'public-key': {
    type: 'string',
    describe: 'Check the signature with these keys, separated by commas',
  },
  site: {
    type: 'string',
    describe: 'URL that the feed must be signed for, if it is read from a folder or a mirror',
  },
} as const;

/** Values of {@link trustOptions}. */
type TrustFlags = FlagValues<typeof trustOptions>;

/**
 * What a command accepts of a feed; `null`: signatures are not checked.
 * @param location folder or URL of the feed
 * @throws USAGE, and what `parseTrust` throws
 */
export async function readTrust(
  { 'public-key': keys, site }: TrustFlags,
  location: string,
): Promise<FeedTrust | null> {
  if (keys === undefined) {
    if (site === undefined) return null;
    throw usageError('--site is only used with --public-key', 'add --public-key, or remove --site');
  }
  const { parseTrust } = await import('../feed/signature.ts');
  return parseTrust(keys.split(','), location, site);
}

/** The check of a command that reads a feed; `null`: signatures are not checked. */
export async function checkOf(trust: FeedTrust | null, read: ReadFeedFile): Promise<FeedCheck | null> {
  if (trust === null) return null;
  const { createSignatureCheck } = await import('../feed/signature.ts');
  return createSignatureCheck(read, trust, Date.now);
}

import { resolve } from 'node:path';
import type { ResolvedConfig } from '../config/schema.ts';
import { networkOf } from '../config/source-settings.ts';
import { createFolderReader, createUrlReader, isUrl, type PublishedSite } from '../feed/feed-reader.ts';
import { createHttp } from '../source/http.ts';
import { trustedCertificates } from '../source/trusted-certificates.ts';

/** How an address is read: timeouts, retries and trusted certificates. */
type FeedConfig = Pick<ResolvedConfig, 'source' | 'tls'>;

/**
 * Opens a published site in a folder or at an address. An address is read as the API is, but without its key.
 * @param readConfig asked for an address only
 * @param folder relative paths of the configuration belong to it
 * @throws FEED_ADDRESS_INVALID, CA_UNREADABLE and what `readConfig` throws
 */
export async function openFeed(
  place: string,
  readConfig: () => Promise<FeedConfig>,
  folder: string,
): Promise<PublishedSite> {
  if (!isUrl(place)) return createFolderReader(place);
  const { source, tls } = await readConfig();
  const ca = await trustedCertificates(tls.ca === undefined ? null : resolve(folder, tls.ca));
  return createUrlReader(place, (baseUrl) =>
    createHttp({ ...networkOf(source), baseUrl, apiKey: null, ca, insecureLoopback: true }),
  );
}

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ResolvedConfig } from '../../core/config/schema.ts';
import { networkOf } from '../../core/config/source-settings.ts';
import { LecternError } from '../../core/errors.ts';
import { trustedCertificates } from '../../core/net/trusted-certificates.ts';
import { putBack } from '../../output/swap.ts';
import { createFolderReader, createUrlReader, isUrl, type PublishedSite } from './feed-reader.ts';

/** How a URL is read: timeouts, retries and trusted certificates. */
type FeedConfig = Pick<ResolvedConfig, 'source' | 'tls'>;

interface FeedOpenOptions {
  readonly anyServer?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens a published site in a folder or at a URL. A URL is read like the API, but without the API key.
 * @param readConfig called only for a URL
 * @param folder base of relative paths in the configuration
 * @param options `anyServer`: follows redirects to other servers; `signal`: requests end with its reason when it is aborted
 * @throws USAGE, CONFIG_INVALID and what `readConfig` throws
 */
export async function openFeed(
  site: string,
  readConfig: () => Promise<FeedConfig>,
  folder: string,
  { anyServer = false, ...aborting }: FeedOpenOptions = {},
): Promise<PublishedSite> {
  if (!isUrl(site)) return createFolderReader(site);
  const { source, tls } = await readConfig();
  const ca = await trustedCertificates(tls, folder);
  const { createHttp } = await import('../../core/net/http.ts');
  return createUrlReader(site, (baseUrl) =>
    createHttp({
      ...networkOf(source),
      baseUrl,
      apiKey: null,
      ca,
      insecureLoopback: true,
      anyServer,
      ...aborting,
    }),
  );
}

/**
 * Opens the site whose feed a build continues. Before the first publication, its domain may not exist yet: then nobody has read a feed there,
 * and files are missing, which is no error. A server that does not answer is one, because its feed would be lost.
 * @throws as {@link openFeed} does
 */
export async function openPreviousFeed(
  site: string,
  readConfig: () => Promise<FeedConfig>,
  folder: string,
  signal?: AbortSignal,
): Promise<PublishedSite> {
  const opened = await openFeed(site, readConfig, folder, { signal });
  return {
    ...opened,
    async read(path, bytes) {
      try {
        return await opened.read(path, bytes);
      } catch (error) {
        if (isUnknownName(error)) return null;
        throw error;
      }
    },
  };
}

/** Whether there is no server of this name. A name server that does not answer is another error (EAI_AGAIN). */
function isUnknownName(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ((cause as NodeJS.ErrnoException).code === 'ENOTFOUND') return true;
  return false;
}

/**
 * Opens a published site that must exist; first restores an output after a killed run.
 * @throws PATH_UNUSABLE (exit 2) and what `openFeed` throws
 */
export async function openPublishedSite(
  site: string,
  readConfig: () => Promise<FeedConfig>,
  folder: string,
  signal?: AbortSignal,
): Promise<PublishedSite> {
  if (isUrl(site)) return openFeed(site, readConfig, folder, { signal });
  const path = resolve(folder, site);
  await putBack(path);
  if (existsSync(path)) return openFeed(path, readConfig, folder);
  throw new LecternError('PATH_UNUSABLE', `the folder ${site} does not exist`, {
    hint: 'pass the folder of a published site, e.g. dist, or its URL',
    exitCode: 2,
  });
}

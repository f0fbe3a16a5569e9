import { resolve } from 'node:path';
import { attachmentEndings, folderOrigin } from '../core/addresses.ts';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { isLocal, networkOf } from '../core/config/source-settings.ts';
import type { FileFetcher } from '../core/net/fetch-file.ts';
import { trustedCertificates } from '../core/net/trusted-certificates.ts';
import { listRunSecrets } from '../core/run-secrets.ts';
import { resolveUserFolder } from '../core/user-folder.ts';
import { createMedia, type Media } from '../site/media/media.ts';
import { createMediaInPlace } from '../site/media/media-in-place.ts';
import type { SiteRoot } from '../site/plan/page-url.ts';
import type { BuildOptions } from './build-options.ts';

/** How many images and files are copied at most. */
const maxFiles = 100_000;

/** Larger files are linked and not copied. Cloudflare Pages, for one, publishes no file with more than 25 MiB. */
const maxFileBytes = 25_000_000;

/** A download fails if one of its steps takes longer. */
const downloadTimeoutMs = 20_000;

/** How a run can access the help centre's files. */
type MediaAccess = Pick<BuildOptions, 'folder' | 'offline' | 'insecureLoopback'> &
  Partial<Pick<BuildOptions, 'apiKey' | 'environment' | 'isInPlace'>>;

/** Re-hosting for one run; `close` ends its connections. */
interface OpenMedia {
  readonly media: Media;
  close(): Promise<void>;
}

/**
 * Prepares copying the images and files of the help centre: from `content.hosts`, the API's own host and `media.hosts`, and from the folder
 * of the source, which needs no network. In place, nothing is copied.
 * @throws CONFIG_INVALID, FILE_OUTSIDE (exit 2)
 */
export async function openMedia(
  config: ResolvedConfig,
  root: SiteRoot,
  access: MediaAccess,
): Promise<OpenMedia> {
  if (access.isInPlace) return { media: createMediaInPlace(root), close: async () => {} };
  const settings = config.media;
  const { hosts, fetcher } = await openFiles(config, access);
  const media = createMedia({
    root,
    rules: {
      baseUrl: config.content.hosts[0] ?? null,
      hosts,
      attachments: attachmentEndings(settings.attachments),
    },
    reportsHosts: settings.mode !== 'inline',
    cache: resolve(access.folder, config.cache, 'media'),
    fetcher,
    concurrency: networkOf().concurrency,
    maxFiles,
  });
  return { media, close: async () => fetcher?.close() };
}

/**
 * Prepares access to the images and files of the help centre.
 * @returns their allowed hosts, and `null` if no file can be read
 * @throws CONFIG_INVALID, FILE_OUTSIDE (exit 2)
 */
export async function openFiles(
  config: ResolvedConfig,
  access: MediaAccess,
): Promise<{ readonly hosts: ReadonlySet<string>; readonly fetcher: FileFetcher | null }> {
  const { source, media } = config;
  const remote = media.mode === 'inline' ? new Set<string>() : fileHosts(config);
  const network = access.offline || remote.size === 0 ? null : await openFetcher(config, remote, access);
  if (!isLocal(source)) return { hosts: remote, fetcher: network };
  const { createFolderFetcher } = await import('../source/folder/folder-fetcher.ts');
  const root = resolveUserFolder(access.folder, source.path);
  const secrets = listRunSecrets(access.apiKey, access.environment);
  const fetcher = createFolderFetcher(root, maxFileBytes, network, secrets);
  return { hosts: new Set([...remote, new URL(folderOrigin).host]), fetcher };
}

function fileHosts({ baseUrl, content, media }: ResolvedConfig): ReadonlySet<string> {
  const origins = [...(baseUrl === undefined ? [] : [baseUrl]), ...content.hosts];
  const named = [...media.hosts, ...media.privateHosts];
  return new Set([
    ...origins.map((origin) => new URL(origin).host),
    // A host without a port matches all ports.
    ...named.map((host) => (host.includes(':') ? host : `${host}:*`)),
  ]);
}

async function openFetcher(
  config: ResolvedConfig,
  hosts: ReadonlySet<string>,
  access: MediaAccess,
): Promise<FileFetcher> {
  const { privateHosts } = config.media;
  const { createFileFetcher } = await import('../core/net/fetch-file.ts');
  return createFileFetcher({
    hosts,
    privateHosts,
    allowLoopback: access.insecureLoopback,
    maxBytes: maxFileBytes,
    timeoutMs: downloadTimeoutMs,
    ca: await trustedCertificates(config.tls, access.folder),
  });
}

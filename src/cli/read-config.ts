import { resolve } from 'node:path';
import type { ResolvedConfig, UserConfig } from '../core/config/schema.ts';
import type { PublishedSite } from '../feed/read/feed-reader.ts';
import { findService } from './remembered-service.ts';

/**
 * The configuration of a command.
 * @param file of `--config`
 * @param flags settings that were given as flags
 * @throws what `loadConfig` throws
 */
export async function readConfig(
  file: string | undefined,
  flags: Partial<UserConfig> = {},
): Promise<ResolvedConfig> {
  // Loaded only now, because help needs no schema library.
  const { loadConfig } = await import('../core/config/load-config.ts');
  const folder = process.cwd();
  const { config: given, originOf } = await loadConfig({
    file,
    environment: process.env,
    flags,
    folder,
  });
  const config = findService(given, originOf(['source']) !== 'default', folder, process.env);
  if (config.source.kind !== 'site' || originOf(['defaultLanguage']) !== 'default') return config;
  // A built site says what its language is.
  const { readSiteFacts } = await import('../source/built-site/site-facts.ts');
  const { language } = readSiteFacts(resolve(folder, config.source.path));
  return language === null ? config : { ...config, defaultLanguage: language };
}

/**
 * Opens a published site that must exist.
 * @param site folder or URL
 * @param config file of `--config`, which is read only for a URL
 * @param signal ends requests with its reason
 * @throws what `openPublishedSite` throws
 */
export async function openSite(
  site: string,
  config: string | undefined,
  signal?: AbortSignal,
): Promise<PublishedSite> {
  const { openPublishedSite } = await import('../feed/read/open-feed.ts');
  return openPublishedSite(site, () => readConfig(config), process.cwd(), signal);
}

import { resolve } from 'node:path';
import type { ResolvedConfig } from '../core/config/schema.ts';
import type { LanguageTag } from '../core/model.ts';
import type { Problem } from '../core/problems.ts';
import { countReasons } from '../core/report.ts';
import { lockCache } from '../output/lock-cache.ts';
import { siteRoot } from '../site/plan/page-url.ts';
import type { BuildOptions } from './build-options.ts';
import { coverageOf } from './make-report.ts';
import { openMedia } from './open-media.ts';
import { openSource } from './open-source.ts';

/** Summary of a snapshot. */
export interface FetchReport {
  /** Absolute path of the snapshot. */
  readonly folder: string;
  readonly articles: number;
  /** Public articles in each language. */
  readonly languages: Readonly<Record<LanguageTag, number>>;
  /** Records that are not public, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Articles that the source has, in any state. */
  readonly seen: number;
  /** Files that look like pages and were not read, by a pattern of their paths. */
  readonly unread: Readonly<Record<string, number>>;
  readonly problems: readonly Problem[];
}

/**
 * Reads the public knowledge base into the cache folder, with the images and files that a build copies: everything `build --offline` needs.
 * @throws what `openSource` and `lockCache` throw; the last snapshot is then unchanged
 */
export async function fetchSnapshot(
  config: ResolvedConfig,
  options: Pick<
    BuildOptions,
    | 'apiKey'
    | 'environment'
    | 'folder'
    | 'allowMassDelete'
    | 'insecureLoopback'
    | 'generator'
    | 'onProgress'
    | 'onProblems'
    | 'onWait'
    | 'signal'
  >,
): Promise<FetchReport> {
  const folder = resolve(options.folder, config.cache);
  const lock = await lockCache(folder, resolve(options.folder, config.out), options);
  const opened: { close(): Promise<void> }[] = [];
  try {
    const source = await openSource(config, { ...options, offline: false });
    opened.push(source);
    const files = await openMedia(config, siteRoot(config.siteUrl), { ...options, offline: false });
    opened.push(files);
    const { media } = files;
    const { articles, excluded } = source.knowledgeBase;
    const languages: Record<LanguageTag, number> = {};
    for (const { id, translations } of articles) {
      options.signal?.throwIfAborted();
      for (const { language } of translations) languages[language] = (languages[language] ?? 0) + 1;
      await media.prepare((await source.readBodies(id)).values());
    }
    const copied = await media.finish();
    return {
      folder,
      articles: articles.length,
      ...coverageOf(source.stats),
      languages,
      skipped: countReasons(excluded),
      problems: [...source.problems, ...copied.problems],
    };
  } finally {
    for (const resource of opened.reverse()) await resource.close();
    lock?.release();
  }
}

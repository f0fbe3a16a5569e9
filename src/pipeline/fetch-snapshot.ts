import type { ResolvedConfig } from '../core/config/schema.ts';
import type { LanguageTag } from '../core/model.ts';
import type { Problem } from '../core/problems.ts';
import { type BuildReport, countReasons } from '../core/report.ts';
import { coverageOf } from './make-report.ts';
import { openRun, type RunOptions } from './run.ts';

/** Summary of a snapshot. */
export interface FetchReport extends Pick<BuildReport, 'seen' | 'unread'> {
  /** Absolute path of the snapshot. */
  readonly folder: string;
  readonly articles: number;
  /** Public articles in each language. */
  readonly languages: Readonly<Record<LanguageTag, number>>;
  /** Records that are not public, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly problems: readonly Problem[];
}

/**
 * Reads the public knowledge base into the cache folder, with the images and files that a build copies: everything `build --offline` needs.
 * @throws what `openRun` and reading throw; the last snapshot is then unchanged
 */
export async function fetchSnapshot(
  config: ResolvedConfig,
  options: Omit<RunOptions, 'offline'>,
): Promise<FetchReport> {
  const run = await openRun(config, { ...options, offline: false });
  try {
    const source = await run.readSource();
    const media = await run.openMedia();
    const { articles, excluded } = source.knowledgeBase;
    const languages: Record<LanguageTag, number> = {};
    for (const { id, translations } of articles) {
      options.signal?.throwIfAborted();
      for (const { language } of translations) languages[language] = (languages[language] ?? 0) + 1;
      await media.prepare((await source.readBodies(id)).values());
    }
    const copied = await media.finish();
    return {
      folder: run.cache,
      articles: articles.length,
      ...coverageOf(source.stats),
      languages,
      skipped: countReasons(excluded),
      problems: [...source.problems, ...copied.problems],
    };
  } finally {
    await run.close();
  }
}

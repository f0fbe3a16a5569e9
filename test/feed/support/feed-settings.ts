import { feedSettings } from '../../../src/core/config/schema.ts';
import type { z } from '../../../src/core/schema.ts';
import type { ChunkSettings } from '../../../src/feed/chunks/split-sections.ts';
import { type FeedLimits, feedLimits, type LimitedFeedSettings } from '../../../src/feed/feed-limits.ts';

/** Settings and limits that a test changes. */
export type FeedOverrides = z.input<typeof feedSettings> &
  Partial<Omit<FeedLimits, 'chunks'>> & { readonly chunks?: Partial<ChunkSettings> };

/** The settings and limits of a build, except those that a test changes. */
export function limitedSettings({ chunks, ...overrides }: FeedOverrides = {}): LimitedFeedSettings {
  const { summary, allowSecrets, ...limits } = overrides;
  return {
    ...feedLimits,
    ...feedSettings.parse({ summary, allowSecrets }),
    ...limits,
    chunks: { ...feedLimits.chunks, ...chunks },
  };
}

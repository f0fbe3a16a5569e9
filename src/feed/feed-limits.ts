import type { FeedSettings } from '../core/config/schema.ts';
import type { ChunkSettings } from './chunks/split-sections.ts';

/** Sizes of the texts and files of a feed. */
export interface FeedLimits {
  readonly chunks: ChunkSettings;
  /** A longer `llms.txt` is divided by top-level category. */
  readonly llmsChars: number;
  /** How many runs a reader may miss before it has to read everything again. */
  readonly keepRuns: number;
}

/** The limits of every build. Tests use smaller ones. */
export const feedLimits: FeedLimits = {
  chunks: { minTokens: 80, targetTokens: 240, softMaxTokens: 420, maxTokens: 800 },
  llmsChars: 50_000,
  keepRuns: 30,
};

/** The user's settings of a feed, and its limits. */
export type LimitedFeedSettings = FeedSettings & FeedLimits;

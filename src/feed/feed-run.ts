import type { ExclusionReason, LanguageTag } from '../foundation/model.ts';
import type { FeedReader } from './feed-reader.ts';
import type { RemovalGuard } from './guard/guard-removals.ts';
import type { KeyPlace } from './guard/secret-guard.ts';

/** What a feed needs to know besides the plan. */
export interface FeedOptions {
  /** Articles that exist but are not public, with the reason (`KnowledgeBase.excluded`). */
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
  /** Name and version of this program, e.g. `lectern 0.1.0`. */
  readonly generator: string;
  /** Time of the run, ISO 8601 in UTC; it stands in the manifest alone. `null` leaves it out. */
  readonly builtAt: string | null;
  /** Where the previous feed is read from instead of the previous output, e.g. its published address. */
  readonly previous?: FeedReader;
  /** Records that hold the run's own API key; absent: none. */
  readonly keyPlaces?: readonly KeyPlace[];
  /** Languages the configuration names; absent or `null`: all there are. */
  readonly languages?: readonly LanguageTag[] | null;
  /** What of the previous feed may go; absent or `null`: anything. */
  readonly guard?: RemovalGuard | null;
}

/** What a run put into the feed. */
export interface FeedSummary {
  /** Number of the run; the previous one's where nothing changed. */
  readonly seq: number;
  /** Pages: articles times their languages. */
  readonly documents: number;
  readonly chunks: number;
  readonly tokens: number;
  /** Documents that are new, changed, moved or gone since the previous run. */
  readonly changes: number;
  /** `root_hash` of the manifest. */
  readonly rootHash: string;
}

/** What is counted per language while documents are added. */
export interface LanguageTotals {
  documents: number;
  chunks: number;
  tokens: number;
}

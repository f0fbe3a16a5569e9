import type { Article, Category, ExclusionReason, LanguageTag, TopArticle } from '../../foundation/model.ts';
import type { Problem } from '../../foundation/problems.ts';

/** Version of the snapshot's layout. Raise it when that changes: a snapshot of another version is never read. */
export const snapshotVersion = 4;

/** File of the index inside the cache folder. It names the file of the bodies, and replacing it replaces the snapshot. */
export const indexFile = 'snapshot.jsonl';

/** Name of a file of bodies; each snapshot has its own, so that a reader of the last one is not disturbed. */
export const bodiesFilePattern = /^snapshot-[0-9a-f]{16}\.bodies$/;

/** First line of the index. */
export interface SnapshotHeader {
  readonly format: 'lectern-snapshot';
  readonly version: number;
  /** Name and version of the program that wrote it. */
  readonly generator: string;
  /** The source it is of: see `SourceAdapter.identity`. */
  readonly identity: string;
  readonly defaultLanguage: LanguageTag;
  readonly bodiesFile: string;
  readonly bodiesBytes: number;
  /** Records in the listing, whatever their state. */
  readonly listed: number;
  /** Server time of the listing, in milliseconds since 1970: what was edited around it must be read again. */
  readonly listedAtMs: number;
  /** When every body was last read. */
  readonly fullReadAtMs: number;
  /** Whether the list gives bodies; else every one is a request of its own. */
  readonly isListWithBodies: boolean;
  /** Validator of the whole listing with bodies, or `null`. */
  readonly etag: string | null;
}

/** The byte range of an article's bodies in the file of the bodies. */
export interface BodyRange {
  readonly offset: number;
  /** Bytes per translation, in the article's order. */
  readonly lengths: readonly number[];
}

/** An article with all that is needed to use its bodies again. */
export interface StoredArticle {
  readonly article: Article;
  readonly bodyRange: BodyRange;
  /** Languages that exist and are not published; nothing else of them is stored. */
  readonly hidden: readonly LanguageTag[];
  /** Hash of what the listing says about it (see `fingerprintRecord`). */
  readonly fingerprint: string;
  readonly problems: readonly Problem[];
}

/** Everything an index holds after its header. */
export interface SnapshotContent {
  /** Sorted by id. */
  readonly articles: readonly StoredArticle[];
  readonly categories: readonly Category[];
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
  readonly topArticles: ReadonlyMap<LanguageTag, readonly TopArticle[]>;
  /** Problems of the listing that belong to no public article. */
  readonly listingProblems: readonly Problem[];
  /** Problems of categories and statistics, which are read again on every run. */
  readonly otherProblems: readonly Problem[];
}

/** A line of the index: one letter names the kind, so that a large index stays small. */
export type SnapshotLine =
  | { readonly a: StoredArticle }
  | { readonly c: Category }
  | { readonly x: readonly [id: string, reason: ExclusionReason] }
  | { readonly t: readonly [language: LanguageTag, top: readonly TopArticle[]] }
  | { readonly p: Problem }
  | { readonly o: Problem };

/** Last line of the index: SHA-256 of all lines before it. */
export interface SnapshotTrailer {
  readonly sha256: string;
}

/** Bytes of the last line: the checksum always has the same length. */
export const trailerBytes = JSON.stringify({ sha256: '0'.repeat(64) } satisfies SnapshotTrailer).length + 1;

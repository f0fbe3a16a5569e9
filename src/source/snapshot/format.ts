import type { Article, Category, ExclusionReason, LanguageTag, TopArticle } from '../../core/model.ts';
import type { Problem } from '../../core/problems.ts';

/** Version of the snapshot's format. Increase it if the format changes: a snapshot of another version is never read. */
export const snapshotVersion = 12;

/** File of the index inside the cache folder. It names the file of the bodies, and replacing it replaces the snapshot. */
export const indexFile = 'snapshot.jsonl';

/** Name of a file of bodies. Each snapshot has its own, so that programs that read the last one are not disturbed. */
export const bodiesFilePattern = /^snapshot-[0-9a-f]{16}\.bodies$/;

/** First line of the index. */
export interface SnapshotHeader {
  readonly format: 'lectern-snapshot';
  readonly version: number;
  /** Name and version of the program that wrote it. */
  readonly generator: string;
  /** The source: see `SourceAdapter.identity`. */
  readonly identity: string;
  readonly defaultLanguage: LanguageTag;
  readonly bodiesFile: string;
  readonly bodiesBytes: number;
  /** Records in the list, in any state. */
  readonly listed: number;
  /** `ArticlesRead.unread`. */
  readonly unread?: Readonly<Record<string, number>>;
  /** Server time of the list, in milliseconds since 1970: articles edited around this time must be read again. */
  readonly listedAtMs: number;
  /** Time of the last read of all bodies. */
  readonly fullReadAtMs: number;
  /** Whether the list contains bodies; otherwise each one needs a request. */
  readonly isListWithBodies: boolean;
  /** Validator of the whole list with bodies, or `null`. */
  readonly etag: string | null;
  /** The next time at which the schedule of a record shows or hides something, in milliseconds since 1970; absent: never. */
  readonly scheduleMs?: number;
}

/** The byte range of an article's bodies in the file of the bodies. */
export interface BodyRange {
  readonly offset: number;
  /** Bytes per translation, in the article's order. */
  readonly lengths: readonly number[];
}

/** An article with everything needed to reuse its bodies. */
export interface StoredArticle {
  readonly article: Article;
  readonly bodyRange: BodyRange;
  /** Languages that exist but are not published; only their tags are stored. */
  readonly hidden: readonly LanguageTag[];
  /** Keys of their names (`hidden-names.ts`); absent if there are none. */
  readonly hiddenNames?: readonly string[];
  /** Hash of what the list says about it (see `fingerprintRecord`). */
  readonly fingerprint: string;
  readonly problems: readonly Problem[];
  /** The file of each language, relative to the folder of the configuration; absent if the source has no files. */
  readonly files?: Readonly<Record<LanguageTag, string>>;
  /** When its languages stop being public, ISO 8601 in UTC; absent if none does. */
  readonly unpublishAt?: Readonly<Record<LanguageTag, string>>;
}

/** Content of an index after its header. */
export interface SnapshotContent {
  /** Sorted by id. */
  readonly articles: readonly StoredArticle[];
  readonly categories: readonly Category[];
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
  /** The files of excluded articles, relative to the folder of the configuration; empty if the source has no files. */
  readonly excludedFiles: ReadonlyMap<string, string>;
  /** Keys of the names of excluded articles (`hidden-names.ts`), by article id. */
  readonly hiddenNames: ReadonlyMap<string, readonly string[]>;
  readonly topArticles: ReadonlyMap<LanguageTag, readonly TopArticle[]>;
  /** Problems of the list that are not about a public article. */
  readonly listingProblems: readonly Problem[];
  /** Problems of categories and statistics, which are read again on every run. */
  readonly otherProblems: readonly Problem[];
}

/** A line of the index. One letter is the kind, so that a large index stays small. */
export type SnapshotLine =
  | { readonly a: StoredArticle }
  | { readonly c: Category }
  | { readonly x: readonly [id: string, reason: ExclusionReason, names: readonly string[], file?: string] }
  | { readonly t: readonly [language: LanguageTag, top: readonly TopArticle[]] }
  | { readonly p: Problem }
  | { readonly o: Problem };

/** Last line of the index: SHA-256 of all lines before it. */
export interface SnapshotTrailer {
  readonly sha256: string;
}

/** Bytes of the last line: the checksum always has the same length. */
export const trailerBytes = JSON.stringify({ sha256: '0'.repeat(64) } satisfies SnapshotTrailer).length + 1;

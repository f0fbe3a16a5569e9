import type { Article, Category, ExclusionReason, LanguageTag, TopArticles } from '../../core/model.ts';
import type { Problem } from '../../core/problems.ts';

/** What is known of the list of articles as a whole. */
export interface ListFacts {
  /** Records in the list, in any state. */
  readonly listed: number;
  /** Files that look like pages and were not read, counted by a pattern of their paths; absent: none. */
  readonly unread?: Readonly<Record<string, number>>;
  /** Time of the list by the server's clock, in milliseconds since 1970: articles edited around this time must be read again. */
  readonly listedAtMs: number;
  /** Time of the last read of all bodies, by our clock. */
  readonly fullReadAtMs: number;
  /** Whether the list contains bodies; otherwise each one needs a request. */
  readonly isListWithBodies: boolean;
  /** Validator of the whole list with all bodies, or `null`. */
  readonly etag: string | null;
  /** The next time at which the schedule of a record shows or hides something, in milliseconds since 1970; absent: never. */
  readonly scheduleMs?: number;
}

/** What a snapshot says of itself. */
export interface SnapshotHeader extends ListFacts {
  /** Name and version of the program that wrote it. */
  readonly generator: string;
  /** The source: see `SourceAdapter.identity`. */
  readonly identity: string;
  readonly defaultLanguage: LanguageTag;
}

/** An article with everything needed to reuse its bodies. */
export interface StoredArticle {
  readonly article: Article;
  /** Sizes of its bodies in UTF-8, in the order of its translations. */
  readonly bodyBytes: readonly number[];
  /** Languages that exist but are not published; only their tags are stored. */
  readonly hidden: readonly LanguageTag[];
  /** Keys of their names (`hidden-names.ts`); absent if there are none. */
  readonly hiddenNames?: readonly string[];
  /** Hash of what the list says about it (see `fingerprintRecord`). */
  readonly fingerprint: string;
  /** Where the links of its texts lead; absent if the fingerprint has it. */
  readonly targets?: FoundTargets;
  readonly problems: readonly Problem[];
  /** The file of each language, relative to the folder of the configuration; absent if the source has no files. */
  readonly files?: Readonly<Record<LanguageTag, string>>;
  /** When its languages stop being public, ISO 8601 in UTC; absent if none does. */
  readonly unpublishAt?: Readonly<Record<LanguageTag, string>>;
}

/** A reference of a text: the file that has it, what it says, and whether that is a name (a wiki link) instead of a path. Plain data. */
export type TextReference = readonly [file: string, path: string, isName?: true];

/** What the references of an article led to when it was rendered. Plain data. */
export interface FoundTargets {
  readonly layout: string;
  readonly references: readonly TextReference[];
  /** Hash of their targets. */
  readonly hash: string;
}

/** What a snapshot contains besides its header and the bodies. */
export interface SnapshotContent {
  /** Sorted by id. */
  readonly articles: readonly StoredArticle[];
  readonly categories: readonly Category[];
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
  /** The files of excluded articles, relative to the folder of the configuration; empty if the source has no files. */
  readonly excludedFiles: ReadonlyMap<string, string>;
  /** Keys of the names of excluded articles (`hidden-names.ts`), by article id. */
  readonly hiddenNames: ReadonlyMap<string, readonly string[]>;
  readonly topArticles: TopArticles;
  /** Problems of the list that are not about a public article. */
  readonly listingProblems: readonly Problem[];
  /** Problems of categories and statistics, which are read again on every run. */
  readonly otherProblems: readonly Problem[];
}

/** Size of all bodies of articles, in UTF-8. */
export function sumBodyBytes(articles: readonly Pick<StoredArticle, 'bodyBytes'>[]): number {
  return articles.reduce((sum, { bodyBytes }) => bodyBytes.reduce((all, bytes) => all + bytes, sum), 0);
}

import type { NetworkSettings } from '../core/config/source-settings.ts';
import type { ExclusionReason, KnowledgeBase, LanguageTag, ReadBodies, TopArticles } from '../core/model.ts';
import type { HttpPorts } from '../core/net/http.ts';
import type { Problem } from '../core/problems.ts';
import type { Progress } from '../core/report.ts';

/** How a run read its articles. */
export type ReadMode =
  /** Every body was read. */
  | 'full'
  /** Only articles whose list entry changed were read; the others are from the last snapshot. */
  | 'incremental'
  /** The server said that nothing changed since the last snapshot. */
  | 'unchanged'
  /** Nothing but the last snapshot was read. */
  | 'offline';

interface SourceStats {
  readonly mode: ReadMode;
  /** Records in the list, in any state. */
  readonly listed: number;
  /** Files that look like pages and were not read, counted by a pattern of their paths (`_posts/**`). */
  readonly unread: Readonly<Record<string, number>>;
  readonly published: number;
  /** Records that are not published, by reason; reasons that do not occur are absent. */
  readonly excluded: Readonly<Partial<Record<ExclusionReason, number>>>;
  readonly categories: number;
  /** Number of hidden translations of published articles, in any language. */
  readonly hiddenTranslations: number;
  /** Public articles per language, sorted by tag. */
  readonly languages: Readonly<Record<LanguageTag, number>>;
  /** Size of all bodies, in UTF-8. */
  readonly bodyBytes: number;
  /** Number of articles read in separate requests. */
  readonly singleReads: number;
}

/** A knowledge base that has been read, as input of the plan. */
export interface Source {
  readonly knowledgeBase: KnowledgeBase;
  /**
   * Reads the bodies of one article from the snapshot.
   * @throws SNAPSHOT_UNUSABLE if the file has changed since it was written
   */
  readonly readBodies: ReadBodies;
  readonly topArticles: TopArticles;
  /**
   * What only records and translations are called that are not in the knowledge base: article ids by the keys of names
   * (`hidden-names.ts`).
   */
  readonly hiddenNames: ReadonlyMap<string, string>;
  /** Finds where a text is published: in bodies (also HTML-escaped), titles, descriptions, slugs and tags. */
  findText(text: string): Promise<readonly TextLocation[]>;
  /** Translations of public articles that are not in the knowledge base, sorted by article and language. */
  listSkippedTranslations(): readonly SkippedTranslation[];
  /** The file of an article in a language, relative to the folder of the configuration; `null` if the source has no files. */
  fileOf(articleId: string, language: LanguageTag | null): string | null;
  /** When the languages of a public article stop being public, ISO 8601 in UTC; a language without such a time is absent. */
  unpublishAtOf(articleId: string): Readonly<Record<LanguageTag, string>>;
  readonly problems: readonly Problem[];
  readonly stats: SourceStats;
  /**
   * Identifies all that was read, and is the hash of the snapshot's content (`checkSnapshot`) unless some of it has stopped being public since;
   * `null` if the source has problems besides.
   */
  readonly snapshot: string | null;
  close(): Promise<void>;
}

/** A language of a public article that is not published. */
export interface SkippedTranslation {
  readonly articleId: string;
  readonly language: LanguageTag;
  /** `hidden`: a draft or not live; `other-language`: public, but not in the configured languages. */
  readonly reason: 'hidden' | 'other-language';
}

/** A record that contains a text, in one of its languages. */
export interface TextLocation {
  /** An article's id, or `category` and the category's id. */
  readonly record: string;
  readonly language: LanguageTag;
}

/** Settings for opening the last snapshot. */
export interface SnapshotSettings {
  /** Folder of snapshot and caches. */
  readonly cache: string;
  /** Identity of the source (`SourceAdapter.identity`), or `null` if unknown: then a snapshot of any source is accepted. */
  readonly identity: string | null;
  readonly defaultLanguage: LanguageTag;
  /** Languages to publish, or `null` for all. */
  readonly languages: readonly LanguageTag[] | null;
}

/** Settings for reading a knowledge base from any source. */
export interface ReadSettings extends Omit<SnapshotSettings, 'identity'> {
  /** Accepts a list that is empty or has lost many articles. */
  readonly allowMassDelete: boolean;
  /** Largest accepted loss, in percent, in total and per language. */
  readonly maxDropPercent: number;
  /** Name and version of the program. Records that another version read are read again. */
  readonly generator: string;
  /** Reading ends with its reason when it is aborted. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Called with the problems of the list before the guards check it. */
  readonly onProblems?: (problems: readonly Problem[]) => void;
  /** Replacements of clock, randomness and waiting, for tests; absent: the real ones. */
  readonly ports?: HttpPorts;
}

/** Settings of an adapter that reads over the network. */
export interface FetchSettings extends Pick<ReadSettings, 'defaultLanguage' | 'signal' | 'ports'> {
  /** URL of the API. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** PEM certificates to trust; `null` trusts those that Node trusts (see `trustedCertificates`). */
  readonly ca: readonly string[] | null;
  /** Allows plain http to localhost. */
  readonly insecureLoopback: boolean;
  readonly network: NetworkSettings;
}

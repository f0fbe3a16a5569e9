import { parseUrl } from '../core/addresses.ts';
import type { ExclusionReason, LanguageTag, TopArticles } from '../core/model.ts';
import type { Problem } from '../core/problems.ts';
import { relativePath } from '../core/user-folder.ts';
import type { CategoryForest } from './normalise/category.ts';
import type { BodyStore } from './snapshot/body-store.ts';
import type { ListFacts, StoredArticle } from './snapshot/format.ts';
import type { OpenFileMemory, Snapshot } from './snapshot/snapshot-file.ts';
import type { ReadMode, ReadSettings } from './source.ts';

/** Context in which an adapter reads articles. */
export interface AdapterReading {
  /** Keeps the bodies of public articles. */
  readonly store: BodyStore;
  /** For sources that are files. */
  readonly openFiles: OpenFileMemory;
  /** The last snapshot of this source, if there is an undamaged one; articles of it that the store still has may be reused. */
  readonly previous: Pick<Snapshot, 'header' | 'content'> | null;
  readonly settings: ReadSettings;
}

/** All current articles of a source; their bodies are in the store. */
export interface ArticlesRead extends ListFacts {
  /** Sorted by id. */
  readonly articles: readonly StoredArticle[];
  /** Sorted by id. */
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
  /** The files of excluded articles; absent if the source has no files. */
  readonly excludedFiles?: ReadonlyMap<string, string>;
  /** Keys of the names of excluded articles (`hidden-names.ts`), by article id. */
  readonly hiddenNames: ReadonlyMap<string, readonly string[]>;
  /** Problems that are not about a public article. */
  readonly problems: readonly Problem[];
  readonly mode: ReadMode;
  /** Number of articles read in separate requests. */
  readonly singleReads: number;
}

/**
 * One kind of source; everything after `src/source/` is the same for all. docs/architecture.md lists what every adapter must satisfy, and
 * test/source/conformance.test.ts checks each adapter.
 */
export interface SourceAdapter {
  /** Distinguishes the snapshots of different sources: a URL or a relative path, never a secret. */
  readonly identity: string;
  /**
   * Every article of the source, public or not. Resolves only if the list is known to be complete, because articles missing from it are
   * deleted from the site.
   */
  readArticles(reading: AdapterReading): Promise<ArticlesRead>;
  /**
   * The tree of categories. Called after the articles.
   * @param used ids that articles name; may contain duplicates
   */
  readCategories(used: readonly string[]): Promise<CategoryForest>;
  /** The most viewed articles per language; absent if the source does not count views. */
  readTopArticles?(languages: readonly LanguageTag[], isPublic: IsPublicIn): Promise<ReadTopArticles>;
  close(): Promise<void>;
}

/** Whether an article is public in a language. */
export type IsPublicIn = (id: string, language: LanguageTag) => boolean;

/** The articles that are viewed most, if the source counts views. */
export interface ReadTopArticles {
  readonly byLanguage: TopArticles;
  readonly problems: readonly Problem[];
}

/** Identifies a service with our HTTP API. @param baseUrl in any spelling, such as with a slash at the end */
export function apiIdentity(baseUrl: string): string {
  return (parseUrl(baseUrl)?.href ?? baseUrl).replace(/\/+$/, '');
}

/** Identifies a folder in a snapshot, which may be moved to another machine. */
export function folderIdentity({ root, base }: { readonly root: string; readonly base: string }): string {
  return `folder:${relativePath(base, root) || '.'}`;
}

/** Identifies a built site in a snapshot, whose folder may be moved to another machine. */
export function siteIdentity(place: { readonly root: string; readonly base: string }): string {
  return folderIdentity(place).replace(/^folder:/, 'site:');
}

/** Identifies a help centre in a snapshot. @param baseUrl any URL of it */
export function zendeskIdentity(baseUrl: string): string {
  return `zendesk:${parseUrl(baseUrl)?.origin ?? baseUrl}`;
}

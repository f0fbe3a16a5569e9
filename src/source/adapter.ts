import type { LanguageTag, TopArticle } from '../foundation/model.ts';
import type { Problem } from '../foundation/problems.ts';
import type { ArticlesRead } from './articles/collect-articles.ts';
import type { CategoryForest } from './normalise/category.ts';
import type { BodyStore } from './snapshot/body-store.ts';
import type { BodyRange, StoredArticle } from './snapshot/format.ts';
import type { Snapshot } from './snapshot/read-index.ts';
import type { ReadSettings } from './source.ts';

/** Context in which an adapter reads articles. */
export interface AdapterReading {
  /** Takes the bodies. */
  readonly store: BodyStore;
  /** The last snapshot of this source, where there is a sound one: what has not changed may be taken from it. */
  readonly previous: Snapshot | null;
  /** Takes over the bodies of an article of `previous`; `null` where they are damaged. */
  readonly reuseBodies: (stored: StoredArticle) => Promise<BodyRange | null>;
  readonly settings: ReadSettings;
}

/**
 * One kind of source: everything after `src/source/` is the same for all. docs/architecture.md lists what every adapter
 * must satisfy, and test/source/conformance.test.ts checks it on each.
 */
export interface SourceAdapter {
  /** Tells the snapshots of different sources apart: an address or a relative path, never a secret. */
  readonly identity: string;
  /**
   * Every article the source holds, public or not. It resolves only if the list is known to be complete: what is
   * missing from it is deleted from the site.
   */
  readArticles(reading: AdapterReading): Promise<ArticlesRead>;
  /**
   * The tree of categories. Called after the articles.
   * @param used ids that articles name; repeats do not matter
   */
  readCategories(used: readonly string[]): Promise<CategoryForest>;
  /** The most viewed articles per language; none where the source does not count views. */
  readTopArticles(languages: readonly LanguageTag[], isPublic: (id: string) => boolean): Promise<TopArticles>;
  /** Ours of the id an article has in the source, e.g. a path or a number; `null` where it cannot have one. */
  toArticleId(sourceId: string): string | null;
  /** The id in the source of an article that was read; the reverse of {@link toArticleId}. */
  toSourceId(articleId: string): string | null;
  close(): Promise<void>;
}

/** Article views, where a source counts them. */
export interface TopArticles {
  /** Most viewed first; languages without views are absent. */
  readonly byLanguage: ReadonlyMap<LanguageTag, readonly TopArticle[]>;
  readonly problems: readonly Problem[];
}

/** For sources that do not count views. */
export const noTopArticles: TopArticles = { byLanguage: new Map(), problems: [] };

/**
 * The knowledge base after normalisation: without optional fields, unknown values and content that is not public. All stages after `source`
 * use only these types.
 */

/** A BCP 47 language tag, spelled as in the API; also the path segment of that language. */
export type LanguageTag = string;

/** Why a record of the knowledge base is not published. */
export type ExclusionReason =
  | 'draft'
  | 'private'
  | 'restricted'
  | 'visibility-unknown'
  | 'no-content'
  /** Public, but only in languages that the configuration does not name. */
  | 'other-language'
  /** A page of a built site that asks not to be listed. */
  | 'noindex'
  /** A page of a built site that only leads to another one. */
  | 'redirect'
  /** The page of a built site for URLs that do not exist. */
  | 'not-found'
  /** A page of a built site that only lists other ones, such as those with a tag. */
  | 'listing'
  /** A page of a built site whose canonical URL is another one. */
  | 'copy'
  | 'gone'
  | 'invalid';

/** One public language version of an article, without its body (bodies stay on disk until their batch is rendered). */
export interface ArticleTranslation {
  readonly language: LanguageTag;
  /** Plain text, entities decoded, white space folded; never empty. */
  readonly title: string;
  /** As in the API; `null` if there is none. The plan makes it safe for paths. */
  readonly slug: string | null;
  /** Plain text. */
  readonly description: string | null;
  /** When this language was edited last, ISO 8601 in UTC; `null` if the API has one date for all languages. */
  readonly updatedAt: string | null;
  /** SHA-256 of the UTF-8 body, hex. */
  readonly bodyHash: string;
  /** Fingerprints of the first paragraph and of the call-outs in the body (`fingerprintBlocks`). */
  readonly blockFingerprints: readonly string[];
  /** Title in lists, if the navigation of the source has its own. */
  readonly listTitle: string | null;
  /**
   * Path of the page on its own site, decoded. With the first slash it is exactly that of its URL, which does not change: `/docs/brakes`,
   * `/brakes.html`, `/` for a home page. Without it, only its parts are known: `docs/brakes`, `''`. `null` if the source is not a folder.
   */
  readonly sourcePath: string | null;
  /** Further paths that lead to the page there. */
  readonly aliases: readonly string[];
  /** Its file, relative to the folder of the configuration; `null` if the source is not a folder. */
  readonly file: string | null;
}

/** A public article, without its bodies. It stays in memory during the whole run. */
export interface Article {
  readonly id: string;
  /** An existing category, or `null` (no category). */
  readonly categoryId: string | null;
  readonly tags: readonly string[];
  /** ISO 8601 in UTC, or `null`. */
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly isFeatured: boolean;
  /** From `sort_order` or `order`, if the API returns one. */
  readonly sortOrder: number | null;
  readonly showToc: boolean;
  /** Whether lists show it. Pages that the navigation of the source leaves out are only found by links and by search. */
  readonly isListed: boolean;
  /** By language, the id of the article that had this text under another file name before; only of files that were renamed. */
  readonly replaces: Readonly<Record<LanguageTag, string>>;
  /** At least one; the default language first if it exists, then sorted by tag. */
  readonly translations: readonly ArticleTranslation[];
}

/** HTML bodies by language, as the author wrote them: untrusted until the content stage has sanitised them. */
export type ArticleBodies = ReadonlyMap<LanguageTag, string>;

export interface CategoryTranslation {
  readonly language: LanguageTag;
  readonly title: string;
  readonly slug: string | null;
  readonly description: string | null;
}

/** A category in a forest without cycles, duplicates and missing parents. */
export interface Category {
  readonly id: string;
  /** `null` at the top level. */
  readonly parentId: string | null;
  /** Children and siblings are already in display order (sort_order, else the API's order). */
  readonly icon: string | null;
  readonly updatedAt: string | null;
  /** Path on the site of its own generator, in the default language; absent if the source is not a folder. */
  readonly path?: string;
  /** Further paths that lead to it there. */
  readonly aliases?: readonly string[];
  /** At least one (an untitled category gets its id as title). */
  readonly translations: readonly CategoryTranslation[];
}

/** Number of popular and of featured articles. */
export const popularCount = 6;

/**
 * Ids of the public articles in a language that readers view most, most viewed first, at most {@link popularCount}. Languages without views are
 * absent.
 * The numbers of views are not known: they change all the time, and no page shows them.
 */
export type TopArticles = ReadonlyMap<LanguageTag, readonly string[]>;

/** Everything except the bodies: what a run knows after reading the source. */
export interface KnowledgeBase {
  readonly defaultLanguage: LanguageTag;
  /** Sorted by id (code-unit order), so that results do not depend on the order of a list. */
  readonly articles: readonly Article[];
  /** Parents before children, siblings in display order. */
  readonly categories: readonly Category[];
  /** Ids that exist but are not public, so that links to them can be unlinked; they never appear in output. */
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
}

/** Reads bodies of one article; backed by the snapshot on disk. */
export type ReadBodies = (articleId: string) => Promise<ArticleBodies>;

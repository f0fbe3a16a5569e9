import type { ContentProblem } from '../content/document.ts';
import type { LanguageTag } from '../core/model.ts';
import type { FeedPage } from '../feed/feed-files.ts';
import type { DocumentState, DocumentVersion } from '../feed/history/track-changes.ts';
import type { DocumentMeta, PageSharedBlocks } from '../feed/records/document-meta.ts';
import type { BuildDatabase, RenderedRow } from '../output/database/build-database.ts';
import type { FileRange, WrittenFile } from '../output/output.ts';
import type { PublishedFiles } from '../output/previous-output.ts';
import type { AnchorFacts } from '../site/links/anchors.ts';
import type { ImageHosts } from '../site/media/image-hosts.ts';
import type { MediaRequest, MediaTable } from '../site/media/media-table.ts';
import type { ArticleMetadata } from '../site/pages/describe-article.ts';
import type { SearchMetadata } from '../site/search/search-entry.ts';
import type { ShownArticles } from './shown-links.ts';

/** Everything the pages of one article show, except the bodies. Plain data: it is sent to threads, and its hash is the build key. */
export interface ArticleInput {
  readonly id: string;
  /** The source language first, so that its heading ids are known to the translations. */
  readonly pages: readonly PageInput[];
}

/** One article in one language. */
export interface PageInput {
  readonly language: LanguageTag;
  /** SHA-256 of the body, hex. */
  readonly bodyHash: string;
  /** Path of the Markdown twin. */
  readonly twinPath: string;
  /** `null`: no page and no search is made. */
  readonly search: SearchMetadata | null;
  readonly feed: DocumentMeta;
  /** Replaces what `feed` says about the version. */
  readonly version: DocumentVersion;
  readonly sharedBlocks: PageSharedBlocks;
  /** The page itself, then its fallback pages in other languages; none if only the feed is made. */
  readonly heads: readonly ArticleMetadata[];
}

/** An article to be rendered. Plain data. */
export interface ArticleTask extends ArticleInput {
  /** HTML as the author wrote it, in the order of the pages. */
  readonly bodies: readonly string[];
  /** Images and files of the bodies that are copied; `null` if there are none. */
  readonly media: MediaTable | null;
}

/** Articles for one thread. Plain data. How articles are grouped does not affect the output. */
export interface RenderTask {
  readonly articles: readonly ArticleTask[];
  /** Records of the previous output's files, at the paths of the pages. */
  readonly previousFiles: PublishedFiles;
}

/** Paths of the pages and Markdown twins of an article. */
export function pagePaths({ pages }: ArticleInput): readonly string[] {
  return pages.flatMap(({ heads, twinPath }) => [...heads.map(({ chrome }) => chrome.page.path), twinPath]);
}

/** Result of a `RenderTask`; the pages are in the staging folder. Plain data. */
export interface RenderResult {
  readonly articles: readonly RenderedArticle[];
  /** All files written to the staging folder. */
  readonly files: readonly WrittenFile[];
}

/** A rendered article. */
export interface RenderedArticle {
  readonly id: string;
  readonly pages: readonly RenderedPage[];
  /** The document of each page. */
  readonly documents: readonly DocumentState[];
  /** Texts of each page for the feed (`encodeTexts`), kept aside. */
  readonly texts: readonly FileRange[];
  /** The `SearchEntry` of each page (`serialize`), kept aside; none if no search is made. */
  readonly search: readonly FileRange[];
  readonly links: LinkDependencies;
  /** Ids of the articles that they lead to. */
  readonly linked: readonly string[];
  /** URLs that may point to copies of images and files, for each page. */
  readonly media: readonly (readonly string[])[];
}

/** What the rest of a build needs to know of a rendered page. Plain data. */
export interface RenderedPage extends FeedPage {
  /** Paths of its pages, its picture and its Markdown twin. */
  readonly files: readonly string[];
  readonly anchors: AnchorFacts;
  readonly imageHosts: ImageHosts;
  readonly problems: readonly ContentProblem[];
  /** SHA-256 of its `SearchEntry`; `''` if it has none. */
  readonly searchHash: string;
}

/** Links found in the bodies of an article, except links to other sites. */
export interface LinkDependencies {
  /** The URLs as passed to the resolver. */
  readonly hrefs: readonly (readonly [language: LanguageTag, href: string])[];
  /** Words that name a record, or would if there were such a record. */
  readonly names: readonly string[];
  /** SHA-256 of their targets, and of which names are hidden. */
  readonly hash: string;
}

/** Images and files found in the bodies of an article. */
interface MediaDependencies {
  /** Media on other servers; only requests show whether they changed. */
  readonly requested: MediaRequest;
  /** SHA-256 of the results. */
  readonly hash: string;
  /** Paths of the copies its pages use. */
  readonly files: readonly string[];
  /** URLs of images and files that could not be copied, with the language of the page. */
  readonly failed: readonly (readonly [address: string, language: LanguageTag])[];
}

/** What every build needs to know of a rendered article. Plain data. */
export interface ArticleFacts {
  readonly id: string;
  /** Hash of its own record: bodies and edit dates (`hashArticle`). */
  readonly source: string;
  readonly pages: readonly RenderedPage[];
  /** `null`: it has no images and files. */
  readonly media: MediaDependencies | null;
}

/** What a build needs of one only if something that concerns it changed. Plain data, also as JSON. */
export interface ArticleDetails {
  readonly documents: readonly DocumentState[];
  readonly links: LinkDependencies;
  readonly shown: ShownArticles;
}

/** @throws CACHE_DAMAGED if there are none */
export function readDetails(database: Pick<BuildDatabase, 'readRendered'>, id: string): ArticleDetails {
  return parseDetails(database.readRendered(id));
}

export function parseDetails({ details }: RenderedRow): ArticleDetails {
  return JSON.parse(details) as ArticleDetails;
}

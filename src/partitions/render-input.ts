import type { DocumentMeta } from '../feed/records/document-meta.ts';
import type { LanguageTag } from '../foundation/model.ts';
import type { MediaTable } from '../media/media-table.ts';
import type { RecordedFile } from '../output/last-output.ts';
import type { ArticleMetadata } from '../site/describe-article.ts';
import type { SearchMetadata } from '../site/search/search-entry.ts';

/** All that is published of one article, but for its bodies. Plain data: it crosses threads and is hashed into build keys. */
export interface RenderInput {
  readonly id: string;
  /** The source language first, so that its heading ids are known to the translations. */
  readonly pages: readonly PageInput[];
}

/** One article in one language. */
export interface PageInput {
  readonly language: LanguageTag;
  /** SHA-256 of the body, hex. */
  readonly bodyHash: string;
  /** Where the Markdown twin is written. */
  readonly twinPath: string;
  readonly search: SearchMetadata;
  readonly feed: DocumentMeta;
  /** Fingerprints of the call-outs of the body that many articles have. */
  readonly sharedCallouts: readonly string[];
  /** The page itself, then its fallback pages in other languages. */
  readonly heads: readonly ArticleMetadata[];
}

/** One article of a task. */
export interface ArticleTask extends RenderInput {
  /** HTML as the author wrote it, in the order of the pages. */
  readonly bodies: readonly string[];
  /** Images and files of the bodies that are copied; `null`: there are none. */
  readonly media: MediaTable | null;
}

/** A partition to be rendered. Plain data. */
export interface PartitionTask {
  readonly partition: number;
  /** Its build key. */
  readonly key: string;
  /** Sorted by id. */
  readonly articles: readonly ArticleTask[];
  /** What is known of the previous output's files with the paths of its pages and their compressed copies. */
  readonly previousFiles: ReadonlyMap<string, RecordedFile>;
}

/** Paths of the pages and Markdown twins of an article. */
export function pagePaths({ pages }: RenderInput): readonly string[] {
  return pages.flatMap(({ heads, twinPath }) => [...heads.map(({ chrome }) => chrome.page.path), twinPath]);
}

import type { LanguageSummary, LinkDependencies, PageSummary } from '../cache/records.ts';
import type { FoundSecret } from '../feed/guard/secrets.ts';
import type { DocumentState } from '../feed/history/track-changes.ts';
import type { DocumentMeta } from '../feed/records/document-meta.ts';
import type { SectionKind } from '../feed/sections.ts';
import type { LanguageTag } from '../foundation/model.ts';
import type { MediaRequest, MediaTable } from '../media/media-table.ts';
import type { RecordedFile } from '../output/last-output.ts';
import type { FileStamps, StoredRange, WrittenFile } from '../output/output.ts';
import type { ArticleMetadata } from '../site/describe-article.ts';
import type { SearchMetadata } from '../site/search/search-entry.ts';

/** Everything published of one article, except its bodies. Plain data, because it is passed between threads and hashed into build keys. */
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
  /** Path of the Markdown twin. */
  readonly twinPath: string;
  readonly search: SearchMetadata;
  readonly feed: DocumentMeta;
  /** Fingerprints of the body's call-outs that many articles share. */
  readonly sharedCallouts: readonly string[];
  /** The page itself, then its fallback pages in other languages. */
  readonly heads: readonly ArticleMetadata[];
}

/** One article of a task. */
export interface ArticleTask extends RenderInput {
  /** HTML as the author wrote it, in the order of the pages. */
  readonly bodies: readonly string[];
  /** Images and files of the bodies that are copied; `null` if there are none. */
  readonly media: MediaTable | null;
}

/** A partition to be rendered. Plain data. */
export interface PartitionTask {
  readonly partition: number;
  /** Its build key. */
  readonly key: string;
  /** In the order of `Partitions.articleIds`. */
  readonly articles: readonly ArticleTask[];
  /** Records of the previous output's files, at the paths of its pages and their compressed copies. */
  readonly previousFiles: ReadonlyMap<string, RecordedFile>;
}

/** Paths of the pages and Markdown twins of an article. */
export function pagePaths({ pages }: RenderInput): readonly string[] {
  return pages.flatMap(({ heads, twinPath }) => [...heads.map(({ chrome }) => chrome.page.path), twinPath]);
}

/** A rendered partition; its pages are in the staging folder. Plain data; its blocks of memory are transferred. */
export interface PartitionResult {
  readonly pages: readonly PageSummary[];
  readonly languages: readonly LanguageSummary[];
  /** Texts of each language, in order. */
  readonly texts: readonly LanguageTexts[];
  /** Distinct links, except links to other sites. */
  readonly links: LinkDependencies;
  /** URLs that may point to copies, for each page in order. */
  readonly media: readonly (readonly string[])[];
  readonly documents: readonly DocumentState[];
  readonly secrets: readonly FoundSecret[];
  /** All files written to the staging folder. */
  readonly files: readonly WrittenFile[];
  /** Number of files that were reused from the previous output. */
  readonly reusedFiles: number;
  /** Stamps of these files; absent: unknown. */
  readonly stamps?: FileStamps;
  /** Absolute path of a file with its `PartitionRecord` and search terms; absent: there is none. */
  readonly recordFile?: string;
}

/** Summary of a partition rendered on another machine, before its result is read. */
export interface RenderedPartition {
  /** Build key of the partition. */
  readonly key: string;
  /** Media of other servers, per article; `null`: the bodies contain media and have to be read for them. */
  readonly mediaRequests: readonly (MediaRequest | null)[];
  /** Hash of the copies its pages were rendered with (`hashMedia`). */
  readonly mediaHash: string;
  /** Folder of the shard, for messages. */
  readonly folder: string;
  /** Paths of all written files. */
  readonly paths: readonly string[];
}

/** Texts as UTF-8: in memory, or in the file of a shard. */
export interface LanguageTexts {
  /** Sections in the order of the slices. */
  readonly slices: readonly SliceTexts[];
  /** Terms of the search: see `TermRun`. */
  readonly terms: Uint8Array | StoredRange;
}

/** Sections of one slice. */
export type SliceTexts = Readonly<Record<SectionKind, Uint8Array | StoredRange>>;

/** The memory blocks of the texts; each text has its own. */
export function blocksOf(texts: readonly LanguageTexts[]): readonly ArrayBuffer[] {
  return texts.flatMap(({ slices, terms }) =>
    [...slices.flatMap((sections) => Object.values(sections)), terms].flatMap((text) =>
      text instanceof Uint8Array ? [text.buffer as ArrayBuffer] : [],
    ),
  );
}

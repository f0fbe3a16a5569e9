import type { AnchorFacts } from '../anchor-check.ts';
import type { ContentProblem } from '../content/document.ts';
import type { FeedFacts } from '../feed/feed-entry.ts';
import type { LanguageTag } from '../model.ts';
import type { SearchEntry } from '../site/search/search-entry.ts';
import type { LinkRecord } from './make-documents.ts';

/** What is known of one article once it is made, besides its texts. Plain data. */
export interface ArticleFacts {
  readonly id: string;
  readonly pages: readonly PageFacts[];
  readonly resolutions: readonly LinkRecord[];
  /** The media table it was made with, as `writeMediaTable` writes it; `null`: its bodies ask for none. */
  readonly media: string | null;
}

export interface PageFacts {
  readonly language: LanguageTag;
  /** Its pages and its Markdown twin. */
  readonly files: readonly MadeFile[];
  readonly feed: FeedFacts;
  readonly search: SearchEntry;
  readonly anchors: AnchorFacts;
  /** Addresses, in the published page, of everything that may be a copy. */
  readonly media: readonly string[];
  readonly problems: readonly ContentProblem[];
}

/** A file whose content is ready. */
export interface MadeFile {
  readonly path: string;
  /** Hex. */
  readonly sha256: string;
}

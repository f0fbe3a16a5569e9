import type { ProblemCode } from '../core/problems.ts';

/** Target of a link, decided by the caller's resolver , because the content stage does not know the site. */
export type LinkResolution =
  /** A page of this site: `href` for HTML (root-relative), `url` for Markdown and text (absolute if the site URL is known). */
  | {
      readonly kind: 'internal';
      readonly href: string;
      readonly url: string;
      readonly articleId: string | null;
      readonly categoryId: string | null;
      /** Set when the target is in another language than the page (gets `hreflang`). */
      readonly hreflang: string | null;
    }
  /** The target is not public or does not exist: the link is removed, its text stays, a problem is reported. */
  | { readonly kind: 'unlinked'; readonly problem: ProblemCode; readonly message: string }
  /**
   * Not a page of this site: the URL, which has passed the URL policy, does not change. `mayChange`: the URL is on a host of the help
   * centre and may name a page in another build.
   */
  | { readonly kind: 'external'; readonly mayChange?: true };

export interface Heading {
  /** 2–6: headings of the body are below the page's only h1. */
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

export interface Link {
  /** The URL in the published page. */
  readonly href: string;
  readonly kind: 'internal' | 'external' | 'anchor';
  readonly articleId: string | null;
  /** Fragment without `#`; `null` if there is none. */
  readonly fragment: string | null;
}

export interface Image {
  /** The URL in the published page. */
  readonly src: string;
  readonly alt: string | null;
}

/** Type of a top-level Markdown block; a `label` is a paragraph that is entirely bold. */
export type BlockType =
  | 'heading'
  | 'paragraph'
  | 'label'
  | 'image'
  | 'list'
  | 'steps'
  | 'table'
  | 'code'
  | 'callout'
  | 'quote'
  | 'rule';

/** A top-level block of the Markdown. Positions are UTF-16 offsets into it. */
export interface Block {
  readonly type: BlockType;
  /** `markdown.slice(start, end)` is whole lines without the last line feed. */
  readonly start: number;
  readonly end: number;
  /** Where the content starts: after all header rows of a table or the opening fence of code, else `start`. */
  readonly bodyStart: number;
  /** Where the items of a list start; empty for other blocks. */
  readonly items: readonly number[];
  /** The heading, if the block is one. */
  readonly heading: Heading | null;
}

/** The text from one heading to the next; headings in table cells count as text. */
export interface Section {
  /** `null` for the text before the first heading. */
  readonly heading: Heading | null;
  /** `text.slice(start, end)` is whole lines without the last line feed, and without those of the heading. */
  readonly start: number;
  readonly end: number;
}

/** A problem in one body; the pipeline adds article id and language. */
export interface ContentProblem {
  readonly code: ProblemCode;
  readonly message: string;
}

/** Result of parsing one body. */
export interface Document {
  /** Sanitised HTML of the body (flow content, no h1, no style attribute, no script). */
  readonly html: string;
  readonly headings: readonly Heading[];
  /** CommonMark + GFM tables; LF; one trailing newline unless empty. */
  readonly markdown: string;
  /** Top-level blocks of the Markdown, in order. Only blank lines are outside of them. */
  readonly blocks: readonly Block[];
  /** Plain text, one block per line. */
  readonly text: string;
  /** Sections in order; the first has no heading. */
  readonly sections: readonly Section[];
  readonly links: readonly Link[];
  readonly images: readonly Image[];
  /** URLs, in the published page, of media files and their poster images. */
  readonly files: readonly string[];
  /** Other ids that scroll to a position on a page (localised heading slugs, the platform's own ids). */
  readonly anchors: readonly string[];
  readonly problems: readonly ContentProblem[];
}

/** A published image. */
export interface PublishedImage {
  /** The URL in the page. */
  readonly src: string;
  /** The URL in Markdown: absolute if the site URL is known; absent if it is the same as in the page. */
  readonly url?: string;
  /** Pixels; `null` if unknown. */
  readonly width: number | null;
  readonly height: number | null;
}

/** An image that cannot be published. */
export interface RefusedImage {
  /** Name of the file, if its URL means nothing to an author. */
  readonly name: string | null;
  /** Reason for the report, e.g. `it is not an image`; `null` if it is unknown. */
  readonly why: string | null;
}

/** A URL as the feed has it. */
export interface FeedUrl {
  readonly url: string;
  /** What became of the URL, without what was removed, for the report: `https://example.com/ lost its credentials`. `null`: nothing to report. */
  readonly change: string | null;
}

/** Settings of the content stage. Plain data and pure functions only. */
export interface ContentSettings {
  /**
   * Absolute http(s) URL that relative links and images are resolved against: the help centre's origin; `null`: not
   * known.
   */
  readonly baseUrl: string | null;
  /** BCP 47 language tag of the body. */
  readonly language: string;
  /** Called once per distinct URL that is http(s) or relative; must be pure. */
  readonly resolveLink: (href: string) => LinkResolution;
  /** Called per image URL (absolute or a small raster `data:`). A refused image is removed and reported. */
  readonly resolveImage: (src: string) => PublishedImage | RefusedImage;
  /** The URL in Markdown, of every target that it has: absolute if the site URL is known. Pure. Absent: the same URL. */
  readonly feedUrl?: (url: string) => FeedUrl;
  /** Heading ids of the source-language body, in order, when this body is its translation. */
  readonly sourceHeadingIds: readonly string[] | null;
  /** Whether the page exists already, so that its ids are published as they are, and a heading without one has the id `''`; absent: no. */
  readonly keepsIds?: boolean;
  /** Whether headings also have the ids of GitHub, because authors of Markdown write links to them; absent: no. */
  readonly hasGitHubIds?: boolean;
  readonly policy: ContentPolicy;
  /** Whether to compare the words of the body with what is published even if all numbers agree; absent: no. */
  readonly isThorough?: boolean;
  /** What must not be published; absent: nothing. */
  readonly redaction?: Redaction;
}

/** A range of a text that must not be published. */
interface FoundRange {
  readonly start: number;
  readonly end: number;
  /** It is only reported. */
  readonly isSample: boolean;
  /** Whether an attribute with a URL that contains it is removed. */
  readonly removesUrl?: true;
}

/** Finds, replaces and describes what must not be published. */
export interface Redaction {
  /** @param attribute the name of the attribute whose value the text is; `null`: text of the body */
  readonly find: (text: string, attribute: string | null) => readonly FoundRange[];
  readonly replace: (text: string, found: readonly FoundRange[]) => string;
  readonly describe: (found: FoundRange, place: string) => ContentProblem;
  /** Whether a URL is not published, because the page has that of a copy. */
  readonly isCopied: (url: string) => boolean;
}

/** The part of the sanitising policy that users may configure; it can never allow scripts. */
export interface ContentPolicy {
  /** Host names whose iframes stay (exact or as a parent domain). */
  readonly iframeHosts: readonly string[];
  /** Extra class names allowed on any element. */
  readonly classes: readonly string[];
  /** Class name (or prefix ending in `*`) → callout kind. */
  readonly callouts: Readonly<Record<string, CalloutKind>>;
}

export type CalloutKind = 'note' | 'tip' | 'important' | 'warning' | 'caution';

import type { AnchorFacts } from '../anchor-check.ts';
import type { ContentProblem } from '../content/document.ts';
import type { FeedFacts } from '../feed/feed-entry.ts';
import { type FeedPlaces, readPlaces, writePlaces } from '../feed/file-places.ts';
import type { LanguageTag } from '../model.ts';
import type { WrittenFile } from '../output/written-files.ts';
import type { LinkRecord } from '../render/make-documents.ts';

/** What a run published of one article: enough for the next one to publish the same again without its texts. */
export interface ArticleRecord {
  readonly id: string;
  /** Names what is the article's alone ({@link ownPart}); empty: it cannot be repeated. */
  readonly own: string;
  /** Names everything it was made of, but for where its links lead (`CacheKey`). */
  readonly key: string;
  readonly pages: readonly PlacedPage[];
  /** {@link RepeatedPage}s as JSON, which most runs pass on as they are. */
  readonly facts: string;
  /** {@link LinkRecord}s as JSON, which are asked for only where something links lead to changed. */
  readonly resolutions: string;
}

export interface PlacedPage {
  readonly language: LanguageTag;
  /** Where the feed has it; `null`: it cannot be repeated. */
  readonly places: FeedPlaces | null;
}

/** What is known of a page whose texts are not. */
export interface RepeatedPage {
  readonly language: LanguageTag;
  /** Its pages and its Markdown twin. */
  readonly files: readonly WrittenFile[];
  readonly feed: FeedFacts;
  readonly anchors: AnchorFacts;
  readonly problems: readonly ContentProblem[];
}

/** One line of a record, fields between tabs; JSON has no tab in it, and neither has a language tag. */
export function writeRecord({ id, own, key, pages, facts, resolutions }: ArticleRecord): string {
  if (pages.some(({ places }) => places === null)) {
    return `${id}\t\t\t${pages.map(({ language }) => language).join(',')}\t\t\n`;
  }
  const placed = pages.map(({ language, places }) =>
    places === null ? language : `${language} ${writePlaces(places)}`,
  );
  return `${[id, own, key, placed.join(','), facts, resolutions].join('\t')}\n`;
}

/** Reads what {@link writeRecord} wrote, without the line end. */
export function readRecord(line: string): ArticleRecord {
  const [id = '', own = '', key = '', placed = '', facts = '', resolutions = ''] = line.split('\t', 6);
  const pages = placed.split(',').map((page): PlacedPage => {
    const space = page.indexOf(' ');
    return space < 0
      ? { language: page, places: null }
      : { language: page.slice(0, space), places: readPlaces(page.slice(space + 1)) };
  });
  return { id, own, key, pages, facts, resolutions };
}

/** What is published of an article that it shares with no other page: its bodies and when it was edited. */
export function ownPart({
  updatedAt,
  bodyHashes,
}: {
  readonly updatedAt: string | null;
  readonly bodyHashes: ReadonlyMap<LanguageTag, string>;
}): string {
  return [updatedAt, ...bodyHashes.values()].join(' ');
}

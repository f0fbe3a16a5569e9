/** Where something lies in a file: offset and length, in bytes. */
export type Span = readonly [offset: number, length: number];

/**
 * Where one page's texts lie in the files of a feed, so that the next run can repeat them from there. Plain numbers, since
 * there is one of these for every page.
 */
export interface FeedPlaces {
  /** In `documents.jsonl` and `chunks.jsonl` of its language. */
  readonly document: Span;
  readonly chunks: Span;
  /** In `source.json` and `source.txt` of its language, then of all languages. */
  readonly source: SourcePlaces;
  readonly sourceOfAll: SourcePlaces;
  readonly fullText: FullTextPlace;
}

export interface SourcePlaces {
  /** With the separator before it. */
  readonly json: Span;
  readonly text: Span;
}

/** In `llms-full.txt`, whose parts are counted from 1. */
export interface FullTextPlace {
  readonly part: number;
  readonly span: Span;
}

const numbers = 15;

/** Places as numbers in one line. */
export function writePlaces({ document, chunks, source, sourceOfAll, fullText }: FeedPlaces): string {
  return [
    ...document,
    ...chunks,
    ...source.json,
    ...source.text,
    ...sourceOfAll.json,
    ...sourceOfAll.text,
    fullText.part,
    ...fullText.span,
  ].join(' ');
}

/** Reads what {@link writePlaces} wrote. */
export function readPlaces(text: string): FeedPlaces {
  const all = text.split(' ').map(Number);
  if (all.length !== numbers || all.some((number) => !Number.isSafeInteger(number) || number < 0)) {
    throw new Error(`"${text}" says of no page where it lies`);
  }
  const span = (at: number): Span => [all[at] as number, all[at + 1] as number];
  return {
    document: span(0),
    chunks: span(2),
    source: { json: span(4), text: span(6) },
    sourceOfAll: { json: span(8), text: span(10) },
    fullText: { part: all[12] as number, span: span(13) },
  };
}

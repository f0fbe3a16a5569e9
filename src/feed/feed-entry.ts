import type { FieldMarks } from './field-marks.ts';
import type { Secret } from './find-secrets.ts';
import type { InjectionFlag } from './flag-injections.ts';

/**
 * Everything one page puts into the feed, ready to be appended. Made of the page alone, so that a thread can make it and a
 * cache can keep it; `Text` is text, or its UTF-8 bytes.
 */
export interface FeedEntry<Text extends string | Uint8Array = string> {
  readonly facts: FeedFacts;
  /** Its line of `documents.jsonl`. */
  readonly document: Text;
  /** Its lines of `chunks.jsonl`. */
  readonly chunks: Text;
  /** Its object in `source.json`, without a separator. */
  readonly sourceJson: Text;
  /** Its part of `source.txt`. */
  readonly sourceText: Text;
  /** Its part of `llms-full.txt`, uncut: head, then Markdown. */
  readonly fullText: Text;
  /** Its Markdown twin. */
  readonly twin: Text;
}

/** What is appended to the feed of an entry, as it comes from a thread or a cache; its twin lies beside its page. */
export type FeedEntryBytes = Omit<FeedEntry<string | Uint8Array>, 'twin'>;

/** What the run needs to know of an entry. Small plain data. */
export interface FeedFacts {
  /** Of the document. */
  readonly id: string;
  readonly hash: string;
  readonly metaHash: string;
  /** Tells which fields differ from those of another run. */
  readonly marks: FieldMarks;
  readonly tokens: number;
  /** How many there are. */
  readonly chunks: number;
  readonly flags: readonly InjectionFlag[];
  readonly secrets: readonly Secret[];
  /** First words; `null` where the page has a description. */
  readonly opening: string | null;
  /** UTF-16 units of `fullText` before the Markdown. */
  readonly fullTextHead: number;
  /** UTF-16 units of `fullText`. */
  readonly fullTextChars: number;
}

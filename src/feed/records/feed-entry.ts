import type { Secret } from '../guard/find-secrets.ts';
import type { InjectionFlag } from '../guard/flag-injections.ts';
import type { DocumentState } from '../history/document-state.ts';

/** Everything one page adds to the feed. Made of the page alone, in whatever thread. */
export interface FeedEntry {
  readonly facts: FeedFacts;
  /** Its line of `documents.jsonl`. */
  readonly document: string;
  /** Its lines of `chunks.jsonl`. */
  readonly chunks: string;
  /** Its object in `source.json`, without a separator. */
  readonly sourceJson: string;
  /** Its part of `source.txt`. */
  readonly sourceText: string;
  /** Its part of `llms-full.txt`. */
  readonly fullText: string;
  /** Its Markdown twin. */
  readonly twin: string;
}

/** What a run needs to know of an entry besides its texts. Small plain data. */
export interface FeedFacts {
  readonly state: DocumentState;
  readonly tokens: number;
  /** How many there are. */
  readonly chunks: number;
  readonly flags: readonly InjectionFlag[];
  readonly secrets: readonly Secret[];
  /** First words; `null` where the page has a description. */
  readonly opening: string | null;
}

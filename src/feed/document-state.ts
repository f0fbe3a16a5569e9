import { splitLines } from '../output/cut-lines.ts';
import type { RecordLog } from '../output/record-log.ts';
import type { DocumentRecord } from './document-record.ts';
import type { FieldMarks } from './field-marks.ts';
import { markFields } from './field-marks.ts';
import { createLineParser, jsonLine } from './json-lines.ts';
import { openingOf } from './llms-sections.ts';

/** What is kept of a document from run to run: what changes are found by, and what a run sums up of it. */
export interface DocumentState {
  /** Of the document. */
  readonly id: string;
  readonly articleId: string;
  readonly language: string;
  readonly url: string;
  readonly hash: string;
  readonly metaHash: string;
  /** Of its fields. */
  readonly marks: FieldMarks;
  readonly translation: DocumentRecord['translation'];
  readonly tokens: number;
  /** How many there are; `null` where that was not remembered. */
  readonly chunks: number | null;
  /** First words; `null` where the document has a description. */
  readonly opening: string | null;
}

/** The state of a document that was published. */
export function stateOf(record: DocumentRecord): DocumentState {
  return {
    id: record.id,
    articleId: record.article_id,
    language: record.language,
    url: record.url,
    hash: record.hash,
    metaHash: record.meta_hash,
    marks: markFields(record),
    translation: record.translation,
    tokens: record.tokens,
    chunks: null,
    opening: record.description === undefined ? openingOf(record.content.text) : null,
  };
}

/** A state as a line of a {@link RecordLog}. */
export function stateLine(state: DocumentState): Uint8Array {
  return Buffer.from(jsonLine(state));
}

/** Reads back what {@link stateLine} wrote. @param languages leave others out; `null`: all */
export function* readStates(
  log: RecordLog,
  languages: ReadonlySet<string> | null = null,
): Generator<DocumentState> {
  const parse = createLineParser();
  for (const line of splitLines(log.pieces())) {
    const state = parse(line) as DocumentState;
    if (languages === null || languages.has(state.language)) yield state;
  }
}

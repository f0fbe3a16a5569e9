import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { LanguageTag } from '../model.ts';
import type { WrittenFile } from '../output/written-files.ts';
import type { Problem } from '../problems.ts';
import { type ArticleRecord, readRecord } from './article-record.ts';

/** What the last run published of its articles, read in step with this one. */
export interface LastArticles {
  /** Nothing that articles say of each other changed: one whose own part is the same is the same. */
  readonly hasSameFaces: boolean;
  /** What was left of everything but articles. */
  readonly rest: RunRest;
  /** The record of an article, if it can be repeated; ids are asked for in ascending order. */
  find(id: string): FoundArticle | null;
  close(): void;
}

export interface FoundArticle {
  readonly record: ArticleRecord;
  /** Where it stood among the articles of each of its languages, counted from 0. */
  readonly positions: ReadonlyMap<LanguageTag, number>;
}

/** What a run published that follows from what articles say of each other alone. */
export interface RunRest {
  /** `null`: that is too much to list. */
  readonly redirects: {
    readonly files: readonly WrittenFile[];
    readonly problems: readonly Problem[];
  } | null;
}

/** What all records of a run have in common. */
export interface RecordHead {
  /** Program, templates and configuration. */
  readonly inputs: string;
  /** What the heads of the feed's files say. */
  readonly shape: string;
  /** What articles say of each other ({@link fingerprintFaces}). */
  readonly faces: string;
}

/** Where the list of files begins that records refer to, in digits of a fixed number. */
export const offsetDigits = 15;
/** The last line: a tab, the SHA-256 of all before it, a tab, the offset, the line end. */
export const checkBytes = 1 + 64 + 1 + offsetDigits + 1;

const blockBytes = 256 * 1024;

/**
 * Opens the records of the last run; `null` when there are none that can be trusted, or when the output they refer to is
 * not as that run left it.
 * @param hasPrevious whether the output that is replaced has this file
 */
export function openLastArticles(
  file: string,
  head: RecordHead,
  hasPrevious: (file: WrittenFile) => boolean,
): LastArticles | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return null;
  }
  try {
    const last = openRecords(descriptor, head, hasPrevious);
    if (last !== null) return last;
  } catch {
    // What cannot be read is not there.
  }
  closeSync(descriptor);
  return null;
}

function openRecords(
  descriptor: number,
  head: RecordHead,
  hasPrevious: (file: WrittenFile) => boolean,
): LastArticles | null {
  const size = fstatSync(descriptor).size;
  const end = size - checkBytes;
  if (end <= 0) return null;
  const [, sha256, offset] = readText(descriptor, end, size).trimEnd().split('\t');
  if (sha256 !== hashOf(descriptor, end)) return null;
  const files = Number(offset);
  const lines = readLines(descriptor, files);
  const known = JSON.parse(lines.next().value ?? '') as RecordHead;
  if (known.inputs !== head.inputs || known.shape !== head.shape) return null;
  const [rest = '', ...repeatable] = readText(descriptor, files, end).trimEnd().split('\n');
  for (const line of repeatable) {
    const [path = '', fileHash = '', bytes] = line.split('\t');
    if (!hasPrevious({ path, sha256: fileHash, bytes: Number(bytes) })) return null;
  }
  return {
    hasSameFaces: known.faces === head.faces,
    rest: JSON.parse(rest) as RunRest,
    ...createCursor(lines),
    close: () => closeSync(descriptor),
  };
}

/** Goes through the records once; how many articles of a language came before tells where one stood. */
function createCursor(lines: Iterator<string>): Pick<LastArticles, 'find'> {
  const counts = new Map<LanguageTag, number>();
  let line = lines.next();
  return {
    find(id) {
      for (; !line.done; line = lines.next()) {
        const name = line.value.slice(0, line.value.indexOf('\t'));
        if (name > id) return null;
        const record = readRecord(line.value);
        const positions = new Map(record.pages.map(({ language }) => [language, counts.get(language) ?? 0]));
        for (const [language, position] of positions) counts.set(language, position + 1);
        if (name !== id) continue;
        line = lines.next();
        return record.own === '' ? null : { record, positions };
      }
      return null;
    },
  };
}

function* readLines(descriptor: number, end: number): Generator<string> {
  let rest = Buffer.alloc(0);
  for (let position = 0; position < end; ) {
    const block = Buffer.allocUnsafe(Math.min(blockBytes, end - position));
    const read = readSync(descriptor, block, 0, block.length, position);
    if (read === 0) throw new Error('the records end too soon');
    position += read;
    const bytes =
      rest.length === 0 ? block.subarray(0, read) : Buffer.concat([rest, block.subarray(0, read)]);
    let start = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, start)) {
      yield bytes.toString('utf8', start, at);
      start = at + 1;
    }
    rest = bytes.subarray(start);
  }
}

function readText(descriptor: number, start: number, end: number): string {
  const bytes = Buffer.alloc(end - start);
  readSync(descriptor, bytes, 0, bytes.length, start);
  return bytes.toString();
}

function hashOf(descriptor: number, end: number): string {
  const digest = createHash('sha256');
  const block = Buffer.allocUnsafe(blockBytes);
  for (let at = 0; at < end; ) {
    const read = readSync(descriptor, block, 0, Math.min(blockBytes, end - at), at);
    if (read === 0) break;
    digest.update(block.subarray(0, read));
    at += read;
  }
  return digest.digest('hex');
}

import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import type { LanguageTag } from '../model.ts';
import type { RecordLog } from '../output/record-log.ts';
import { removeQuietly } from '../output/remove-quietly.ts';
import { z } from '../schema.ts';
import { hashSchema } from './document-record.ts';

/** By language: SHA-256 of the `documents.jsonl` whose documents are remembered, hex. */
export type RememberedLanguages = ReadonlyMap<LanguageTag, string>;

/** Keeps the states of the documents of one feed from run to run: they follow from it, and reading it costs more. */
export interface FeedMemory {
  /**
   * Appends what the last run remembered to a log: lines as `stateLine` makes them, sorted by article id. `null` when
   * there is nothing that can be trusted, and then nothing in the log is worth reading.
   */
  recall(log: RecordLog): RememberedLanguages | null;
  /** Takes the place of what was remembered; a memory that cannot be written costs the next run time alone. */
  remember(log: RecordLog, languages: RememberedLanguages): void;
}

const fileName = 'last-feed.jsonl';

const headSchema = z.strictObject({
  format: z.literal('lectern-last-feed'),
  version: z.literal(2),
  /** What made the states; those of another version of the program are not trusted. */
  engine: z.string(),
  languages: z.record(z.string(), hashSchema),
});

/** The last line: a tab, the SHA-256 of everything before it, the line end. */
const checkBytes = 1 + 64 + 1;

const blockBytes = 1 << 18;

/**
 * A memory in a file: a head, a line per document, a checksum. What is damaged or of another engine is forgotten.
 * @param folder absolute path of the cache folder
 * @param engine version of everything that makes a feed
 */
export function openFeedMemory(folder: string, engine: string): FeedMemory {
  const file = join(folder, fileName);
  return {
    recall(log) {
      try {
        return readMemory(file, engine, log);
      } catch {
        return null;
      }
    },
    remember(log, languages) {
      const partial = `${file}.${process.pid}.partial`;
      try {
        makeFolder(folder);
        writeMemory(partial, engine, log, languages);
        renameSync(partial, file);
      } catch {
        removeQuietly(partial);
      }
    },
  };
}

function writeMemory(file: string, engine: string, log: RecordLog, languages: RememberedLanguages): void {
  const head = { format: 'lectern-last-feed', version: 2, engine, languages: Object.fromEntries(languages) };
  const digest = createHash('sha256');
  const descriptor = openSync(file, 'w');
  try {
    const add = (bytes: Uint8Array): void => {
      digest.update(bytes);
      writeFileSync(descriptor, bytes);
    };
    add(Buffer.from(`${JSON.stringify(head)}\n`));
    for (const piece of log.pieces()) add(piece);
    writeFileSync(descriptor, `\t${digest.digest('hex')}\n`);
  } finally {
    closeSync(descriptor);
  }
}

/** Throws when it is not what {@link writeMemory} of the same engine wrote. */
function readMemory(file: string, engine: string, log: RecordLog): RememberedLanguages {
  const descriptor = openSync(file, 'r');
  try {
    const end = fstatSync(descriptor).size - checkBytes;
    const block = Buffer.allocUnsafeSlow(blockBytes);
    const digest = createHash('sha256');
    let head: z.output<typeof headSchema> | null = null;
    for (let at = 0; at < end; ) {
      const read = readSync(descriptor, block, 0, Math.min(block.length, end - at), at);
      const bytes = block.subarray(0, read);
      if (read === 0) throw new Error('it ends early');
      digest.update(bytes);
      at += read;
      if (head !== null) log.append(bytes);
      else {
        const lineEnd = bytes.indexOf(10);
        head = headSchema.parse(JSON.parse(bytes.toString('utf8', 0, lineEnd)));
        if (head.engine !== engine) throw new Error('it is of another engine');
        log.append(bytes.subarray(lineEnd + 1));
      }
    }
    const check = Buffer.alloc(checkBytes);
    readSync(descriptor, check, 0, checkBytes, end);
    if (head === null || check.toString('latin1') !== `\t${digest.digest('hex')}\n`)
      throw new Error('it is damaged');
    return new Map(Object.entries(head.languages));
  } finally {
    closeSync(descriptor);
  }
}

import { createHash } from 'node:crypto';
import { closeSync, openSync, renameSync } from 'node:fs';
import { createBlockBuffer } from '../output/block-buffer.ts';
import { removeQuietly } from '../output/remove-quietly.ts';
import { writeAll } from '../output/write-all.ts';
import type { WrittenFile } from '../output/written-files.ts';
import { type ArticleRecord, writeRecord } from './article-record.ts';
import { offsetDigits, type RecordHead, type RunRest } from './last-articles.ts';

/** The records this run leaves for the next one. What cannot be written only costs that one its time. */
export interface NextArticles {
  add(record: ArticleRecord): void;
  /** @param files those that the records refer to, with what they hold */
  finish(files: readonly WrittenFile[], rest: RunRest): void;
  /** Takes the place of the last records, once the output is in place. */
  commit(): void;
  /** Gives the records up. Safe after `commit`. */
  discard(): void;
}

/** Starts records beside the file they are for; its folder must exist. */
export function startNextArticles(file: string, head: RecordHead): NextArticles {
  // Not named by process: what a killed run leaves is written over by the next one.
  const partial = `${file}.partial`;
  const digest = createHash('sha256');
  let descriptor: number | null = null;
  let isWhole = false;
  const buffer = createBlockBuffer((block) => {
    digest.update(block);
    if (descriptor !== null) writeAll(descriptor, block);
  });
  const close = (): void => {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
  };
  const attempt = (act: () => void): void => {
    try {
      act();
    } catch {
      isWhole = false;
      close();
    }
  };
  attempt(() => {
    descriptor = openSync(partial, 'w');
    buffer.add(`${JSON.stringify(head)}\n`);
  });
  return {
    add(record) {
      if (descriptor !== null) attempt(() => buffer.add(writeRecord(record)));
    },
    finish(files, rest) {
      attempt(() => {
        buffer.flush();
        const offset = buffer.added();
        buffer.add(`${JSON.stringify(rest)}\n`);
        for (const { path, sha256, bytes } of files) buffer.add(`${path}\t${sha256}\t${bytes}\n`);
        buffer.flush();
        if (descriptor === null) return;
        const check = `\t${digest.digest('hex')}\t${String(offset).padStart(offsetDigits, '0')}\n`;
        writeAll(descriptor, Buffer.from(check));
        close();
        isWhole = true;
      });
    },
    commit() {
      if (isWhole) attempt(() => renameSync(partial, file));
    },
    discard() {
      close();
      removeQuietly(partial);
    },
  };
}

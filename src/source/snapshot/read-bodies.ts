import { hash } from 'node:crypto';
import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { LecternError } from '../../foundation/errors.ts';
import type { ArticleBodies } from '../../foundation/model.ts';
import type { BodyRange, StoredArticle } from './format.ts';

/**
 * Reads the bodies of one article and checks each against its hash.
 * @throws SNAPSHOT_CORRUPT
 */
export async function readStoredBodies(file: FileHandle, stored: StoredBodies): Promise<ArticleBodies> {
  const { id, translations } = stored.article;
  const parts = await readSoundBytes(file, stored);
  if (parts === null) {
    throw new LecternError('SNAPSHOT_CORRUPT', `the body of article ${id} in the snapshot is damaged`, {
      hint: 'delete the cache folder and run again without --offline',
    });
  }
  return new Map(
    translations.map(({ language }, index) => [language, (parts[index] as Buffer).toString('utf8')]),
  );
}

/** What says where the bodies of an article are and what they must be. */
export type StoredBodies = Pick<StoredArticle, 'article' | 'bodyRange'>;

/** The bytes of each body of an article, or `null` when they are not what was written. */
export async function readSoundBytes(
  file: FileHandle,
  { article, bodyRange }: StoredBodies,
): Promise<readonly Buffer[] | null> {
  const bytes = readBytes(file, bodyRange);
  if (bytes === null || bodyRange.lengths.length !== article.translations.length) return null;
  let end = 0;
  const parts = bodyRange.lengths.map((length) => {
    end += length;
    return bytes.subarray(end - length, end);
  });
  const isSound = article.translations.every(
    ({ bodyHash }, index) => hash('sha256', parts[index] as Buffer) === bodyHash,
  );
  return isSound ? parts : null;
}

/** Synchronous: bodies are read in file order, and a turn through the thread pool takes longer. */
function readBytes(file: FileHandle, { offset, lengths }: BodyRange): Buffer | null {
  const length = lengths.reduce((sum, next) => sum + next, 0);
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const bytesRead = readSync(file.fd, bytes, at, length - at, offset + at);
    if (bytesRead === 0) return null;
    at += bytesRead;
  }
  return bytes;
}

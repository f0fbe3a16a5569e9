import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { z } from '../schema.ts';
import { checksumOf, isSound, type PackedArticle, unpackArticle } from './packed-article.ts';

/** Packed articles of earlier runs, by a hash of everything they were made of. */
export interface ArticleCache {
  /** What was remembered under a key, or `null`; what is damaged counts as forgotten. */
  recall(key: string): PackedArticle | null;
  /** Keeps an article for the next run, unless the cache is full. */
  remember(key: string, packed: Uint8Array): void;
  /** Keeps what is remembered under a key for the next run, without a look at it. */
  keep(key: string): void;
  /** Makes what was recalled and remembered in this run permanent, forgets the rest, and closes the files. */
  finish(): void;
}

/** Where an entry lies in the pack: offset, length and checksum. */
type Place = readonly [offset: number, length: number, checksum: number];

const indexSchema = z.strictObject({
  format: z.literal('lectern-articles'),
  /** What made the entries; those of another version of the program are useless. */
  engine: z.string(),
  packBytes: z.int().min(0),
  entries: z.record(z.string(), z.tuple([z.int().min(0), z.int().min(0), z.int().min(0)]).readonly()),
});

/** Beyond this nothing is added. */
const defaultMaxBytes = 2 * 1024 ** 3;

/**
 * Opens the cache of packed articles: a pack of entries and an index that is replaced when a run is finished. A run
 * that is killed leaves at most bytes at the end of the pack that no index names.
 * @param folder absolute path of the cache folder; one that cannot be written to gives no cache
 * @param engine version of everything that makes articles
 */
export function openArticleCache(
  folder: string,
  engine: string,
  maxBytes = defaultMaxBytes,
): ArticleCache | null {
  try {
    makeFolder(folder);
    return openCache(
      openSync(join(folder, 'articles.pack'), 'a+'),
      join(folder, 'articles.json'),
      engine,
      maxBytes,
    );
  } catch {
    return null;
  }
}

function openCache(pack: number, indexFile: string, engine: string, maxBytes: number): ArticleCache {
  const index = readIndex(indexFile, engine);
  const old = new Map<string, Place>(index === null ? [] : Object.entries(index.entries));
  const kept = new Map<string, Place>();
  let size = index?.packBytes ?? 0;
  if (fstatSync(pack).size < size) {
    old.clear();
    size = 0;
  }
  ftruncateSync(pack, size);
  let isFull = false;

  function read([offset, length, checksum]: Place): PackedArticle | null {
    const bytes = Buffer.allocUnsafe(length);
    const isThere = readSync(pack, bytes, 0, length, offset) === length;
    return isThere && isSound(bytes) && checksumOf(bytes) === checksum ? unpackArticle(bytes) : null;
  }

  return {
    recall(key) {
      const place = kept.get(key) ?? old.get(key);
      const article = place === undefined ? null : read(place);
      if (place !== undefined && article !== null) kept.set(key, place);
      return article;
    },
    keep(key) {
      const place = old.get(key);
      if (place !== undefined) kept.set(key, place);
    },
    remember(key, bytes) {
      if (isFull) return;
      isFull = size + bytes.length > maxBytes;
      if (isFull) return;
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(pack, bytes, at);
      } catch {
        isFull = true;
        return;
      }
      kept.set(key, [size, bytes.length, checksumOf(bytes)]);
      size += bytes.length;
    },
    finish() {
      const live = [...kept.values()].reduce((sum, [, length]) => sum + length, 0);
      // More waste than use: the next run begins with an empty pack rather than a growing one.
      const isWorthIt = live * 2 >= size;
      const entries = isWorthIt ? Object.fromEntries(kept) : {};
      const next = { format: 'lectern-articles', engine, packBytes: isWorthIt ? size : 0, entries };
      const partial = `${indexFile}.${process.pid}.partial`;
      try {
        writeFileSync(partial, JSON.stringify(next));
        renameSync(partial, indexFile);
      } catch {
        // The next run makes everything again; that is all there is to lose.
      } finally {
        closeSync(pack);
      }
    },
  };
}

function readIndex(file: string, engine: string): z.output<typeof indexSchema> | null {
  try {
    const index = indexSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return index.success && index.data.engine === engine ? index.data : null;
  } catch {
    return null;
  }
}

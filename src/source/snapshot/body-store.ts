import { hash } from 'node:crypto';
import { LecternError } from '../../core/errors.ts';
import type { Article, ArticleBodies, LanguageTag } from '../../core/model.ts';

/** Keeps the bodies of the articles that are being read. A body is found by its hash, which its translation has. */
export interface BodyStore {
  /**
   * Keeps the bodies of an article by language. Those that the snapshot does not need in the end are removed.
   * @returns their sizes in UTF-8, in the order of the translations
   */
  put(article: ArticleHashes, bodies: ReadonlyMap<LanguageTag, string>): readonly number[];
  /** Whether the bodies of an article are there from the last snapshot, and undamaged, so that they need not be read again. */
  has(article: ArticleHashes): boolean;
}

/** Reads the bodies of a snapshot. */
export interface BodyReader {
  /** @throws SNAPSHOT_UNUSABLE */
  read(article: Pick<Article, 'id' | 'translations'>): ArticleBodies;
  /** The hashes of all bodies that contain one of two texts. */
  find(text: string, other: string): ReadonlySet<string>;
  /** Safe to call twice. */
  close(): void;
}

/** The languages and hashes of an article's bodies. */
type ArticleHashes = Pick<Article, 'translations'>;

/** A store that reads and writes single bodies by their hash. */
export function createBodyStore(bodies: {
  get(sha256: string): Buffer | null;
  set(sha256: string, body: Buffer): void;
}): BodyStore & Pick<BodyReader, 'read'> {
  const findSound = (sha256: string): Buffer | null => {
    const body = bodies.get(sha256);
    return body !== null && hash('sha256', body) === sha256 ? body : null;
  };
  return {
    put: ({ translations }, texts) =>
      translations.map(({ language, bodyHash }) => {
        const body = Buffer.from(texts.get(language) ?? '');
        bodies.set(bodyHash, body);
        return body.length;
      }),
    has: ({ translations }) => translations.every(({ bodyHash }) => findSound(bodyHash) !== null),
    read: ({ id, translations }) =>
      new Map(
        translations.map(({ language, bodyHash }) => {
          const body = findSound(bodyHash);
          if (body === null) throw corruptSnapshot(`the body of article ${id} in the snapshot is damaged`);
          return [language, body.toString('utf8')];
        }),
      ),
  };
}

/** A store in memory, for a program that reads a source repeatedly. It keeps the bodies of all readings. */
export function createMemoryBodies(): BodyStore & BodyReader {
  const bodies = new Map<string, Buffer>();
  return {
    ...createBodyStore({
      get: (sha256) => bodies.get(sha256) ?? null,
      set: (sha256, body) => void bodies.set(sha256, body),
    }),
    find: (...texts) =>
      new Set(
        [...bodies].flatMap(([sha256, body]) => (texts.some((text) => body.includes(text)) ? sha256 : [])),
      ),
    close: () => bodies.clear(),
  };
}

/** SNAPSHOT_UNUSABLE. */
export function corruptSnapshot(message: string, cause?: unknown): LecternError {
  return new LecternError('SNAPSHOT_UNUSABLE', message, {
    hint: 'delete the cache folder and run again without --offline',
    cause,
  });
}

import { hash } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredArticle } from '../../src/source/snapshot/format.ts';
import { readStoredBodies } from '../../src/source/snapshot/read-bodies.ts';
import { readIndex } from '../../src/source/snapshot/read-index.ts';
import { writeIndex } from '../../src/source/snapshot/write-index.ts';

/**
 * Edits one article of a snapshot in place, as an author would: a paragraph more in every language.
 * @param cache folder of the snapshot
 * @param at which article, counted from 0
 */
export async function editSnapshot(cache: string, at: number, paragraph: string): Promise<void> {
  const snapshot = await readIndex(cache);
  if ('state' in snapshot) throw new Error(`the snapshot of the corpus ${snapshot.why}`);
  const { header, content, bodies: file } = snapshot;
  const stored = content.articles[at];
  if (stored === undefined) throw new RangeError(`the corpus has no article ${at}`);
  const bodies = await readStoredBodies(file, stored);
  await file.close();
  const edited = stored.article.translations.map(
    ({ language }) => `${bodies.get(language) ?? ''}\n<p>${paragraph}</p>`,
  );
  await appendFile(join(cache, header.bodiesFile), edited.join(''));
  const lengths = edited.map((body) => Buffer.byteLength(body));
  const article: StoredArticle = {
    ...stored,
    article: {
      ...stored.article,
      translations: stored.article.translations.map((translation, index) => ({
        ...translation,
        bodyHash: hash('sha256', edited[index] ?? ''),
      })),
    },
    place: { offset: header.bodiesBytes, lengths },
  };
  const bodiesBytes = lengths.reduce((sum, length) => sum + length, header.bodiesBytes);
  const articles = content.articles.map((other, index) => (index === at ? article : other));
  await writeIndex(cache, { ...header, bodiesBytes }, { ...content, articles });
}

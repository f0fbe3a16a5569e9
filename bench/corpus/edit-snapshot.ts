import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readStoredBodies } from '../../src/source/snapshot/body-store.ts';
import type { SnapshotContent, StoredArticle } from '../../src/source/snapshot/format.ts';
import { readIndex } from '../../src/source/snapshot/read-index.ts';
import { writeIndex } from '../../src/source/snapshot/write-index.ts';
import { type CorpusEdit, editText, type TextEdit } from './edits.ts';
import { describeBody } from './write-snapshot.ts';

/**
 * Edits a snapshot in place, as if authors or readers had changed the knowledge base.
 * @param cache folder of the snapshot
 * @param updatedAt new date of edited articles
 * @param dates whether the service has one date per article, or one per language
 */
export async function editSnapshot(
  cache: string,
  edit: CorpusEdit,
  updatedAt: string,
  dates: 'article' | 'language' = 'article',
): Promise<void> {
  const snapshot = await readIndex(cache);
  if ('state' in snapshot) throw new Error(`the snapshot of the corpus ${snapshot.why}`);
  const { header, content, bodies: file } = snapshot;
  if (edit.kind === 'views') {
    await file.close();
    await writeIndex(cache, header, { ...content, topArticles: countViews(content) });
    return;
  }
  // Plain objects, because the fields of packed articles cannot be spread.
  const articles = JSON.parse(JSON.stringify(content.articles)) as StoredArticle[];
  let { bodiesBytes } = header;
  for (const at of edit.articles) {
    const stored = articles[at];
    if (stored === undefined) throw new RangeError(`the corpus has no article ${at}`);
    const { article, bodies } = editArticle(stored, await readStoredBodies(file, stored), edit);
    await appendFile(join(cache, header.bodiesFile), bodies.join(''));
    const lengths = bodies.map((body) => Buffer.byteLength(body));
    articles[at] = {
      ...stored,
      article:
        dates === 'article' ? { ...article, updatedAt } : dateTexts(stored.article, article, updatedAt),
      bodyRange: { offset: bodiesBytes, lengths },
    };
    bodiesBytes = lengths.reduce((sum, length) => sum + length, bodiesBytes);
  }
  await file.close();
  await writeIndex(cache, { ...header, bodiesBytes }, { ...content, articles });
}

/** Sets the date of languages whose body changed. */
function dateTexts(
  before: StoredArticle['article'],
  after: StoredArticle['article'],
  updatedAt: string,
): StoredArticle['article'] {
  const translations = after.translations.map((translation, at) =>
    translation.bodyHash === before.translations[at]?.bodyHash ? translation : { ...translation, updatedAt },
  );
  return { ...after, translations };
}

function countViews({ topArticles }: SnapshotContent): SnapshotContent['topArticles'] {
  return new Map(
    [...topArticles].map(([language, top]) => [
      language,
      top.map(({ articleId, count }) => ({ articleId, count: count + 1 })),
    ]),
  );
}

function editArticle(
  { article }: StoredArticle,
  bodies: ReadonlyMap<string, string>,
  edit: TextEdit,
): { readonly article: StoredArticle['article']; readonly bodies: readonly string[] } {
  const { translations: before } = article;
  const texts = before.map((translation, index) =>
    editText({ ...translation, body: bodies.get(translation.language) ?? '' }, index, before.length, edit),
  );
  const translations = texts.map(({ body, ...text }) => ({ ...text, ...describeBody(body) }));
  return { article: { ...article, translations }, bodies: texts.map(({ body }) => body) };
}

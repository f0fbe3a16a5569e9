import type { StoredArticle } from '../../src/source/snapshot/format.ts';
import { beginSnapshot, readSnapshot } from '../../src/source/snapshot/snapshot-file.ts';
import { editText, type TextEdit } from './edits.ts';
import { describeBody } from './write-snapshot.ts';

/**
 * Edits a snapshot in place, as if authors had changed the knowledge base.
 * @param cache folder of the snapshot
 * @param updatedAt new date of edited articles
 * @param dates whether the service has one date per article, or one per language
 */
export async function editSnapshot(
  cache: string,
  edit: TextEdit,
  updatedAt: string,
  dates: 'article' | 'language' = 'article',
): Promise<void> {
  const snapshot = await readSnapshot(cache);
  if ('state' in snapshot) throw new Error(`the snapshot of the corpus ${snapshot.why}`);
  const { header, content, bodies: before } = snapshot;
  const { store, commit } = await beginSnapshot(cache);
  const articles = [...content.articles];
  for (const at of edit.articles) {
    const stored = articles[at];
    if (stored === undefined) throw new RangeError(`the corpus has no article ${at}`);
    const { article, bodies } = editArticle(stored, before.read(stored.article), edit);
    articles[at] = {
      ...stored,
      article:
        dates === 'article' ? { ...article, updatedAt } : dateTexts(stored.article, article, updatedAt),
      bodyBytes: store.put(article, bodies),
    };
  }
  before.close();
  commit(header, { ...content, articles }).bodies.close();
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

function editArticle(
  { article }: StoredArticle,
  bodies: ReadonlyMap<string, string>,
  edit: TextEdit,
): { readonly article: StoredArticle['article']; readonly bodies: ReadonlyMap<string, string> } {
  const { translations: before } = article;
  const texts = before.map((translation, index) =>
    editText({ ...translation, body: bodies.get(translation.language) ?? '' }, index, before.length, edit),
  );
  const translations = texts.map(({ body, ...text }) => ({ ...text, ...describeBody(body) }));
  return {
    article: { ...article, translations },
    bodies: new Map(texts.map(({ language, body }) => [language, body])),
  };
}

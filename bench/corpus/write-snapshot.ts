import { hash } from 'node:crypto';
import { fingerprintBlocks } from '../../src/core/block-fingerprints.ts';
import { type Category, popularCount } from '../../src/core/model.ts';
import type { StoredArticle } from '../../src/source/snapshot/format.ts';
import { beginSnapshot } from '../../src/source/snapshot/snapshot-file.ts';
import { article, translation } from '../../test/support/knowledge-base.ts';
import type { Corpus, CorpusArticle, CorpusCategory } from './corpus.ts';
import { mostViewed } from './edits.ts';

/** Base URL in the snapshot; the benchmark's configuration has the same. */
export const corpusBaseUrl = 'https://kb.pebblepost.example/v1';

/** Writes a corpus as the snapshot that `lectern build --offline` reads, article by article. */
export async function writeSnapshot(folder: string, corpus: Corpus, defaultLanguage: string): Promise<void> {
  const { store, commit } = await beginSnapshot(folder);
  const articles: StoredArticle[] = [];
  for (const source of corpus.articles()) {
    const article = toArticle(source);
    const bodyBytes = store.put(article, new Map(source.texts.map(({ language, body }) => [language, body])));
    articles.push({ article, bodyBytes, hidden: [], fingerprint: '', problems: [] });
  }
  const header = {
    generator: 'benchmark',
    identity: corpusBaseUrl,
    defaultLanguage,
    listed: articles.length,
    listedAtMs: 0,
    fullReadAtMs: 0,
    etag: null,
    isListWithBodies: true,
  };
  const { bodies } = commit(header, {
    articles,
    categories: corpus.categories.map(toCategory),
    excluded: new Map(),
    topArticles: viewsOf(articles.map(({ article }) => article)),
    excludedFiles: new Map(),
    hiddenNames: new Map(),
    listingProblems: [],
    otherProblems: [],
  });
  bodies.close();
}

function viewsOf(articles: readonly StoredArticle['article'][]) {
  const languages = articles[0]?.translations.map(({ language }) => language) ?? [];
  const viewed = mostViewed(
    articles.map(({ id }) => id),
    0,
  );
  const top = viewed.slice(0, popularCount).map(({ articleId }) => articleId);
  return new Map(languages.sort().map((language) => [language, top] as const));
}

function toArticle(source: CorpusArticle): StoredArticle['article'] {
  const { id, texts, ...head } = source;
  const translations = texts.map(({ body, ...text }) =>
    translation(text.language, text.title, {
      ...text,
      updatedAt: null,
      bodyHash: hash('sha256', body),
      blockFingerprints: fingerprintBlocks(body),
    }),
  );
  return article(id, translations, head);
}

function toCategory({ id, parentId, texts }: CorpusCategory): Category {
  return { id, parentId, icon: null, updatedAt: null, translations: texts };
}

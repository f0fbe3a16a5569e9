import { hash } from 'node:crypto';
import { fingerprintBlocks } from '../../src/core/block-fingerprints.ts';
import type { ArticleTranslation, Category } from '../../src/core/model.ts';
import { createBodyStore } from '../../src/source/snapshot/body-store.ts';
import { type StoredArticle, snapshotVersion } from '../../src/source/snapshot/format.ts';
import { writeIndex } from '../../src/source/snapshot/write-index.ts';
import type { Corpus, CorpusArticle, CorpusCategory } from './corpus.ts';
import { mostViewed } from './edits.ts';

/** Base URL in the snapshot; the benchmark's configuration has the same. */
export const corpusBaseUrl = 'https://kb.pebblepost.example/v1';

/** Writes a corpus as the snapshot that `lectern build --offline` reads, article by article. */
export async function writeSnapshot(folder: string, corpus: Corpus, defaultLanguage: string): Promise<void> {
  const store = await createBodyStore(folder);
  const articles: StoredArticle[] = [];
  for (const article of corpus.articles()) {
    const bodyRange = await store.append(article.texts.map(({ body }) => body));
    articles.push({ article: toArticle(article), bodyRange, hidden: [], fingerprint: '', problems: [] });
  }
  const { file, bytes, handle } = await store.finish();
  await handle.close();
  const header = {
    format: 'lectern-snapshot',
    version: snapshotVersion,
    generator: 'benchmark',
    identity: corpusBaseUrl,
    defaultLanguage,
    bodiesFile: file,
    bodiesBytes: bytes,
    listed: articles.length,
    listedAtMs: 0,
    fullReadAtMs: 0,
    etag: null,
    isListWithBodies: true,
  } as const;
  await writeIndex(folder, header, {
    articles,
    categories: corpus.categories.map(toCategory),
    excluded: new Map(),
    topArticles: viewsOf(articles.map(({ article }) => article)),
    excludedFiles: new Map(),
    hiddenNames: new Map(),
    listingProblems: [],
    otherProblems: [],
  });
}

function viewsOf(articles: readonly StoredArticle['article'][]) {
  const languages = articles[0]?.translations.map(({ language }) => language) ?? [];
  const viewed = mostViewed(
    articles.map(({ id }) => id),
    0,
  );
  return new Map(languages.sort().map((language) => [language, viewed] as const));
}

function toArticle(article: CorpusArticle): StoredArticle['article'] {
  const { texts, ...head } = article;
  return {
    ...head,
    isFeatured: false,
    sortOrder: null,
    showToc: true,
    isListed: true,
    replaces: {},
    translations: texts.map(({ body, ...text }) => ({
      ...text,
      ...describeBody(body),
      listTitle: null,
      sourcePath: null,
      aliases: [],
      file: null,
    })),
  };
}

/** The fields of a snapshot about a body. */
export function describeBody(
  body: string,
): Pick<ArticleTranslation, 'updatedAt' | 'bodyHash' | 'blockFingerprints'> {
  return { updatedAt: null, bodyHash: hash('sha256', body), blockFingerprints: fingerprintBlocks(body) };
}

function toCategory({ id, parentId, texts }: CorpusCategory): Category {
  return { id, parentId, icon: null, updatedAt: null, translations: texts };
}

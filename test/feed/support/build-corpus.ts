import { transform } from '../../../src/content/transform.ts';
import type { ExclusionReason, KnowledgeBase } from '../../../src/core/model.ts';
import { isRecord } from '../../../src/core/unknown-record.ts';
import { feedUrl } from '../../../src/feed/guard/feed-url.ts';
import { createLinkResolver } from '../../../src/site/links/resolve-links.ts';
import type { Plan } from '../../../src/site/plan/plan.ts';
import { planSite } from '../../../src/site/plan/plan-site.ts';
import { normaliseArticle } from '../../../src/source/normalise/article.ts';
import { buildForest, normaliseCategory } from '../../../src/source/normalise/category.ts';
import { buildFeed } from './add-document.ts';
import { type FeedOverrides, limitedSettings } from './feed-settings.ts';
import { createMemoryOutput, type MemoryOutput } from './memory-output.ts';

/** A knowledge base as the API returns it. */
export interface Corpus {
  readonly articles: readonly unknown[];
  readonly categories: readonly unknown[];
}

export interface BuiltCorpus {
  readonly plan: Plan;
  readonly output: MemoryOutput;
}

/** Builds the feed of a whole knowledge base in memory, including the content stage. */
export async function buildCorpus(corpus: Corpus, settings: FeedOverrides = {}): Promise<BuiltCorpus> {
  const records = corpus.articles.filter(isRecord).map((record) => ({
    id: String(record.article_id),
    ...normaliseArticle(record, 'en'),
  }));
  const articles = records.flatMap((record) => (record.kind === 'public' ? [record] : []));
  const excluded = new Map<string, ExclusionReason>(
    records.flatMap((record) => (record.kind === 'excluded' ? [[record.id, record.reason] as const] : [])),
  );
  const knowledgeBase: KnowledgeBase = {
    defaultLanguage: 'en',
    articles: articles.map(({ article }) => article).sort((a, b) => (a.id < b.id ? -1 : 1)),
    categories: buildForest(
      corpus.categories.flatMap((record) => normaliseCategory(record, 'en').category ?? []),
    ).categories,
    excluded,
  };
  const { plan } = planSite(knowledgeBase, {
    siteUrl: 'https://help.example.com',
    siteTitle: 'Example help',
    languages: undefined,
    urls: { article: '{lang}/article/{id}-{slug}', category: '{lang}/category/{id}-{slug}' },
  });
  const resolverFor = createLinkResolver(plan, {
    hosts: ['https://help.example.com'],
    siteUrl: null,
    apiUrl: null,
    excluded,
    hiddenNames: new Map(),
    hasZendeskUrls: false,
  });
  const bodies = new Map(articles.map(({ article, bodies }) => [article.id, bodies]));
  const output = createMemoryOutput();
  const urlOf = (articleId: string, language: string) =>
    plan.articles.get(articleId)?.pages.get(language)?.url ?? '';
  const documentOf = (articleId: string, language: string) =>
    // The snapshot stores bodies as UTF-8.
    transform(Buffer.from(bodies.get(articleId)?.get(language) ?? '').toString(), {
      baseUrl: 'https://help.example.com',
      language,
      resolveLink: resolverFor(language),
      resolveImage: (src) => ({ src, width: null, height: null }),
      feedUrl: (url) =>
        feedUrl(url.startsWith('#') ? `${urlOf(articleId, language)}${url}` : url, 'help.example.com'),
      sourceHeadingIds: null,
      policy: { iframeHosts: [], classes: [], callouts: {} },
    });
  await buildFeed({
    plan,
    settings: limitedSettings(settings),
    output,
    options: { excluded, generator: 'lectern test', builtAt: null, newFeedId: '0'.repeat(32) },
    documentOf,
  });
  return { plan, output };
}

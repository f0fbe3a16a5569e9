import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentSettings } from '../../../src/config/schema.ts';
import { type SiteSettings, siteSettings } from '../../../src/config/site-settings.ts';
import { transform } from '../../../src/content/transform.ts';
import type {
  Article,
  ArticleBodies,
  ExclusionReason,
  KnowledgeBase,
  LanguageTag,
} from '../../../src/foundation/model.ts';
import type { Problem } from '../../../src/foundation/problems.ts';
import { createLinkResolver } from '../../../src/links/resolve-links.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { planSite } from '../../../src/plan/plan-site.ts';
import * as tokens from '../../../src/search/language-words.ts';
import { createSearchEntryMaker, type SearchEntry } from '../../../src/site/search/search-entry.ts';
import { makeSearchPart, renderSearchIndex } from '../../../src/site/search/search-index.ts';
import { createSite, type SiteOptions } from '../../../src/site/site.ts';
import { normaliseArticle } from '../../../src/source/normalise/article.ts';
import { buildForest, normaliseCategory } from '../../../src/source/normalise/category.ts';
import type { SiteFiles } from '../../support/static-server.ts';
import { corporaFolder } from '../../support/tools.ts';
import { renderPages } from './render-article.ts';
import { renderOthers } from './render-others.ts';

/** A knowledge base with its bodies. */
export interface SampleBase {
  readonly knowledgeBase: KnowledgeBase;
  readonly bodies: ReadonlyMap<string, ArticleBodies>;
}

export interface BuiltSite {
  readonly plan: Plan;
  readonly files: SiteFiles;
  readonly problems: readonly Problem[];
}

/** Builds the site of a knowledge base in memory, including the content stage. */
export async function buildFiles(
  { knowledgeBase, bodies }: SampleBase,
  given: Partial<SiteSettings> = {},
  siteUrl = 'https://help.example.com',
  options: Partial<SiteOptions> = {},
): Promise<BuiltSite> {
  const urls = { article: '{lang}/article/{id}-{slug}', category: '{lang}/category/{id}-{slug}' };
  const { plan } = planSite(knowledgeBase, { siteUrl, siteTitle: 'Acme Help', languages: undefined, urls });
  const settings = siteSettings.parse({ contact: 'mailto:help@example.com', ...given });
  const policy = contentSettings.parse({});
  const popular = new Map(
    plan.languages.map(({ tag, articleIds }) => [
      tag,
      articleIds.slice(0, 3).map((articleId) => ({ articleId, count: 1 })),
    ]),
  );
  const site = await createSite(plan, settings, {
    templatesFolder: null,
    popular,
    iframeHosts: policy.iframeHosts,
    ...options,
  });
  const makeSearchEntry = createSearchEntryMaker(tokens);
  const resolverFor = createLinkResolver(plan, {
    hosts: [],
    siteUrl: null,
    apiUrl: null,
    excluded: knowledgeBase.excluded,
    hiddenNames: new Map(),
    hasZendeskUrls: false,
  });
  const files = new Map<string, string | Uint8Array>();
  const entries = new Map<LanguageTag, SearchEntry[]>();
  for (const { id, pages } of plan.articles.values()) {
    for (const [language, page] of pages) {
      const document = transform(bodies.get(id)?.get(language) ?? '', {
        baseUrl: null,
        language,
        resolveLink: resolverFor(language),
        resolveImage: (src) => ({ src, width: null, height: null }),
        sourceHeadingIds: null,
        policy,
      });
      for (const { path, content } of renderPages(site, id, language, document)) files.set(path, content);
      const ofLanguage = entries.get(language) ?? [];
      entries.set(language, ofLanguage);
      ofLanguage.push(makeSearchEntry(site.searchMetadata(id, language), document, language));
      files.set(page.markdown.path, document.markdown);
    }
  }
  for await (const { path, content } of renderOthers(site)) files.set(path, content);
  for (const [language, ofLanguage] of entries) {
    const options = site.searchIndexOptions(language, 0);
    const made = makeSearchPart(options.folder, 0, ofLanguage);
    for (const { path, content } of [...made.files, ...renderSearchIndex([made.part], options)])
      files.set(path, content);
  }
  return { plan, files, problems: site.problems() };
}

/** One of the shared corpora, normalised like records of the API. */
export function readCorpus(name: string): SampleBase {
  return readBase(readFileSync(join(corporaFolder, `${name}.json`), 'utf8'));
}

/** A knowledge base as records of the API. @param json `{articles, categories}` */
export function readBase(json: string): SampleBase {
  const corpus = JSON.parse(json) as {
    readonly articles: readonly unknown[];
    readonly categories: readonly unknown[];
  };
  const articles: Article[] = [];
  const bodies = new Map<string, ArticleBodies>();
  const excluded = new Map<string, ExclusionReason>();
  for (const record of corpus.articles) {
    const read = normaliseArticle(record, 'en');
    if (read.kind === 'excluded') excluded.set(read.id, read.reason);
    if (read.kind !== 'public') continue;
    articles.push(read.article);
    bodies.set(read.article.id, read.bodies);
  }
  articles.sort((a, b) => (a.id < b.id ? -1 : 1));
  const loose = corpus.categories.flatMap((record) => normaliseCategory(record, 'en').category ?? []);
  const { categories } = buildForest(loose);
  return { knowledgeBase: { defaultLanguage: 'en', articles, categories, excluded }, bodies };
}

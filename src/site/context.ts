import type { SiteSettings } from '../config/site-settings.ts';
import type { LanguageTag, TopArticle } from '../foundation/model.ts';
import { fileAddress } from '../plan/page-url.ts';
import type { Plan, PlannedLanguage } from '../plan/plan.ts';
import type { Asset } from './assets.ts';
import { type ArticlePatterns, fallbackFor } from './fallback.ts';
import { type PublicFiles, resolveFileUrl } from './public-files.ts';
import { createRelatedArticles } from './related.ts';
import { createSharedParts, type SharedParts } from './shared-parts.ts';
import type { LanguageAddresses, LanguageContext, SiteBase } from './site-base.ts';
import { createTemplates } from './templates.ts';
import { createTexts, type Locales } from './texts.ts';
import type { SiteView } from './views.ts';

export type { LanguageContext } from './site-base.ts';

/** All that rendering a page needs besides the page's own content; made once per run. */
export interface SiteContext extends SiteBase {
  readonly shared: SharedParts;
}

/** What a context is made from, all read and checked. */
export interface ContextParts {
  readonly plan: Plan;
  readonly settings: SiteSettings;
  readonly assets: readonly Asset[];
  readonly publicFiles: PublicFiles;
  readonly locales: Locales;
  /** Absolute template folders, the site's own first. */
  readonly templateFolders: readonly string[];
  readonly popular: ReadonlyMap<LanguageTag, readonly TopArticle[]>;
  readonly patterns: ArticlePatterns;
  /** The search's tokenizer. */
  readonly tokenize: (text: string) => readonly string[];
}

export function createContext(parts: ContextParts): SiteContext {
  const { plan, settings, assets, publicFiles } = parts;
  const languages = new Map(
    plan.languages.map((planned) => [planned.tag, createLanguageContext(planned, parts)] as const),
  );
  const base = { plan, settings, assets, languages, view: siteView(plan, settings, assets, publicFiles) };
  return { ...base, shared: createSharedParts(base) };
}

/**
 * Addresses of the pages each language has besides those of the plan; no pattern may lead an article or category there.
 * @param language its home page lies in the language's folder
 */
export function languageAddresses(plan: Plan, language: PlannedLanguage): LanguageAddresses {
  const folder = language.home.path.slice(0, -'index.html'.length);
  return {
    index: fileAddress(plan, `${folder}index/index.html`),
    search: fileAddress(plan, `${folder}search/index.html`),
    notFound: fileAddress(plan, `${folder}404.html`),
    feed: fileAddress(plan, `${folder}updates.atom`),
    searchIndex: fileAddress(plan, `${folder}search/index.json`),
  };
}

/** The language context for a tag; asking for a language the plan does not have is a bug. */
export function languageOf(context: SiteContext, tag: LanguageTag): LanguageContext {
  const language = context.languages.get(tag);
  if (language === undefined) throw new Error(`the plan has no language "${tag}"`);
  return language;
}

function createLanguageContext(planned: PlannedLanguage, parts: ContextParts): LanguageContext {
  const { plan } = parts;
  const addresses = languageAddresses(plan, planned);
  return {
    planned,
    texts: createTexts(parts.locales, planned.tag),
    render: createTemplates(parts.templateFolders, planned.tag),
    addresses,
    view: {
      tag: planned.tag,
      dir: planned.dir,
      name: planned.name,
      home: planned.home.href,
      index: addresses.index.href,
      search: addresses.search.href,
      searchIndex: addresses.searchIndex.href,
      feed: plan.siteUrl !== null && recentIds(plan, planned, 1).length > 0 ? addresses.feed.href : null,
    },
    popularIds: (parts.popular.get(planned.tag) ?? [])
      .map(({ articleId }) => articleId)
      .filter((id) => plan.articles.get(id)?.pages.has(planned.tag) === true),
    related: createRelatedArticles(plan, planned, parts.tokenize),
    fallbackFor: (article) =>
      fallbackFor(plan, parts.settings.fallback, parts.patterns, article, planned.tag),
  };
}

function siteView(
  plan: Plan,
  settings: SiteSettings,
  assets: readonly Asset[],
  publicFiles: PublicFiles,
): SiteView {
  const files = {
    basePath: plan.basePath,
    assets: new Map(assets.map((asset) => [asset.name, asset])),
    publicFiles,
  };
  const logo = (name: 'logo' | 'logoDark') => {
    const value = settings[name];
    return value === undefined ? null : resolveFileUrl(value, `site.${name}`, files);
  };
  const links = (list: SiteSettings['headerLinks']) =>
    list.map(({ title, href }) => ({ title, href, lang: null }));
  return {
    title: plan.siteTitle,
    assets: Object.fromEntries(assets.map(({ name, path }) => [name, `${plan.basePath}/${path}`])),
    isMultilingual: plan.languages.length > 1,
    logo: logo('logo'),
    logoDark: logo('logoDark'),
    headerLinks: links(settings.headerLinks),
    footerLinks: links(settings.footerLinks),
    contact: settings.contact ?? null,
  };
}

/** An article and when it was last updated (ISO 8601, UTC). */
export interface RecentArticle {
  readonly id: string;
  readonly updatedAt: string;
}

/** The most recently updated articles of a language, newest first, ties by id; undated ones are left out. */
export function recentIds(plan: Plan, language: PlannedLanguage, count: number): readonly RecentArticle[] {
  return language.articleIds
    .flatMap((id) => {
      const updatedAt = plan.articles.get(id)?.updatedAt ?? null;
      return updatedAt === null ? [] : [{ id, updatedAt }];
    })
    .sort((a, b) => {
      if (a.updatedAt !== b.updatedAt) return a.updatedAt < b.updatedAt ? 1 : -1;
      return a.id < b.id ? -1 : 1;
    })
    .slice(0, count);
}

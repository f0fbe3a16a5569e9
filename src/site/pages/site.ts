import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { contactFormOf, type SiteSettings } from '../../core/config/site-settings.ts';
import { type LanguageTag, popularCount } from '../../core/model.ts';
import { type Problem, problem } from '../../core/problems.ts';
import type { RunSecret } from '../../core/run-secrets.ts';
import { helpSynonyms } from '../../core/search/help-synonyms.ts';
import { loadLanguageWords } from '../../core/search/language-words.ts';
import { walkFolder } from '../../core/user-folder.ts';
import { fileAddress, homeAddress } from '../plan/page-url.ts';
import { articleOf, categoryTrail, type Plan, pageOf } from '../plan/plan.ts';
import type { PlanSettings } from '../plan/plan-site.ts';
import type { SearchMetadata } from '../search/search-entry.ts';
import { type SearchIndexOptions, searchFolder } from '../search/search-index.ts';
import type { RenderedFile } from './assets.ts';
import { brandPictures } from './brand-pictures.ts';
import type { LanguageContext, SiteContext } from './context.ts';
import { readableAccents } from './contrast.ts';
import { createContext } from './create-context.ts';
import { type ArticleMetadata, describeArticle, describeLink } from './describe-article.ts';
import { type HeaderRule, headerRules, type PolicySettings, renderHeadersFile } from './headers-file.ts';
import { withPalette } from './palettes.ts';
import { noPublicFiles, type PublicFiles, reportRefused } from './public-files.ts';
import { readAssets } from './read-assets.ts';
import type { KnownRelated } from './related.ts';
import type { ArticleTheme } from './render-article.ts';
import { renderContact, renderIndex, renderSearch } from './render-index.ts';
import {
  recentCount,
  renderCategory,
  renderHome,
  renderNotFound,
  renderRedirects,
  renderRoot,
} from './render-listings.ts';
import { renderManifest } from './render-manifest.ts';
import { renderWidget } from './render-widget.ts';
import { renderAtom, renderRobots, renderSitemaps } from './sitemaps.ts';
import { builtInTemplates, describeUnused, listTemplates, type TemplateFolders } from './template-files.ts';
import { readLocales } from './texts.ts';

/** Options of the site besides plan and settings. */
export interface SiteOptions extends Pick<PolicySettings, 'iframeHosts' | 'csp' | 'noindex'> {
  /** Absolute path of the user's templates, assets and locales; `null` or a missing folder: none. */
  readonly templatesFolder: string | null;
  /** Files of the user that are published unchanged; absent: none. */
  readonly publicFiles?: PublicFiles;
  /** Values that no published file of the user may contain; absent: none. */
  readonly secrets?: readonly RunSecret[];
  /** URL pattern of articles (`urls` of the configuration); absent: the defaults. */
  readonly urls?: PlanSettings['urls'];
  /** Absent: none are known. */
  readonly knownRelated?: KnownRelated;
}

/** Files that show several articles. */
interface Listing {
  /** Unique. */
  readonly name: string;
  /** The only one whose titles they show; `null`: those of all. */
  readonly language: LanguageTag | null;
  /** The dates of edits that they show, and of which articles. Plain data. */
  readonly dates: unknown;
  readonly render: () => AsyncIterable<RenderedFile> | Iterable<RenderedFile>;
}

/** Turns planned articles into the files of the help site, one at a time. */
export interface Site {
  /** Metadata of all pages that show one translation of an article; its own page comes first. */
  describeArticle(articleId: string, language: LanguageTag): readonly ArticleMetadata[];
  /** What the pages of a language show of an article, also of one that is not translated into it. Plain data. */
  describeLink(articleId: string, language: LanguageTag): unknown;
  /** Ids of the articles to which the page of an article leads as related ones. */
  relatedArticles(articleId: string, language: LanguageTag): readonly string[];
  /** Theme for `createArticleRenderer`. */
  readonly theme: ArticleTheme;
  /** Article metadata for search results: input of `makeSearchEntry`. */
  searchMetadata(articleId: string, language: LanguageTag): SearchMetadata;
  /** The site's own pictures: they depend on nothing but settings and the title of the site. */
  paintPictures(): Iterable<RenderedFile>;
  /** All other files except article pages and the search index; home pages first, because they are asked for first. */
  renderListings(): Iterable<Listing>;
  /** Options of `renderSearchIndex`. Plain data. */
  searchIndexOptions(language: LanguageTag, bits: number): SearchIndexOptions;
  /** Headers that the host should send. */
  readonly headers: readonly HeaderRule[];
  /** Rules of the user that follow the redirects of Netlify and Cloudflare. */
  appendedRedirects(): string;
  /** Problems found so far. */
  problems(): readonly Problem[];
}

/**
 * Loads templates, interface texts and assets once and makes the site of a plan.
 * @throws TEMPLATE_FAILED if an interface text cannot be read, SITE_FILE_MISSING if a setting, style sheet or template names a missing file
 */
export async function createSite(plan: Plan, settings: SiteSettings, options: SiteOptions): Promise<Site> {
  const own = options.templatesFolder;
  const folders = [own, builtInTemplates].filter(
    (folder): folder is string => folder !== null && existsSync(folder),
  );
  const locales = readLocales(folders.toReversed());
  const publicFiles = options.publicFiles ?? noPublicFiles;
  const { theme, problems: accentProblems } = readableAccents(withPalette(settings.theme));
  const tags = plan.languages.map(({ tag }) => tag);
  const { basePath } = plan;
  const { secrets = [] } = options;
  const themed = { ...settings, theme };
  const { assets, widget, ...read } = await readAssets(
    folders,
    themed,
    { basePath, publicFiles },
    tags,
    secrets,
  );
  const stopWords = new Map<LanguageTag, ReadonlySet<string>>();
  for (const tag of tags) stopWords.set(tag, (await loadLanguageWords(tag)).stopWords);
  const context = createContext({
    plan,
    settings: themed,
    assets,
    publicFiles,
    locales,
    templateFolders: folders,
    pattern: { kind: 'article', pattern: options.urls?.article },
    noindex: options.noindex ?? false,
    knownRelated: options.knownRelated ?? (() => null),
  });
  /** Throws if the plan does not have the language, which is a bug. */
  const languageOf = (tag: LanguageTag): LanguageContext => {
    const language = context.languages.get(tag);
    if (language === undefined) throw new Error(`the plan has no language "${tag}"`);
    return language;
  };
  const headers = headerRules(plan, { ...settings, ...options });
  const problems = [
    ...(own === null ? [] : checkTemplates({ builtIn: builtInTemplates, own })),
    ...findMissingLocales(context),
    ...accentProblems,
    ...read.problems,
    ...(own === null ? [] : reportRefused(basename(own), [...walkFolder(own)])),
  ];
  return {
    describeArticle: (articleId, tag) => describeArticle(context, languageOf(tag), articleId),
    describeLink: (articleId, tag) => describeLink(context, languageOf(tag), articleId),
    relatedArticles: (articleId, tag) => languageOf(tag).related(articleId),
    theme: {
      siteUrl: plan.siteUrl,
      locales,
      templateFolders: folders,
      languages: new Map(
        [...context.languages].map(([tag, { view, site, footer }]) => [tag, { view, site, footer }]),
      ),
    },
    searchMetadata: (articleId, tag) => searchMetadata(context, languageOf(tag), articleId),
    searchIndexOptions: (tag, bits) => {
      const { addresses, texts } = languageOf(tag);
      return {
        language: tag,
        bits,
        folder: searchFolder(tag),
        path: addresses.searchIndex.path,
        basePath: plan.basePath,
        texts: {
          locale: texts.locale,
          ...Object.fromEntries(searchTexts.map((key) => [key, texts.entries[key]])),
        },
        synonyms: [...settings.synonyms, ...helpSynonyms(tag)],
        stopWords: stopWords.get(tag) ?? new Set(),
      };
    },
    paintPictures: () => brandPictures(context.settings.theme, plan.siteTitle).paint(),
    *renderListings() {
      for (const language of context.languages.values()) {
        const { recent } = language;
        const { tag, home, categoryById } = language.planned;
        const renderHomes = function* () {
          if (home.articleId === null) {
            yield renderHome(context, language);
            const listed = homeAddress(plan, language.planned);
            if (listed !== home && !publicFiles.paths.has('index.html'))
              yield renderHome(context, language, listed);
          }
          yield renderSearch(context, language);
        };
        const renderPages = function* () {
          for (const id of categoryById.keys()) {
            const page = renderCategory(context, language, id);
            if (page !== null) yield page;
          }
          yield renderManifest(context, language);
          yield* renderIndex(context, language);
          if (contactFormOf(settings) !== undefined) yield renderContact(context, language);
          yield renderNotFound(context, language, language.addresses.notFound);
          yield* renderRedirects(context, language);
        };
        const shown = recent.slice(0, Math.max(recentCount, popularCount));
        const files = { language: tag, dates: null };
        yield { ...files, name: `home ${tag}`, dates: shown, render: renderHomes };
        yield { ...files, name: `listings ${tag}`, render: renderPages };
        yield {
          ...files,
          name: `updates ${tag}`,
          dates: recent,
          render: () => renderAtom(context, language),
        };
      }
      const renderRest = async function* () {
        yield* context.assets;
        yield* publicFiles.read();
        for (const file of [...renderRootPages(context), renderRobots(context)])
          if (!publicFiles.paths.has(file.path)) yield file;
        if (widget !== null) yield renderWidget(context, widget);
        yield renderHeadersFile(headers, publicFiles.appended('_headers'));
      };
      yield { name: 'assets and root', language: null, dates: null, render: renderRest };
      if (context.noindex) return;
      const dates = Array.from(plan.articles.values(), ({ updatedAt, pages }) => [
        updatedAt,
        ...Array.from(pages.values(), (page) => page.updatedAt),
      ]);
      yield { name: 'sitemaps', language: null, dates, render: () => renderSitemaps(plan) };
    },
    headers,
    appendedRedirects: () => publicFiles.appended('_redirects'),
    problems: () => [...problems, ...publicFiles.problems()],
  };
}

/** Interface texts that the script of the search shows. */
const searchTexts = [
  ...(['searchNone', 'searchClosest', 'searchCount', 'searchMany', 'showAll'] as const),
  ...(['searchMore', 'searchSuggestion', 'topics'] as const),
];

function searchMetadata(
  { plan }: SiteContext,
  { planned }: LanguageContext,
  articleId: string,
): SearchMetadata {
  const article = articleOf(plan, articleId);
  const { href, title } = pageOf(article, planned.tag);
  const path = categoryTrail(planned, article.categoryId).map(({ page }) => page.title);
  return { href, title, category: path.join(' › '), topCategory: path[0] ?? '', tags: article.tags };
}

/** Reports templates of the user that no page uses, or whose originals changed after they were ejected. */
function checkTemplates(folders: TemplateFolders): readonly Problem[] {
  if (!existsSync(folders.own)) return [];
  const templates = listTemplates(folders);
  const drifted = templates
    .filter(({ hasDrifted }) => hasDrifted)
    .map(({ name, ejected }) => {
      const message = `${name} was ejected from ${ejected?.version}, and the built-in one has changed since`;
      return problem('TEMPLATE_DRIFTED', message);
    });
  return [...drifted, ...describeUnused(folders).map((message) => problem('TEMPLATE_UNUSED', message))];
}

function findMissingLocales(context: SiteContext): readonly Problem[] {
  return [...context.languages].flatMap(([language, { texts }]) => {
    if (texts.locale !== 'en' || new Intl.Locale(language).language === 'en') return [];
    return [problem('LOCALE_MISSING', `no interface texts in ${language}: English is used`, { language })];
  });
}

/** Pages outside any language, written in the first language. */
function* renderRootPages(context: SiteContext): Generator<RenderedFile> {
  const [first] = context.languages.values();
  if (first === undefined) return;
  const { plan } = context;
  const hasRoot = plan.languages.some((language) => homeAddress(plan, language).path === 'index.html');
  if (!hasRoot) yield renderRoot(context, first);
  yield renderNotFound(context, first, fileAddress(plan, '404.html'));
}

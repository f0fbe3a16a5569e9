import { relativeSourcePath } from '../../core/addresses.ts';
import { countEach } from '../../core/group-by.ts';
import { languageName, type PerLanguage, textDirection, textFor } from '../../core/language.ts';
import type { ArticleTranslation, KnowledgeBase, LanguageTag, TopArticles } from '../../core/model.ts';
import { type Problem, problem } from '../../core/problems.ts';
import {
  createPathRegistry,
  existingAddress,
  fileAddress,
  type PathRegistry,
  type SiteRoot,
  siteRoot,
} from './page-url.ts';
import type { HomePage, Plan, PlannedLanguage } from './plan.ts';
import {
  createIsShownIn,
  type FallbackSettings,
  type PlanContext,
  planArticles,
  planFallbacks,
} from './plan-articles.ts';
import { planCategories, planNavigation } from './plan-categories.ts';

export interface PlanSettings {
  readonly siteUrl: string | undefined;
  readonly siteTitle: PerLanguage;
  /** Languages to publish, in order; `undefined`: all languages. */
  readonly languages: readonly LanguageTag[] | undefined;
  readonly urls: {
    readonly article?: string | undefined;
    readonly category?: string | undefined;
  };
  /** Absent: no statistics. */
  readonly popular?: TopArticles;
  /** Fallback for untranslated articles; absent: none. */
  readonly fallback?: FallbackSettings;
  /** The file of a page that exists already, relative to the folder of the site; absent: the pages are made, at paths that the plan chooses. */
  readonly existingFile?: (page: ArticleTranslation) => string;
}

/**
 * Decides every path and relation of site and feed before anything is written. Pure.
 * @throws OUTPUT_CONFLICT if a pattern leads to a path that Lectern uses itself
 */
export function planSite(
  knowledgeBase: KnowledgeBase,
  settings: PlanSettings,
): { readonly plan: Plan; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const root = siteRoot(settings.siteUrl);
  if (root.siteUrl === null) {
    problems.push(problem('SITE_URL_MISSING', 'the public URL of the site is not set'));
  }
  const tags = chooseLanguages(knowledgeBase, settings.languages, problems);
  const paths = createPathRegistry();
  const isFree = settings.urls.article === undefined && settings.existingFile === undefined;
  const ownHomes = isFree ? findHomes(knowledgeBase, tags, root, paths) : new Map<LanguageTag, HomePage>();
  const context: PlanContext = {
    root,
    homes: ownHomes,
    defaultLanguage: knowledgeBase.defaultLanguage,
    languages: new Set(tags),
    paths,
    existingFile: settings.existingFile ?? null,
    problems,
  };
  const homes = tags.map((language): HomePage => {
    const path = `${language}/index.html`;
    const own = ownHomes.get(language);
    if (own === undefined) context.paths.claim(path, `the home page of ${language}`);
    for (const name of ['index/index.html', 'search/index.html', 'search/contact/index.html', '404.html']) {
      context.paths.claim(`${language}/${name}`, `the site's own page ${language}/${name}`);
    }
    return own ?? { language, articleId: null, ...fileAddress(root, path) };
  });
  const { urls } = settings;
  const articlePattern = { kind: 'article', pattern: urls.article } as const;
  const articles = planArticles(knowledgeBase.articles, articlePattern, context);
  const { defaultLanguage } = knowledgeBase;
  const isShownIn = createIsShownIn(articles, defaultLanguage, settings.fallback);
  const categoryPages = planCategories(
    knowledgeBase.categories,
    articles,
    isShownIn,
    { kind: 'category', pattern: urls.category },
    context,
  );
  const movedFallbacks =
    settings.fallback === undefined || context.existingFile !== null
      ? new Map<string, string>()
      : planFallbacks(articles, articlePattern, settings.fallback, context);
  const languages = homes.map((home): PlannedLanguage => {
    const tag = home.language;
    const popularIds = (settings.popular?.get(tag) ?? []).filter(
      (id) => articles.get(id)?.pages.has(tag) === true,
    );
    const navigation = planNavigation(
      tag,
      popularIds,
      knowledgeBase.articles,
      articles,
      isShownIn,
      knowledgeBase.categories,
      categoryPages,
    );
    const articleIds = [...articles.values()].filter(({ pages }) => pages.has(tag)).map(({ id }) => id);
    return {
      tag,
      dir: textDirection(tag),
      name: languageName(tag),
      siteTitle: textFor(settings.siteTitle, tag, defaultLanguage),
      home,
      ...navigation,
      articleIds,
      popularIds,
    };
  });
  const named = withDistinctNames(languages);
  const plan: Plan = {
    ...root,
    siteTitle: textFor(settings.siteTitle, defaultLanguage, defaultLanguage),
    defaultLanguage,
    languages: named,
    languageByTag: new Map(named.map((language) => [language.tag, language])),
    articles,
    categoryPages,
    movedFallbacks,
  };
  return { plan, problems };
}

/**
 * Finds the articles that are the home page of their language on their own site: at `/`, or in the folder of the language. They keep that
 * URL, so Lectern makes no home page of its own for the language.
 */
function findHomes(
  { articles }: KnowledgeBase,
  tags: readonly LanguageTag[],
  root: SiteRoot,
  paths: PathRegistry,
): ReadonlyMap<LanguageTag, HomePage> {
  const homes = new Map<LanguageTag, HomePage>();
  for (const language of tags) {
    const found = articles.flatMap(({ id, translations }) =>
      translations.flatMap((translation) => {
        const home = translation.language === language ? homeOf(translation) : null;
        return home === null ? [] : [{ id, ...home }];
      }),
    );
    const [home] = found.sort((a, b) => a.rank - b.rank);
    if (home === undefined) continue;
    const path = home.folder === '' ? 'index.html' : `${home.folder}/index.html`;
    if (paths.claimHome(path, `article ${home.id} (${language})`))
      homes.set(language, {
        ...{ language, articleId: home.id },
        ...existingAddress(root, path, home.urlPath),
      });
  }
  return homes;
}

/** Where an article is the home page of its language; the lowest rank is at `/`. `null`: it is another page. */
export function homeOf({ language, sourcePath }: ArticleTranslation): {
  readonly folder: string;
  readonly rank: number;
  readonly urlPath: string;
} | null {
  if (sourcePath === null) return null;
  const urlPath = relativeSourcePath(sourcePath);
  const folder = urlPath.replace(/\/?(?:index\.html)?$/, '');
  const folders = ['', language, language.split('-')[0] ?? ''].map((one) => one.toLowerCase());
  const rank = folders.indexOf(folder.toLowerCase());
  return rank === -1 ? null : { folder, rank, urlPath };
}

/** Adds the tag to languages with the same name (`en` and `en-x-internal`), so that readers can distinguish them in the menu. */
function withDistinctNames(languages: readonly PlannedLanguage[]): readonly PlannedLanguage[] {
  const counts = countEach(languages.map(({ name }) => name));
  return languages.map((language) =>
    (counts.get(language.name) ?? 0) > 1
      ? { ...language, name: `${language.name} (${language.tag})` }
      : language,
  );
}

/**
 * Languages with at least one article: the default first, then as configured, else by tag. Without any article, one language, because a
 * site always has a root and a home page.
 */
function chooseLanguages(
  knowledgeBase: KnowledgeBase,
  configured: readonly LanguageTag[] | undefined,
  problems: Problem[],
): readonly LanguageTag[] {
  const present = new Set<LanguageTag>();
  for (const article of knowledgeBase.articles) {
    for (const { language } of article.translations) present.add(language);
  }
  const wanted = configured ?? [...present].sort();
  for (const language of wanted) {
    if (!present.has(language)) {
      problems.push(problem('LANGUAGE_EMPTY', `no public article is in ${language}`, { language }));
    }
  }
  const chosen = wanted.filter((language) => present.has(language));
  if (chosen.length === 0) return [wanted[0] ?? knowledgeBase.defaultLanguage];
  const first = chosen.filter((language) => language === knowledgeBase.defaultLanguage);
  return [...first, ...chosen.filter((language) => language !== knowledgeBase.defaultLanguage)];
}

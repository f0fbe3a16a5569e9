import { relativeSourcePath } from '../../core/addresses.ts';
import { getOrMake } from '../../core/group-by.ts';
import type { Article, ArticleTranslation, LanguageTag } from '../../core/model.ts';
import { type Problem, type ProblemLocation, problem } from '../../core/problems.ts';
import {
  existingAddress,
  expandPattern,
  fileAddress,
  isSafeSlug,
  type PathRegistry,
  type PatternValues,
  pathSlug,
  type SiteRoot,
} from './page-url.ts';
import type { ArticlePage, HomePage, PlannedArticle } from './plan.ts';

/** The configured pattern for one kind of page; `undefined` if there is none. */
export interface UrlPattern {
  readonly kind: 'article' | 'category';
  readonly pattern: string | undefined;
}

/**
 * The path that a page should have. Without a configured pattern, a page of a folder keeps the path of its own generator, so that its
 * address is the same before and after a project is configured; records of a service have no path, and get their id and slug.
 */
function wantedPath({ kind, pattern }: UrlPattern, values: PatternValues): string {
  const usual = values.path === null ? `{lang}/${kind}/{id}-{slug}` : '{path}';
  return expandPattern(pattern ?? usual, values);
}

export interface PlanContext {
  readonly root: SiteRoot;
  readonly defaultLanguage: LanguageTag;
  /** Languages that are published; translations in others are skipped. */
  readonly languages: ReadonlySet<LanguageTag>;
  readonly paths: PathRegistry;
  /** The home pages that are articles, by language. */
  readonly homes: ReadonlyMap<LanguageTag, HomePage>;
  /** `PlanSettings.existingFile`. */
  readonly existingFile: ((page: ArticleTranslation) => string) | null;
  readonly problems: Problem[];
}

/** Gives every article its page per language; skips articles without a published language. */
export function planArticles(
  articles: readonly Article[],
  pattern: UrlPattern,
  context: PlanContext,
): ReadonlyMap<string, PlannedArticle> {
  const planned = new Map<string, PlannedArticle>();
  for (const article of articles) {
    const translations = article.translations.filter(({ language }) => context.languages.has(language));
    const [source] = translations;
    if (source === undefined) continue;
    const { translations: all, ...metadata } = article;
    const slug = all[0]?.slug ?? null;
    const pages = new Map(
      translations.map((translation) => [
        translation.language,
        planPage({ id: article.id, slug }, translation, pattern, context),
      ]),
    );
    planned.set(article.id, { ...metadata, sourceLanguage: source.language, pages });
  }
  return planned;
}

function planPage(
  article: { readonly id: string; readonly slug: string | null },
  translation: ArticleTranslation,
  pattern: UrlPattern,
  context: PlanContext,
): ArticlePage {
  const { language, title, sourcePath } = translation;
  const common = {
    ...translation,
    articleId: article.id,
    listTitle: translation.listTitle ?? title,
  };
  if (context.existingFile !== null) {
    const file = context.existingFile(translation);
    const address = existingAddress(context.root, file, relativeSourcePath(translation.sourcePath ?? file));
    return { ...common, ...address };
  }
  const home = context.homes.get(language);
  if (home?.articleId === article.id) return { ...home, ...common };
  const sitePath = sourcePath === null ? null : relativeSourcePath(sourcePath);
  const values = { lang: language, id: article.id, path: sitePath };
  const path = planPath(pattern, values, [translation.slug, article.slug], title, context);
  if (sourcePath !== null)
    reportReservedName(relativeSourcePath(sourcePath), path, article.id, language, context);
  const isExact = sourcePath?.startsWith('/') === true && isFileOf(path, relativeSourcePath(sourcePath));
  return {
    ...common,
    ...(isExact
      ? existingAddress(context.root, path, relativeSourcePath(sourcePath))
      : fileAddress(context.root, path)),
  };
}

/** Reports a page that moved because Lectern itself writes a folder or file of that name (`expandPattern` adds an underscore). */
function reportReservedName(
  sourcePath: string,
  path: string,
  articleId: string,
  language: LanguageTag,
  { problems }: PlanContext,
): void {
  const nameOf = (whole: string) => whole.split('/')[0]?.replace(/\.html?$/, '') ?? '';
  if (nameOf(path) !== `${nameOf(sourcePath)}_`) return;
  const message = `the path ${sourcePath} belongs to Lectern itself, so this page has the path ${path}`;
  problems.push(problem('ADDRESS_TAKEN', message, { articleId, language }));
}

/** Whether servers answer with a file to a path of a URL: `guide/`, `guide` or `guide/index.html` with `guide/index.html`. */
function isFileOf(file: string, urlPath: string): boolean {
  return file === urlPath || file === `${urlPath.replace(/\/$/, '')}/index.html`;
}

/** The path of a record's page: the wanted one unless another page already has it, which is reported. */
function claimPath(
  kind: 'article' | 'category',
  id: string,
  language: LanguageTag,
  wanted: string,
  { paths, problems }: Pick<PlanContext, 'paths' | 'problems'>,
): string {
  const { path, takenBy } = paths.claimForRecord(wanted, id, `${kind} ${id} (${language})`);
  if (takenBy !== null) {
    const message = `the path ${wanted} belongs to ${takenBy}, so this page has the path ${path}`;
    problems.push(problem('ADDRESS_TAKEN', message, locationOf(kind, id, language)));
  }
  return path;
}

function locationOf(kind: 'article' | 'category', id: string, language: LanguageTag): ProblemLocation {
  return kind === 'article' ? { articleId: id, language } : { categoryId: id, language };
}

/**
 * The path of a record's page, with the first given slug, else one made from the title. A slug is made safe if necessary, which is reported unless
 * the path has it all the same.
 * @param given in order of preference: the translation's, then the record's
 */
export function planPath(
  pattern: UrlPattern,
  values: Omit<PatternValues, 'slug'>,
  given: readonly (string | null)[],
  title: string,
  context: Pick<PlanContext, 'paths' | 'problems'>,
): string {
  const { lang, id } = values;
  const slug = given.find((one) => one !== null && one !== '')?.normalize('NFC') ?? null;
  const isSafe = slug !== null && isSafeSlug(slug);
  const wanted = wantedPath(pattern, {
    ...values,
    slug: isSafe ? slug : pathSlug(slug ?? '') || pathSlug(title),
  });
  if (slug !== null && !isSafe && !wanted.split(/\/|\.html?$/).includes(slug)) {
    const message = `the slug ${JSON.stringify(slug.slice(0, 80))} is not safe in a path`;
    context.problems.push(problem('SLUG_REPLACED', message, locationOf(pattern.kind, id, lang)));
  }
  return claimPath(pattern.kind, id, lang, wanted, context);
}

/** `site.fallback` of the configuration: what readers get for an untranslated article. */
export interface FallbackSettings {
  readonly mode: FallbackMode;
  readonly languages: Readonly<
    Record<string, { readonly mode?: FallbackMode | undefined; readonly chain: readonly string[] }>
  >;
}

type FallbackMode = 'omit' | 'notice' | 'redirect';

/** Fallback of an article without a translation in a language. */
export function fallbackModeOf(settings: FallbackSettings, language: LanguageTag): FallbackMode {
  return settings.languages[language]?.mode ?? settings.mode;
}

/**
 * The page shown instead of a missing translation: the configured chain is tried first, then the tag's own prefixes
 * (`pt-BR` → `pt`), then the article's source language.
 */
export function findFallbackPage(
  settings: FallbackSettings,
  article: PlannedArticle,
  language: LanguageTag,
): ArticlePage {
  const chain = [
    ...(settings.languages[language]?.chain ?? []),
    ...prefixes(language),
    article.sourceLanguage,
    ...article.pages.keys(),
  ];
  const tag = chain.find((candidate) => article.pages.has(candidate));
  const shown = tag === undefined ? undefined : article.pages.get(tag);
  if (shown === undefined) throw new Error(`article "${article.id}" has no page in any language`);
  return shown;
}

/** Whether the lists of a language show an article: in the language itself, or as a link to another one. */
export type IsShownIn = (article: PlannedArticle, language: LanguageTag) => boolean;

/**
 * Lists show an article that is not translated in its original language, which is the default language, or in a language that the settings name
 * instead. A language of which at least half of the articles have no original is a help centre of its own, as in a folder with a tree for
 * each language and other names of files: articles of the default language are probably there under another name, so it lists only its own.
 * @param settings absent: no fallback is configured
 */
export function createIsShownIn(
  articles: ReadonlyMap<string, PlannedArticle>,
  defaultLanguage: LanguageTag,
  settings: FallbackSettings | undefined,
): IsShownIn {
  const counts = new Map<LanguageTag, { all: number; ofOriginals: number }>();
  for (const { pages } of articles.values()) {
    for (const language of pages.keys()) {
      const count = getOrMake(counts, language, () => ({ all: 0, ofOriginals: 0 }));
      count.all += 1;
      if (pages.has(defaultLanguage)) count.ofOriginals += 1;
    }
  }
  const isSeparate = (language: LanguageTag): boolean => {
    const { all = 0, ofOriginals = 0 } = counts.get(language) ?? {};
    return all > 0 && ofOriginals * 2 <= all;
  };
  return ({ pages }, language) => {
    if (pages.has(language)) return true;
    if (settings !== undefined && fallbackModeOf(settings, language) !== 'omit') return true;
    const instead = [...(settings?.languages[language]?.chain ?? []), ...prefixes(language)];
    return instead.some((tag) => pages.has(tag)) || (pages.has(defaultLanguage) && !isSeparate(language));
  };
}

/** The wanted path of a fallback page: that of a page in its language, with the slug of the displayed title. */
export function wantedFallbackPath(
  pattern: UrlPattern,
  isDefaultLanguage: boolean,
  article: PlannedArticle,
  language: LanguageTag,
  shown: ArticlePage,
): string {
  const path =
    shown.sourcePath === null
      ? null
      : inLanguage(relativeSourcePath(shown.sourcePath), shown.language, language, isDefaultLanguage);
  const slug = pathSlug(shown.title);
  return wantedPath(pattern, { lang: language, id: article.id, slug, path });
}

/** The path of a page as its generator would have it in another language: only the default language has no folder. */
function inLanguage(path: string, from: LanguageTag, to: LanguageTag, isDefault: boolean): string {
  const [first = '', ...rest] = path.split('/');
  const plain = first.toLowerCase() === from.toLowerCase() ? rest.join('/') : path;
  return isDefault ? plain : `${to}/${plain}`;
}

/**
 * Gives the fallback pages of missing translations their paths, after all other pages. Stores only paths that differ from the wanted ones,
 * by {@link fallbackKey}, because a large site has more fallback pages than others.
 */
export function planFallbacks(
  articles: ReadonlyMap<string, PlannedArticle>,
  pattern: UrlPattern,
  settings: FallbackSettings,
  context: PlanContext,
): ReadonlyMap<string, string> {
  const moved = new Map<string, string>();
  for (const language of context.languages) {
    if (fallbackModeOf(settings, language) === 'omit') continue;
    const isDefault = language === context.defaultLanguage;
    for (const article of articles.values()) {
      if (article.pages.has(language)) continue;
      const shown = findFallbackPage(settings, article, language);
      const wanted = wantedFallbackPath(pattern, isDefault, article, language, shown);
      const path = claimPath('article', article.id, language, wanted, context);
      if (path !== wanted) moved.set(fallbackKey(article.id, language), path);
    }
  }
  return moved;
}

/** The key of a fallback page in `Plan.movedFallbacks`. */
export function fallbackKey(articleId: string, language: LanguageTag): string {
  return `${articleId}/${language}`;
}

/** Shorter and shorter forms of a tag: `zh-Hant-TW` gives `zh-Hant`, `zh`. */
function prefixes(tag: LanguageTag): readonly LanguageTag[] {
  const parts = tag.split('-');
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join('-'));
}

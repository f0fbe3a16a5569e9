import type { Article, ArticleTranslation, LanguageTag } from '../foundation/model.ts';
import { type Problem, problem } from '../foundation/problems.ts';
import { expandPattern, type SiteRoot } from './address.ts';
import { PlannedPage } from './article-page.ts';
import type { PathRegistry } from './paths.ts';
import type { PlannedArticle } from './plan.ts';
import { createPlannedArticle } from './planned-article.ts';
import { isSafeSlug, slugify } from './slug.ts';

/** Patterns for one kind of page; the default language may keep addresses of its own. */
export interface UrlPatterns {
  readonly pattern: string;
  readonly defaultPattern: string;
}

export interface PlanContext {
  readonly root: SiteRoot;
  readonly defaultLanguage: LanguageTag;
  /** Languages that are published; translations in others are left out. */
  readonly languages: ReadonlySet<LanguageTag>;
  readonly paths: PathRegistry;
  readonly problems: Problem[];
}

/** Gives every article its page per language; articles in none of the published languages are not planned. */
export function planArticles(
  articles: readonly Article[],
  patterns: UrlPatterns,
  context: PlanContext,
): ReadonlyMap<string, PlannedArticle> {
  const planned = new Map<string, PlannedArticle>();
  for (const article of articles) {
    const translations = article.translations.filter(({ language }) => context.languages.has(language));
    const source =
      translations.find(({ language }) => language === context.defaultLanguage) ?? translations[0];
    if (source === undefined) continue;
    const pages = translations.map((translation) => planPage(article, translation, patterns, context));
    planned.set(article.id, createPlannedArticle(article, source.language, pages));
  }
  return planned;
}

function planPage(
  article: Article,
  translation: ArticleTranslation,
  patterns: UrlPatterns,
  context: PlanContext,
): PlannedPage {
  const { language } = translation;
  const slug = chooseSlug(
    [translation.slug, article.translations[0]?.slug ?? null],
    translation.title,
    (given) =>
      context.problems.push(
        problem('SLUG_REPLACED', `the slug ${JSON.stringify(given.slice(0, 80))} is not safe in a path`, {
          articleId: article.id,
          language,
        }),
      ),
  );
  const pattern = language === context.defaultLanguage ? patterns.defaultPattern : patterns.pattern;
  const path = expandPattern(pattern, { lang: language, id: article.id, slug });
  return new PlannedPage(
    context.root,
    article,
    translation,
    claimPath('article', article.id, language, path, context),
  );
}

/** The path a record's page gets: the wanted one, unless another page has it already, which is reported. */
export function claimPath(
  kind: 'article' | 'category',
  id: string,
  language: LanguageTag,
  wanted: string,
  { paths, problems }: Pick<PlanContext, 'paths' | 'problems'>,
): string {
  const { path, takenBy } = paths.claimForRecord(wanted, id, `${kind} ${id} (${language})`);
  if (takenBy !== null) {
    const place = kind === 'article' ? { articleId: id, language } : { categoryId: id, language };
    problems.push(problem('ADDRESS_TAKEN', `${wanted} belongs to ${takenBy}, so the page is ${path}`, place));
  }
  return path;
}

/**
 * The first given slug, made safe where it is not (`onReplaced` is told), else one made from the title.
 * @param given in order of preference: the translation's, then the record's
 */
export function chooseSlug(
  given: readonly (string | null)[],
  title: string,
  onReplaced: (slug: string) => void,
): string {
  const slug = given.find((candidate) => candidate !== null && candidate !== '') ?? null;
  if (slug === null) return slugify(title);
  if (isSafeSlug(slug)) return slug.normalize('NFC');
  onReplaced(slug);
  return slugify(slug) || slugify(title);
}

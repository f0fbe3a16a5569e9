import type { Category, LanguageTag } from '../foundation/model.ts';
import { problem } from '../foundation/problems.ts';
import { expandPattern, fileAddress } from './page-url.ts';
import type { CategoryPage, PlannedArticle } from './plan.ts';
import { chooseSlug, claimPath, type PlanContext, type UrlPatterns } from './plan-articles.ts';

/** Category pages by category id and language. */
export type CategoryPages = ReadonlyMap<string, ReadonlyMap<LanguageTag, CategoryPage>>;

/**
 * Gives every category that leads to an article its pages: one per language that has an article there or below, or
 * into which the category is translated. Categories without any article get none and are reported.
 */
export function planCategories(
  categories: readonly Category[],
  articles: ReadonlyMap<string, PlannedArticle>,
  patterns: UrlPatterns,
  context: PlanContext,
): CategoryPages {
  const languagesWithArticles = collectLanguages(categories, articles);
  const pages = new Map<string, ReadonlyMap<LanguageTag, CategoryPage>>();
  for (const category of categories) {
    const withArticles = languagesWithArticles.get(category.id);
    if (withArticles === undefined) {
      context.problems.push(
        problem('CATEGORY_EMPTY', `category ${category.id} has no public article`, {
          categoryId: category.id,
        }),
      );
      continue;
    }
    const byLanguage = new Map<LanguageTag, CategoryPage>();
    for (const language of context.languages) {
      const isTranslated = category.translations.some((translation) => translation.language === language);
      if (isTranslated || withArticles.has(language)) {
        byLanguage.set(language, planPage(category, language, patterns, context));
      }
    }
    pages.set(category.id, byLanguage);
  }
  return pages;
}

/** Per category: the languages that have an article there or below; absent where there is no article at all. */
function collectLanguages(
  categories: readonly Category[],
  articles: ReadonlyMap<string, PlannedArticle>,
): ReadonlyMap<string, ReadonlySet<LanguageTag>> {
  const languages = new Map<string, Set<LanguageTag>>();
  const add = (categoryId: string, tags: Iterable<LanguageTag>): void => {
    const known = languages.get(categoryId) ?? new Set();
    for (const tag of tags) known.add(tag);
    languages.set(categoryId, known);
  };
  for (const article of articles.values()) {
    if (article.categoryId !== null) add(article.categoryId, article.pages.keys());
  }
  // Parents come before children, so walking backwards hands every child's languages up once.
  for (const category of categories.toReversed()) {
    const own = languages.get(category.id);
    if (own !== undefined && category.parentId !== null) add(category.parentId, own);
  }
  return languages;
}

function planPage(
  category: Category,
  language: LanguageTag,
  patterns: UrlPatterns,
  context: PlanContext,
): CategoryPage {
  const own = category.translations.find((translation) => translation.language === language);
  const record =
    category.translations.find((translation) => translation.language === context.defaultLanguage) ??
    category.translations[0];
  const shown = own ?? record;
  const title = shown?.title ?? category.id;
  const slug = chooseSlug([own?.slug ?? null, record?.slug ?? null], title, (given) =>
    context.problems.push(
      problem('SLUG_REPLACED', `the slug ${JSON.stringify(given.slice(0, 80))} is not safe in a path`, {
        categoryId: category.id,
        language,
      }),
    ),
  );
  const pattern = language === context.defaultLanguage ? patterns.defaultPattern : patterns.pattern;
  const wanted = expandPattern(pattern, { lang: language, id: category.id, slug });
  const path = claimPath('category', category.id, language, wanted, context);
  return {
    kind: 'category',
    categoryId: category.id,
    language,
    title,
    titleLanguage: shown?.language ?? context.defaultLanguage,
    description: shown?.description ?? null,
    ...fileAddress(context.root, path),
  };
}

import { getOrMake } from '../../core/group-by.ts';
import type { Article, Category, LanguageTag } from '../../core/model.ts';
import { problem } from '../../core/problems.ts';
import { fileAddress } from './page-url.ts';
import type { CategoryNode, CategoryPage, PlannedArticle, PlannedLanguage } from './plan.ts';
import { type IsShownIn, type PlanContext, planPath, type UrlPattern } from './plan-articles.ts';

/** Category pages by category id and language. */
type CategoryPages = ReadonlyMap<string, ReadonlyMap<LanguageTag, CategoryPage>>;

/**
 * Gives every category with articles its pages: one per language that has an article in it or in a subcategory, or into which the category
 * is translated if lists of the language show an article of it. Categories without articles get no page and are reported.
 */
export function planCategories(
  categories: readonly Category[],
  articles: ReadonlyMap<string, PlannedArticle>,
  isShownIn: IsShownIn,
  pattern: UrlPattern,
  context: PlanContext,
): CategoryPages {
  const languagesWithArticles = collectLanguages(categories, articles, ({ pages }) => pages.keys());
  const languagesWithLinks = collectLanguages(categories, articles, (article) =>
    [...context.languages].filter((language) => isShownIn(article, language)),
  );
  const pages = new Map<string, ReadonlyMap<LanguageTag, CategoryPage>>();
  for (const category of categories) {
    const withArticles = languagesWithArticles.get(category.id);
    if (withArticles === undefined) {
      const message = `category ${category.id} has no public article`;
      context.problems.push(problem('CATEGORY_EMPTY', message, { categoryId: category.id }));
      continue;
    }
    const byLanguage = new Map<LanguageTag, CategoryPage>();
    for (const language of context.languages) {
      const isTranslated = category.translations.some((translation) => translation.language === language);
      const hasLinks = languagesWithLinks.get(category.id)?.has(language) === true;
      if ((isTranslated && hasLinks) || withArticles.has(language)) {
        byLanguage.set(language, planPage(category, language, pattern, context));
      }
    }
    pages.set(category.id, byLanguage);
  }
  return pages;
}

/** Per category: the languages of an article in it or in a subcategory; no entry without articles. */
function collectLanguages(
  categories: readonly Category[],
  articles: ReadonlyMap<string, PlannedArticle>,
  languagesOf: (article: PlannedArticle) => Iterable<LanguageTag>,
): ReadonlyMap<string, ReadonlySet<LanguageTag>> {
  const languages = new Map<string, Set<LanguageTag>>();
  const add = (categoryId: string, tags: Iterable<LanguageTag>): void => {
    const known = getOrMake(languages, categoryId, () => new Set());
    for (const tag of tags) known.add(tag);
  };
  for (const article of articles.values()) {
    if (article.categoryId !== null) add(article.categoryId, languagesOf(article));
  }
  // Parents come before children, so a backward pass adds every child's languages to its parent once.
  for (const category of categories.toReversed()) {
    const own = languages.get(category.id);
    if (own !== undefined && category.parentId !== null) add(category.parentId, own);
  }
  return languages;
}

function planPage(
  category: Category,
  language: LanguageTag,
  pattern: UrlPattern,
  context: PlanContext,
): CategoryPage {
  const own = category.translations.find((translation) => translation.language === language);
  const record =
    category.translations.find((translation) => translation.language === context.defaultLanguage) ??
    category.translations[0];
  const shown = own ?? record;
  const title = shown?.title ?? category.id;
  const common = {
    language,
    title,
    titleLanguage: shown?.language ?? context.defaultLanguage,
    description: shown?.description ?? null,
  };
  // A site that exists already has no pages of our categories, and its feed has no URLs of them.
  if (context.existingFile !== null) return { ...common, ...fileAddress(context.root, 'index.html') };
  const slugs = [own?.slug ?? null, record?.slug ?? null];
  const sitePath = categoryPaths(language, category, context.defaultLanguage)[0] ?? null;
  const values = { lang: language, id: category.id, path: sitePath };
  return { ...common, ...fileAddress(context.root, planPath(pattern, values, slugs, title, context)) };
}

/**
 * The path of a category on the site of its generator, and its aliases, in a language: generators put the language before the path in the
 * default language.
 */
export function categoryPaths(
  language: LanguageTag,
  { path, aliases = [] }: Category,
  defaultLanguage: LanguageTag,
): readonly string[] {
  const all = path === undefined ? [] : [path, ...aliases];
  return language === defaultLanguage ? all : all.map((one) => `${language}/${one}`);
}

/** Navigation of one language, in display order. */
type LanguageNavigation = Pick<
  PlannedLanguage,
  'categories' | 'categoryById' | 'unassignedIds' | 'untranslatedUnassignedIds'
>;

interface Shelf {
  readonly here: readonly string[];
  readonly untranslated: readonly string[];
}

/** Builds one language's category forest with its articles. Iterative, so that a tree of depth 500 does not overflow the stack. */
export function planNavigation(
  language: LanguageTag,
  popularIds: readonly string[],
  articles: readonly Article[],
  planned: ReadonlyMap<string, PlannedArticle>,
  isShownIn: IsShownIn,
  categories: readonly Category[],
  categoryPages: CategoryPages,
): LanguageNavigation {
  const shown = articles.flatMap((article) => {
    const plan = planned.get(article.id);
    return plan !== undefined && article.isListed && isShownIn(plan, language) ? [{ article, plan }] : [];
  });
  const shelves = shelveArticles(language, popularIds, shown, categoryPages);
  const nodes = new Map<string, CategoryNode & { children: CategoryNode[]; articleCount: number }>();
  const top: CategoryNode[] = [];
  const used = withAncestors(categories, shelves);
  for (const category of categories) {
    const pages = categoryPages.get(category.id);
    const page = pages?.get(language) ?? pages?.values().next().value;
    if (page === undefined || !(used.has(category.id) || page.language === language)) continue;
    const shelf = shelves.get(category.id);
    const parent = category.parentId === null ? undefined : nodes.get(category.parentId);
    const node = {
      id: category.id,
      parentId: parent === undefined ? null : category.parentId,
      icon: category.icon,
      page,
      children: [],
      articleIds: shelf?.here ?? [],
      untranslatedIds: shelf?.untranslated ?? [],
      articleCount: (shelf?.here.length ?? 0) + (shelf?.untranslated.length ?? 0),
    };
    nodes.set(category.id, node);
    (parent?.children ?? top).push(node);
  }
  for (const node of [...nodes.values()].reverse()) {
    const parent = node.parentId === null ? undefined : nodes.get(node.parentId);
    if (parent !== undefined) parent.articleCount += node.articleCount;
  }
  const unassigned = shelves.get(null);
  return {
    categories: top,
    categoryById: nodes,
    unassignedIds: unassigned?.here ?? [],
    untranslatedUnassignedIds: unassigned?.untranslated ?? [],
  };
}

/** The ids of categories with articles, and of those above. @param categories parents before children */
function withAncestors(
  categories: readonly Category[],
  shelves: ReadonlyMap<string | null, Shelf>,
): ReadonlySet<string | null> {
  const used = new Set(shelves.keys());
  for (const { id, parentId } of categories.toReversed()) if (used.has(id)) used.add(parentId);
  return used;
}

/** The position of an article on a shelf. */
interface ShelvedArticle {
  readonly id: string;
  readonly sortOrder: number;
  /** Position among the most viewed articles. */
  readonly rank: number;
  readonly createdAt: string;
  readonly title: string;
  readonly isTranslated: boolean;
}

/** Later than every date, for articles without one. */
const noDate = '9';

/**
 * Articles by category id (`null`: no category), each list in the order of the source. Of articles without one, those that readers open most come
 * first, and the others follow in the order in which they were written, or of their titles if they have no date. Only the few articles count that the
 * site shows as popular: a list that changes every day cannot be learned, and would render pages again.
 */
function shelveArticles(
  language: LanguageTag,
  popularIds: readonly string[],
  articles: readonly { readonly article: Article; readonly plan: PlannedArticle }[],
  categoryPages: CategoryPages,
): ReadonlyMap<string | null, Shelf> {
  const rows = new Map<string | null, ShelvedArticle[]>();
  const ranks = new Map(popularIds.map((id, rank) => [id, rank]));
  for (const { article, plan } of articles) {
    const { id, categoryId: own, sortOrder } = article;
    const page = plan.pages.get(language);
    const title = (page ?? plan.pages.get(plan.sourceLanguage))?.title ?? id;
    const categoryId = own !== null && categoryPages.has(own) ? own : null;
    getOrMake(rows, categoryId, () => []).push({
      id,
      sortOrder: sortOrder ?? Number.MAX_SAFE_INTEGER,
      rank: ranks.get(id) ?? popularIds.length,
      createdAt: article.createdAt ?? noDate,
      title,
      isTranslated: page !== undefined,
    });
  }
  const collator = new Intl.Collator(language, { numeric: true });
  const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
  const compare = (a: ShelvedArticle, b: ShelvedArticle): number =>
    a.sortOrder - b.sortOrder ||
    a.rank - b.rank ||
    compareText(a.createdAt, b.createdAt) ||
    collator.compare(a.title, b.title) ||
    compareText(a.id, b.id);
  const shelves = new Map<string | null, Shelf>();
  for (const [categoryId, ofCategory] of rows) {
    const sorted = ofCategory.sort(compare);
    shelves.set(categoryId, {
      here: sorted.filter((row) => row.isTranslated).map(({ id }) => id),
      untranslated: sorted.filter((row) => !row.isTranslated).map(({ id }) => id),
    });
  }
  return shelves;
}

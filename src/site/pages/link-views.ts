import type { LanguageTag } from '../../core/model.ts';
import {
  type ArticlePage,
  articleOf,
  type CategoryNode,
  categoryTrail,
  type PlannedArticle,
  pageOf,
} from '../plan/plan.ts';
import { iconOf } from './category-icons.ts';
import type { LanguageContext, SiteContext } from './context.ts';
import type { ArticleLinkView, CategoryView, LinkView } from './views.ts';

/** A link to an article in the reader's language, else to its replacement, marked with its language. */
export function articleLink(
  site: SiteContext,
  language: LanguageContext,
  articleId: string,
): ArticleLinkView {
  const article = articleOf(site.plan, articleId);
  const fallback = language.fallbackFor(article);
  const page = fallback?.shown ?? pageOf(article, language.planned.tag);
  return {
    id: articleId,
    href: (fallback?.target ?? page).href,
    title: page.listTitle,
    description: ownDescription(site, page),
    lang: fallback === null ? null : page.language,
    languageName:
      fallback === null ? null : (site.plan.languageByTag.get(page.language)?.name ?? page.language),
    category: language.repeatedTitles.has(page.listTitle)
      ? distinctCategory(language, article, page.listTitle)
      : null,
  };
}

/** The title of the nearest category that differs from the article's; `null` if there is none. */
export function distinctCategory(
  { planned }: LanguageContext,
  { categoryId }: Pick<PlannedArticle, 'categoryId'>,
  title: string,
): string | null {
  return categoryTrail(planned, categoryId).findLast(({ page }) => page.title !== title)?.page.title ?? null;
}

/** The description of a page; `null` if it has none, or the same as several other articles of its language. */
export function ownDescription(
  { languages }: SiteContext,
  { language, description }: Pick<ArticlePage, 'language' | 'description'>,
): string | null {
  const repeated = languages.get(language)?.repeatedDescriptions;
  return description === null || repeated?.has(description) === true ? null : description;
}

/** The direct articles of a category in display order; those in other languages come last. */
export function ownArticles({ articleIds, untranslatedIds }: CategoryNode): readonly string[] {
  return [...articleIds, ...untranslatedIds];
}

/** How much of a category's tree a view contains. */
interface CategoryDepth {
  /** Levels of child categories. */
  readonly levels: number;
  /** Articles listed per category; its own page lists all. */
  readonly articles: number;
  /** The same for subcategories; absent: the same number. */
  readonly below?: number;
}

/** A category with its articles and children, to the requested depth. */
export function categoryView(
  site: SiteContext,
  language: LanguageContext,
  node: CategoryNode,
  depth: CategoryDepth,
): CategoryView {
  const { page } = node;
  const icon = node.icon?.trim() ?? '';
  const { levels, articles, below = articles } = depth;
  const own = ownArticles(node);
  return {
    id: node.id,
    href: page.href,
    title: page.title,
    lang: foreign(page.titleLanguage, language),
    description: page.description,
    icon: iconOf(icon, page.title),
    symbol: emojiOf(icon),
    articleCount: node.articleCount,
    ownCount: own.length,
    articles: own.slice(0, articles).map((id) => articleLink(site, language, id)),
    children:
      levels === 0
        ? []
        : node.children.map((child) =>
            categoryView(site, language, child, { levels: levels - 1, articles: below }),
          ),
  };
}

/** Articles of a category on the home page. */
const teaserCount = 4;

/** The cards of the home page: the top-level categories with their children and first articles. */
export function topicViews(site: SiteContext, language: LanguageContext): readonly CategoryView[] {
  return language.planned.categories.map((node) =>
    categoryView(site, language, node, { levels: 1, articles: teaserCount, below: 0 }),
  );
}

/** The top-level categories, without children. */
export function topCategories(site: SiteContext, language: LanguageContext): readonly CategoryView[] {
  return language.planned.categories.map((node) =>
    categoryView(site, language, node, { levels: 0, articles: 0 }),
  );
}

/** Home and the ancestors of a category, outermost first, including the category; `null`: home alone. */
export function breadcrumbs(language: LanguageContext, categoryId: string | null): readonly LinkView[] {
  const trail = categoryTrail(language.planned, categoryId).map(
    ({ page: { href, title, titleLanguage } }) => {
      return { href, title, lang: foreign(titleLanguage, language) };
    },
  );
  return [{ href: language.view.home, title: language.texts.text('home'), lang: null }, ...trail];
}

function foreign(tag: LanguageTag, language: LanguageContext): LanguageTag | null {
  return tag === language.planned.tag ? null : tag;
}

/** The icon if it is an emoji, else `null`. */
function emojiOf(icon: string): string | null {
  return /^\p{Extended_Pictographic}/u.test(icon) && icon.length <= 12 ? icon : null;
}

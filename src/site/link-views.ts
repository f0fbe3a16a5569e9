import type { LanguageTag } from '../foundation/model.ts';
import type { CategoryNode } from '../plan/plan.ts';
import { guessIcon } from './guess-icon.ts';
import type { LanguageContext, SiteBase } from './site-base.ts';
import type { ArticleLinkView, CategoryView, LinkView } from './views.ts';

/** A link to an article in the reader's language, else to its replacement (marked with its language). */
export function articleLink(site: SiteBase, language: LanguageContext, articleId: string): ArticleLinkView {
  const article = site.plan.articles.get(articleId);
  if (article === undefined) throw new Error(`the plan has no article "${articleId}"`);
  const fallback = language.fallbackFor(article);
  const page = fallback?.shown ?? article.pages.get(language.planned.tag);
  if (page === undefined) throw new Error(`article "${articleId}" has no page`);
  return {
    id: articleId,
    href: (fallback?.target ?? page).href,
    title: page.title,
    description: page.description,
    lang: fallback === null ? null : page.language,
    languageName:
      fallback === null ? null : (site.plan.languageByTag.get(page.language)?.name ?? page.language),
  };
}

/** How much of a category's tree a view holds. */
export interface CategoryDepth {
  /** Levels of child categories. */
  readonly levels: number;
  /** Articles listed per category; the rest is behind its link. */
  readonly articles: number;
  /** The same for the categories below; absent: as many. */
  readonly below?: number;
}

/** A category with its articles and children as far down as asked. */
export function categoryView(
  site: SiteBase,
  language: LanguageContext,
  node: CategoryNode,
  depth: CategoryDepth,
): CategoryView {
  const { page } = node;
  const icon = node.icon?.trim() ?? '';
  const own = [...node.articleIds, ...node.untranslatedIds];
  const { levels, articles, below = articles } = depth;
  return {
    id: node.id,
    href: page.href,
    title: page.title,
    lang: foreign(page.titleLanguage, language),
    description: page.description,
    icon: icon === '' ? guessIcon(page.title) : icon,
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

/** Home and the categories above (and with) a category, outermost first. */
export function breadcrumbs(language: LanguageContext, categoryId: string | null): readonly LinkView[] {
  const trail: LinkView[] = [];
  let node = categoryId === null ? undefined : language.planned.categoryById.get(categoryId);
  while (node !== undefined) {
    trail.unshift({
      href: node.page.href,
      title: node.page.title,
      lang: foreign(node.page.titleLanguage, language),
    });
    node = node.parentId === null ? undefined : language.planned.categoryById.get(node.parentId);
  }
  return [{ href: language.view.home, title: language.texts.text('home'), lang: null }, ...trail];
}

function foreign(tag: LanguageTag, language: LanguageContext): LanguageTag | null {
  return tag === language.planned.tag ? null : tag;
}

/** An emoji given as icon, else `null`. */
function emojiOf(icon: string): string | null {
  return /^\p{Extended_Pictographic}/u.test(icon) && icon.length <= 12 ? icon : null;
}

import { popularCount } from '../../core/model.ts';
import { fileAddress, homeAddress } from '../plan/page-url.ts';
import type { PageAddress } from '../plan/plan.ts';
import type { RenderedFile } from './assets.ts';
import { baseView, renderView } from './base-view.ts';
import { haveIcons } from './category-icons.ts';
import type { LanguageContext, SiteContext } from './context.ts';
import { articleLink, breadcrumbs, categoryView, distinctCategory, topicViews } from './link-views.ts';
import { summarize } from './render-head.ts';
import { groupByLetter, maxPlainList } from './render-index.ts';
import { sideTree, unassignedArticles } from './side-tree.ts';
import type { CategoryView } from './views.ts';

/** Articles edited last, on a home page. */
export const recentCount = 6;
/** Articles without a category on the home page; the index lists all. */
const unassignedCount = 24;
/** Articles of each subcategory on a category page; its own page lists all. */
const sectionCount = 10;

/**
 * The home page of a language. A site with one language has it at its root, too, where most links lead; search engines index that one.
 * @param page absent: the home page in the folder of the language
 */
export function renderHome(
  context: SiteContext,
  language: LanguageContext,
  page: PageAddress = language.planned.home,
): RenderedFile {
  const { plan } = context;
  const { planned, texts } = language;
  const link = (id: string) => articleLink(context, language, id);
  const unassigned = unassignedArticles(planned);
  const categories = topicViews(context, language);
  const homes = plan.languages.map(({ tag, home }) => [tag, home] as const);
  return renderView(language, {
    ...baseView(context, language, {
      page,
      canonical: homeAddress(plan, planned),
      title: null,
      description: texts.text('homeLead'),
      // A home page that an author wrote is another page, and names only its own translations.
      translations: new Map(homes.filter(([, { articleId }]) => articleId === null)),
      fallbackPages: new Map(homes),
      defaultPage: fileAddress(plan, 'index.html'),
      schema: {
        kind: 'WebPage',
        breadcrumbs: [],
        description: texts.text('homeLead'),
        items: categories,
      },
      // The cards of the home page say the same.
      ...(context.settings.look === 'docs' ? { tree: sideTree(context, language, null) } : {}),
    }),
    kind: 'home',
    categories,
    hasIcons: haveIcons(categories),
    featured: planned.articleIds
      .filter((id) => plan.articles.get(id)?.isFeatured === true)
      .slice(0, popularCount)
      .map(link),
    popular: planned.popularIds.map(link),
    recent: language.recent.slice(0, recentCount).map(({ id, updatedAt }) => ({
      ...link(id),
      updatedAt,
    })),
    unassigned: unassigned.slice(0, unassignedCount).map(link),
    hasMoreUnassigned: unassigned.length > unassignedCount,
  });
}

/** The page of a category; `null` if the category has no page in this language. */
export function renderCategory(
  context: SiteContext,
  language: LanguageContext,
  categoryId: string,
): RenderedFile | null {
  const node = language.planned.categoryById.get(categoryId);
  if (node === undefined || node.page.language !== language.planned.tag) return null;
  const { page } = node;
  const pages = [...(context.plan.categoryPages.get(categoryId) ?? [])];
  const translated = new Map(pages.filter(([tag, { titleLanguage }]) => tag === titleLanguage));
  const trail = breadcrumbs(language, node.parentId);
  const category = categoryView(context, language, node, {
    levels: 2,
    articles: Number.POSITIVE_INFINITY,
    below: sectionCount,
  });
  return renderView(language, {
    ...baseView(context, language, {
      page,
      title: page.title,
      titleLanguage: page.titleLanguage,
      category: language.repeatedTitles.has(page.title)
        ? (distinctCategory(language, { categoryId }, page.title) ?? language.texts.text('articles'))
        : null,
      description: page.description ?? (summarize(titlesWithin(category).join(' · ')) || null),
      translations: page.titleLanguage === page.language ? translated : new Map(),
      fallbackPages: new Map(pages),
      defaultPage: translated.get(context.plan.defaultLanguage) ?? null,
      schema: {
        kind: 'CollectionPage',
        breadcrumbs: trail,
        description: page.description,
        items: [...category.articles, ...category.children],
      },
      tree: sideTree(context, language, categoryId),
    }),
    kind: 'category',
    breadcrumbs: trail,
    category,
    letters: category.articles.length > maxPlainList ? groupByLetter(language, category.articles) : [],
  });
}

/**
 * Fallback for a missing meta description of a category: titles of its articles, then of subcategories and their articles. Titles in other
 * languages are used only if there are no others.
 */
function titlesWithin({ articles, children }: CategoryView): readonly string[] {
  const links = [...articles, ...children.flatMap((child) => [child, ...child.articles])];
  const own = links.filter(({ lang }) => lang === null);
  return (own.length > 0 ? own : links).map(({ title }) => title);
}

/** The page shown for an unknown URL; `page` is its own URL. */
export function renderNotFound(
  context: SiteContext,
  language: LanguageContext,
  page: PageAddress,
): RenderedFile {
  return renderView(language, {
    ...baseView(context, language, {
      page,
      title: language.texts.text('notFound'),
      description: language.texts.text('notFoundLead'),
      isIndexed: false,
      tree: sideTree(context, language, null),
    }),
    kind: 'not-found',
  });
}

/** Pages that redirect readers to another language (mode `redirect` of `site.fallback`). */
export function* renderRedirects(context: SiteContext, language: LanguageContext): Generator<RenderedFile> {
  for (const article of context.plan.articles.values()) {
    const fallback = language.fallbackFor(article);
    if (fallback?.mode !== 'redirect' || fallback.own === null) continue;
    const { shown, own } = fallback;
    yield renderView(language, {
      ...baseView(context, language, {
        page: own,
        canonical: shown,
        title: shown.title,
        titleLanguage: shown.language,
        description: null,
        isIndexed: false,
        translations: article.pages,
      }),
      kind: 'redirect',
      target: { href: shown.href, title: shown.title, lang: shown.language },
    });
  }
}

/** `index.html` at the root of a site with several languages: it lists them, and a script redirects to the first one that the browser prefers. */
export function renderRoot(context: SiteContext, language: LanguageContext): RenderedFile {
  const { plan } = context;
  const page = fileAddress(plan, 'index.html');
  return renderView(language, {
    ...baseView(context, language, {
      page,
      title: null,
      description: language.texts.text('homeLead'),
      translations: new Map(plan.languages.map(({ tag, home }) => [tag, home])),
      defaultPage: page,
    }),
    kind: 'root',
  });
}

import { hash } from 'node:crypto';
import { getOrMake } from '../../core/group-by.ts';
import { type CategoryNode, categoryTrail, type PlannedLanguage } from '../plan/plan.ts';
import { commonView } from './common-view.ts';
import type { LanguageContext, SiteContext } from './context.ts';
import { articleLink, categoryView, ownArticles } from './link-views.ts';
import type { TreeNodeView } from './views.ts';

/** A tree without a mark for the current page, rendered once for many pages. */
export interface SharedTree {
  /** Empty on the home page of the look `help`, and on pages that have no place in the navigation. */
  readonly html: string;
  /** SHA-256 of the HTML, hex: used in hashes instead of several kilobytes per page. */
  readonly sha256: string;
  /** Ids of the articles that it lists. */
  readonly articles: readonly string[];
}

/**
 * In a larger tree, a category lists this many articles around the page's own. The category page lists the others, so that pages do not
 * grow with the site.
 */
const maxTreeArticles = 24;

/**
 * If a language has at most this many categories and articles, every tree has all of them. Otherwise trees have at most this many
 * categories, so that a new article changes few pages and pages do not grow with the site.
 */
const maxWholeTree = 80;

/** Maximum number of cached trees (some kilobytes each). Pages come sorted by id, not by category. */
const maxCached = 2000;

/** Rendered trees of each site: the same object for all pages that show it, so that it is copied to a thread once per batch. */
const caches = new WeakMap<SiteContext, Map<string, SharedTree>>();

export const noTree: SharedTree = { html: '', sha256: '', articles: [] };

/**
 * The navigation beside a page. In the look `docs`, it is the tree of all categories, expanded along the path to the page. In the look `help`, an
 * article has its own category with its articles, and all other pages have the categories. An article without a category, such as the page of a folder
 * that is its home page, has the categories and those without one.
 * @param categoryId `null` on pages outside any category
 * @param articleId the article of the page, if any
 */
export function sideTree(
  site: SiteContext,
  language: LanguageContext,
  categoryId: string | null,
  articleId?: string,
): SharedTree {
  const { planned } = language;
  const isSection = site.settings.look === 'help' && articleId !== undefined;
  const skipped = skippedBefore(site, language, articleId);
  const cache = getOrMake(caches, site, () => new Map());
  const own = categoryId === null ? undefined : planned.categoryById.get(categoryId);
  const isApart = articleId !== undefined && own === undefined;
  const key = `${planned.tag} ${isSection} ${isApart} ${categoryId ?? ''} ${skipped}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  if (cache.size >= maxCached) cache.clear();
  const path = new Set(categoryTrail(planned, categoryId).map(({ id }) => id));
  const place = { path, categoryId, skipped };
  const depth = treeDepth(site, planned, isSection);
  const nodes = isSection && own !== undefined ? [own] : planned.categories;
  const categories = nodes.map((node) => treeNode(site, language, node, place, depth));
  const shown = isApart ? [...categories, ...unassignedNode(site, language, skipped)] : categories;
  const html = language.render('partials/tree', {
    ...commonView(language),
    kind: 'shared',
    categories: shown,
  });
  const made = { html, sha256: hash('sha256', html), articles: shown.flatMap(listedArticles) };
  cache.set(key, made);
  return made;
}

function listedArticles({ articles, children }: TreeNodeView): readonly string[] {
  return [...articles.map(({ id }) => id), ...children.flatMap(listedArticles)];
}

/** The articles without a category as if they were in one; empty if there are none. */
function unassignedNode(
  site: SiteContext,
  language: LanguageContext,
  skipped: number,
): readonly TreeNodeView[] {
  const { categories } = language.planned;
  const own = unassignedArticles(language.planned);
  if (own.length === 0) return [];
  return [
    {
      id: '',
      href: language.view.index,
      title: language.texts.text(categories.length > 0 ? 'unassigned' : 'articles'),
      ...{ lang: null, description: null, icon: null, symbol: null },
      articleCount: own.length,
      ownCount: own.length,
      articles: own.slice(skipped, skipped + maxTreeArticles).map((id) => articleLink(site, language, id)),
      children: [],
      isOpen: true,
    },
  ];
}

/** The articles of a language without a category: those in the language first. */
export function unassignedArticles({
  unassignedIds,
  untranslatedUnassignedIds,
}: PlannedLanguage): readonly string[] {
  return [...unassignedIds, ...untranslatedUnassignedIds];
}

/** Number of articles of the category that are too far before the page's article to be listed. */
function skippedBefore(
  site: SiteContext,
  { planned }: LanguageContext,
  articleId: string | undefined,
): number {
  if (articleId === undefined || treeDepth(site, planned, true) === 'articles') return 0;
  const position = shelfPosition(planned, articleId);
  return position - (position % maxTreeArticles);
}

/** Positions of all articles in their categories. */
const positions = new WeakMap<PlannedLanguage, ReadonlyMap<string, number>>();

/** The position of an article in its category, or among those without one; 0 if no list shows it. */
export function shelfPosition(planned: PlannedLanguage, articleId: string): number {
  const known = getOrMake(positions, planned, () => {
    const shelves = [...[...planned.categoryById.values()].map(ownArticles), unassignedArticles(planned)];
    return new Map(shelves.flatMap((ids) => ids.map((id, position) => [id, position])));
  });
  return known.get(articleId) ?? 0;
}

/** What a tree shows of categories off the path; `none`: also on the path, there are no articles. */
type TreeDepth = 'none' | 'titles' | 'categories' | 'articles';

function treeDepth(
  { settings: { look } }: SiteContext,
  { categoryById, articleIds }: PlannedLanguage,
  isSection: boolean,
): TreeDepth {
  if (look === 'help') return isSection ? 'titles' : 'none';
  if (categoryById.size > maxWholeTree) return 'titles';
  return categoryById.size + articleIds.length > maxWholeTree ? 'categories' : 'articles';
}

/** Position of a page in the tree. */
interface TreePlace {
  /** Ids of its category and the ancestors. */
  readonly path: ReadonlySet<string>;
  readonly categoryId: string | null;
  /** Articles of its category that are too far before it to be listed. */
  readonly skipped: number;
}

/** A category; with articles and children if it is on the path. */
function treeNode(
  site: SiteContext,
  language: LanguageContext,
  node: CategoryNode,
  place: TreePlace,
  depth: TreeDepth,
): TreeNodeView {
  const isOpen = place.path.has(node.id);
  const limit = depth === 'articles' ? maxWholeTree : isOpen && depth !== 'none' ? maxTreeArticles : 0;
  const first = node.id === place.categoryId ? place.skipped : 0;
  const children = isOpen || depth === 'categories' || depth === 'articles' ? node.children : [];
  return {
    ...categoryView(site, language, node, { levels: 0, articles: 0 }),
    isOpen,
    articles: ownArticles(node)
      .slice(first, first + limit)
      .map((id) => articleLink(site, language, id)),
    children: children.map((child) => treeNode(site, language, child, place, depth)),
  };
}

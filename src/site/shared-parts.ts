import { hash } from 'node:crypto';
import type { LanguageTag } from '../foundation/model.ts';
import type { CategoryNode } from '../plan/plan.ts';
import { articleLink, categoryView, ownArticles } from './link-views.ts';
import { languageAttributes, type PageTree, type SharedTree } from './page-chrome.ts';
import type { LanguageContext, SiteBase } from './site-base.ts';
import type { SharedView, TreeNodeView } from './views.ts';

/** HTML that many pages share, rendered once and reused. */
export interface SharedParts {
  /** Footer: the same on every page of a language. */
  readonly footer: (language: LanguageContext) => string;
  /**
   * Side tree, expanded along the path to a category, with the link to the current page marked. Empty if the look has no tree.
   * @param categoryId `null` on pages outside any category
   * @param articleId the article of the page, if any
   */
  readonly tree: (
    language: LanguageContext,
    categoryId: string | null,
    currentHref: string,
    articleId?: string,
  ) => PageTree;
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

export function createSharedParts(site: SiteBase): SharedParts {
  const cache = new Map<string, SharedTree>();
  const once = (key: string, render: () => string): SharedTree => {
    const known = cache.get(key);
    if (known !== undefined) return known;
    if (cache.size >= maxCached) cache.clear();
    const html = render();
    const made = { html, sha256: hash('sha256', html) };
    cache.set(key, made);
    return made;
  };
  const positions = new Map<LanguageTag, ReadonlyMap<string, number>>();
  /** Number of articles of the category that are too far before the page's article to be listed. */
  const skippedBefore = (language: LanguageContext, articleId: string | undefined): number => {
    if (articleId === undefined || treeDepth(language) === 'articles') return 0;
    const { tag } = language.planned;
    const known = positions.get(tag) ?? articlePositions(language);
    positions.set(tag, known);
    const position = known.get(articleId) ?? 0;
    return position - (position % maxTreeArticles);
  };
  return {
    footer: (language) =>
      once(`footer ${language.planned.tag}`, () =>
        language.render('partials/footer', sharedView(language, [])),
      ).html,
    tree(language, categoryId, currentHref, articleId) {
      if (site.settings.look !== 'docs') return { shared: noTree, currentHref };
      const skipped = skippedBefore(language, articleId);
      const shared = once(`tree ${language.planned.tag} ${categoryId ?? ''} ${skipped}`, () => {
        const place = { path: pathTo(language, categoryId), categoryId, skipped };
        const depth = treeDepth(language);
        const categories = language.planned.categories.map((node) =>
          treeNode(site, language, node, place, depth),
        );
        return language.render('partials/tree', sharedView(language, categories));
      });
      return { shared, currentHref };
    },
  };
}

const noTree: SharedTree = { html: '', sha256: '' };

function sharedView(language: LanguageContext, categories: readonly TreeNodeView[]): SharedView {
  return {
    kind: 'shared',
    site: language.site,
    language: language.view,
    t: language.texts.text,
    date: language.texts.date,
    inLanguage: languageAttributes,
    categories,
  };
}

/** What a tree shows of categories off the path. */
type TreeDepth = 'titles' | 'categories' | 'articles';

function treeDepth({ planned: { categoryById, articleIds } }: LanguageContext): TreeDepth {
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
  site: SiteBase,
  language: LanguageContext,
  node: CategoryNode,
  place: TreePlace,
  depth: TreeDepth,
): TreeNodeView {
  const isOpen = place.path.has(node.id);
  const limit = depth === 'articles' ? maxWholeTree : isOpen ? maxTreeArticles : 0;
  const first = node.id === place.categoryId ? place.skipped : 0;
  const children = isOpen || depth !== 'titles' ? node.children : [];
  return {
    ...categoryView(site, language, node, { levels: 0, articles: 0 }),
    isOpen,
    articles: ownArticles(node)
      .slice(first, first + limit)
      .map((id) => articleLink(site, language, id)),
    children: children.map((child) => treeNode(site, language, child, place, depth)),
  };
}

/** Positions of all articles in their categories. */
function articlePositions({ planned: { categoryById } }: LanguageContext): ReadonlyMap<string, number> {
  return new Map(
    [...categoryById.values()].flatMap((node) => ownArticles(node).map((id, position) => [id, position])),
  );
}

/** Ids of a category and its ancestors. */
function pathTo(language: LanguageContext, categoryId: string | null): ReadonlySet<string> {
  const path = new Set<string>();
  let id = categoryId;
  while (id !== null) {
    path.add(id);
    id = language.planned.categoryById.get(id)?.parentId ?? null;
  }
  return path;
}

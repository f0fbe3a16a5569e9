import { hash } from 'node:crypto';
import type { LanguageTag } from '../foundation/model.ts';
import type { CategoryNode } from '../plan/plan.ts';
import { articleLink, categoryView, ownArticles } from './link-views.ts';
import { languageAttributes, type PageTree, type SharedTree } from './page-chrome.ts';
import type { LanguageContext, SiteBase } from './site-base.ts';
import type { SharedView, TreeNodeView } from './views.ts';

/** HTML that many pages share, rendered once and reused. */
export interface SharedParts {
  /** The same on every page of a language. */
  readonly footer: (language: LanguageContext) => string;
  /**
   * Side tree, open along the way to a category, with the link to the current page marked. Empty in looks without a tree.
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
 * A larger tree has so many articles of a category: those around the page's own. The category's page has the others, so
 * that no page grows with the site.
 */
const maxTreeArticles = 24;

/**
 * A language with so many categories and articles has all of them in every tree. Above that, only as many categories: a
 * new article then changes few pages, and a page's weight does not grow with the site.
 */
const maxWholeTree = 80;

/** Trees in memory at a time (some kilobytes each); pages come sorted by id, not by category. */
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
  /** Articles of its category that are not in the tree of an article because they come too long before it. */
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

/** How much a tree shows of categories off the path. */
type TreeDepth = 'titles' | 'categories' | 'articles';

function treeDepth({ planned: { categoryById, articleIds } }: LanguageContext): TreeDepth {
  if (categoryById.size > maxWholeTree) return 'titles';
  return categoryById.size + articleIds.length > maxWholeTree ? 'categories' : 'articles';
}

/** Where in the tree a page is. */
interface Place {
  /** Ids of its category and those above. */
  readonly path: ReadonlySet<string>;
  readonly categoryId: string | null;
  /** Articles of its category that come too long before it to be listed. */
  readonly skipped: number;
}

/** A category, with articles and children where it is on the path. */
function treeNode(
  site: SiteBase,
  language: LanguageContext,
  node: CategoryNode,
  place: Place,
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

/** Ids of a category and those above it. */
function pathTo(language: LanguageContext, categoryId: string | null): ReadonlySet<string> {
  const path = new Set<string>();
  let id = categoryId;
  while (id !== null) {
    path.add(id);
    id = language.planned.categoryById.get(id)?.parentId ?? null;
  }
  return path;
}

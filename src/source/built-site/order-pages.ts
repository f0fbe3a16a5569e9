import type { SitePage } from './read-page.ts';
import type { SiteRoutes } from './site-routes.ts';

/**
 * The order of articles in the navigations of their site. A navigation that shows only a part of the pages continues where it has a page in common with another one.
 * @param idOf the article of a page
 * @returns positions by article id
 */
export function orderByNavigation(
  pages: readonly SitePage[],
  routes: SiteRoutes,
  idOf: (page: SitePage) => string | undefined,
): ReadonlyMap<string, number> {
  const lists = pages
    .flatMap((page) => (page.navigation?.urls ? [{ page, urls: page.navigation.urls }] : []))
    .sort((a, b) => b.urls.length - a.urls.length || (a.page.file < b.page.file ? -1 : 1));
  const start = '';
  const next = new Map<string, string>();
  const known = new Set([start]);
  let last = start;
  for (const { page, urls } of lists) {
    let before = last;
    for (const url of urls) {
      const target = routes.pageAt(page, url);
      const id = target === null ? undefined : idOf(target);
      if (id === undefined) continue;
      if (!known.has(id)) {
        const after = next.get(before);
        next.set(before, id);
        if (after === undefined) last = id;
        else next.set(id, after);
        known.add(id);
      }
      before = id;
    }
  }
  const positions = new Map<string, number>();
  for (let id = next.get(start); id !== undefined; id = next.get(id)) positions.set(id, positions.size);
  return positions;
}

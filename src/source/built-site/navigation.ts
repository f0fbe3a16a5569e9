import { hash } from 'node:crypto';
import { attribute, type SourceNode } from '../../content/parse/source-tree.ts';
import { selector } from './select.ts';
import type { SiteTheme } from './themes.ts';

/** The list of links by which readers move through a site. */
export interface Navigation {
  /** The same for pages with the same list. */
  readonly key: string;
  /** URLs as in the page, in order; `null` if another page has the same list. */
  readonly urls: readonly string[] | null;
}

/** Fewer links are no navigation of a site. */
const minLinks = 2;

/** The navigation of a page; of an unknown theme, the list with most links. `null` if there is none. */
export function readNavigation(root: SourceNode, theme: SiteTheme | null, file: string): Navigation | null {
  const lists = selector(theme?.navigation ?? 'nav, aside, [role=navigation]')
    .all(root)
    .map((node) => selector('a[href]').all(node));
  const [most = []] = lists.sort((a, b) => b.length - a.length);
  if (most.length < minLinks) return null;
  const urls = most.map((node) => attribute(node, 'href') ?? '');
  // A relative URL leads elsewhere from another folder.
  const isRelative = urls.some((url) => !/^(?:\/|#|[a-z][a-z0-9+.-]*:)/i.test(url));
  const folder = isRelative ? file.slice(0, file.lastIndexOf('/') + 1) : '';
  return { key: hash('sha256', [folder, ...urls].join('\n')).slice(0, 16), urls };
}

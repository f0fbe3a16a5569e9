import { hash } from 'node:crypto';
import { after, visitSource } from '../../content/parse/edit-tree.ts';
import { attribute, type SourceNode } from '../../content/parse/source-tree.ts';
import { selector } from './select.ts';
import { everyTheme, type SiteTheme } from './themes.ts';

/** The list of links by which readers move through a site. */
export interface Navigation {
  /** The same for pages with the same list. */
  readonly key: string;
  /** URLs as in the page, in order; `null` if another page has the same list. */
  readonly urls: readonly string[] | null;
  /** Lists in it that have a title, outer ones first. */
  readonly groups: readonly NavigationGroup[];
}

/** A list of links with a title. */
interface NavigationGroup {
  readonly title: string;
  /** Where the title leads; `null` if it is no link. */
  readonly url: string | null;
  /** Its links are `urls.slice(start, end)`. */
  readonly start: number;
  readonly end: number;
}

/** Fewer links are no navigation of a site. */
const minLinks = 2;

/** The navigation of a page; of an unknown theme, the list with most links. `null` if there is none. */
export function readNavigation(root: SourceNode, theme: SiteTheme | null, file: string): Navigation | null {
  const lists = selector(theme?.navigation ?? 'nav, aside, [role=navigation]')
    .all(root)
    .map((node) => readList(node, theme));
  const [most] = lists.sort((a, b) => b.urls.length - a.urls.length);
  if (most === undefined || most.urls.length < minLinks) return null;
  const { urls, groups } = most;
  // A relative URL leads elsewhere from another folder.
  const isRelative = urls.some((url) => !/^(?:\/|#|[a-z][a-z0-9+.-]*:)/i.test(url));
  const folder = isRelative ? file.slice(0, file.lastIndexOf('/') + 1) : '';
  return { key: hash('sha256', [folder, ...urls].join('\n')).slice(0, 16), urls, groups };
}

/** The links below a node, in one walk, because a page may have thousands. */
function readList(nav: SourceNode, theme: SiteTheme | null) {
  const urls: string[] = [];
  const open = new Map<SourceNode, number>();
  const groups: NavigationGroup[] = [];
  const isList = matcher(theme?.lists);
  const isPart = matcher(theme?.parts);
  const add = (title: SourceNode | null, start: number, end: number): void => {
    const named = title === null || end === start ? null : readTitle(title);
    if (named !== null) groups.push({ ...named, start, end });
  };
  /** The titles inside of a list that apply up to the next one, with the position of their first link. */
  const parts: { readonly node: SourceNode; readonly start: number }[] = [];
  const endPart = (parent: SourceNode | null): void => {
    const last = parts.at(-1);
    if (last === undefined || last.node.parent !== parent) return;
    parts.pop();
    add(last.node, last.start, urls.length);
  };
  visitSource(
    nav,
    (node) => {
      if (node.name === 'a') {
        const url = attribute(node, 'href');
        if (url !== null) urls.push(url);
      } else if (isListName(node.name) || isList(node)) open.set(node, urls.length);
      if (isPart(node)) {
        endPart(node.parent);
        parts.push({ node, start: urls.length });
      }
      return true;
    },
    (node) => {
      endPart(node);
      const start = open.get(node);
      if (start !== undefined) add(titleBefore(node, nav), start, urls.length);
    },
  );
  endPart(nav);
  // A title of all links is the name of the site, and one that leads to another host that of its sources. A title of fragments is the
  // table of contents of the page.
  const isReal = ({ url, start, end }: NavigationGroup): boolean => {
    const [host = ''] = /^https?:\/\/[^/]+/i.exec(url ?? '') ?? [];
    const pages = urls.slice(start, end).filter((one) => !one.startsWith('#'));
    const own = pages.filter((one) => one.startsWith(host));
    return end - start < urls.length && own.length > pages.length / 2;
  };
  // An outer list ends after the lists in it.
  const real = groups.filter(isReal).reverse();
  return { urls, groups: real.sort((a, b) => a.start - b.start || b.end - a.end) };
}

function matcher(own: string | undefined): (node: SourceNode) => boolean {
  if (own === undefined) return () => false;
  const matches = selector(own);
  return (node) => !node.name.startsWith('#') && node.attributes.length > 0 && matches.matches(node);
}

/** The node before a list in its item, or in the item before if the list fills its own; `null` if there is nothing. */
function titleBefore(list: SourceNode, nav: SourceNode): SourceNode | null {
  for (let at: SourceNode | null = list; at !== null && at !== nav; at = at.parent) {
    const isItem: boolean = at.name === 'li';
    for (let before = at.previous; before !== null; before = before.previous) {
      if (shownText(before) === '') continue;
      return (isItem || before.name !== 'li') &&
        selector('ul, ol').first(before) === null &&
        !isListName(before.name)
        ? before
        : null;
    }
    if (isItem) return null;
  }
  return null;
}

function isListName(name: string): boolean {
  return name === 'ul' || name === 'ol';
}

/** Longer texts are no titles. */
const maxTitleChars = 100;

const noTitle = selector(everyTheme.noTitle);

function readTitle(node: SourceNode): Pick<NavigationGroup, 'title' | 'url'> | null {
  const links = node.name === 'a' ? [node] : selector('a[href]').all(node);
  const [link] = links;
  if (links.length > 1 || noTitle.matches(node)) return null;
  const title = shownText(link ?? node);
  if (title.length > maxTitleChars || !/\p{L}/u.test(title)) return null;
  return { title, url: link === undefined ? null : attribute(link, 'href') };
}

/** Numbers and arrows that are only drawn, and words that are only read aloud. */
const notShown = selector('[aria-hidden=true], .visually-hidden, .sr-only, script, style');

function shownText(root: SourceNode): string {
  let text = root.text;
  for (let node = root.first; node !== null; ) {
    const isShown = node.name.startsWith('#') || !notShown.matches(node);
    if (isShown) text += node.text;
    node = (isShown ? node.first : null) ?? after(node, root);
  }
  return text.replace(/\s+/g, ' ').trim();
}

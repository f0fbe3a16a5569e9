import { parsePage } from '../../content/parse/parse-body.ts';
import { attribute, link, type SourceNode, unlink } from '../../content/parse/source-tree.ts';
import { isRecord, type UnknownRecord } from '../../core/unknown-record.ts';
import { lineBelow, selector, textBelow } from './select.ts';
import { element, moveChildren, simplify, wordsBelow } from './simplify.ts';
import { everyTheme, type SiteTheme, themes } from './themes.ts';
import { type LooseHtml, writeLooseHtml } from './write-html.ts';

/** Why a file of a site is no article. */
type SkipReason = 'noindex' | 'redirect' | 'not-found' | 'listing' | 'copy' | 'no-content';

/** What one file of a site says; URLs are as in the file. */
export interface SitePage {
  /** Relative to the folder. */
  readonly file: string;
  readonly skip: SkipReason | null;
  /** Why it has no text, if so. */
  readonly why: string | null;
  readonly title: string | null;
  readonly description: string | null;
  /** `lang` of `<html>`. */
  readonly language: string | null;
  readonly base: string | null;
  readonly canonical: string | null;
  /** Where a redirect leads. */
  readonly target: string | null;
  readonly alternates: readonly Alternate[];
  readonly breadcrumbs: readonly Breadcrumb[];
  readonly tags: readonly string[];
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly theme: string | null;
  /** Whether the main text was found by the rule for unknown pages: everything that is no navigation. */
  readonly isGuess: boolean;
  readonly body: LooseHtml;
}

interface Alternate {
  readonly language: string;
  readonly url: string;
}

interface Breadcrumb {
  readonly title: string;
  readonly url: string | null;
}

/** Selectors of the configuration. */
export interface SelectorSettings {
  /** The main text. */
  readonly content: string | null;
  /** What is not text of the page. */
  readonly ignore: string | null;
}

/** Reads a page. Pure. */
export function readPage(file: string, html: string, settings: SelectorSettings): SitePage {
  const root = parsePage(html);
  const theme = themes.find(({ sign }) => selector(sign).first(root) !== null) ?? null;
  const data = readJsonLd(root);
  const target = redirectTarget(root);
  const named = { file, ...readHead(root), ...readDates(root, theme, data) };
  const common = {
    ...named,
    target,
    breadcrumbs: readBreadcrumbs(root, theme, data),
    theme: theme?.name ?? null,
  };
  const skip = (reason: SkipReason, why: string | null = null): SitePage => ({
    ...common,
    skip: reason,
    why,
    title: null,
    isGuess: false,
    body: { html: '', urls: [] },
  });
  if (target !== null) return skip('redirect');
  if (isNotFound(file)) return skip('not-found');
  if (isNoindex(root)) return skip('noindex');
  if (theme?.listing !== undefined && selector(theme.listing).first(root) !== null) return skip('listing');
  const { content, isGuess } = findContent(root, theme, settings);
  const titleNode = findTitle(root, content, theme);
  const title = titleNode === null ? null : titleText(titleNode, theme);
  simplify(content, theme, settings.ignore);
  if (titleNode !== null) takeTitle(titleNode, content);
  if (isListingPath(file) && isOnlyLinks(content)) return skip('listing');
  if (wordsBelow(content) === 0 && selector('img').first(content) === null) {
    return skip('no-content', whyEmpty(root));
  }
  return {
    ...common,
    skip: null,
    why: null,
    title: title ?? headTitle(root),
    isGuess,
    body: writeLooseHtml(content),
  };
}

function readHead(root: SourceNode) {
  const html = selector('html').first(root);
  const hrefOf = (what: string): string | null => {
    const node = selector(what).first(root);
    return node === null ? null : attribute(node, 'href')?.trim() || null;
  };
  return {
    language: (html === null ? null : attribute(html, 'lang'))?.trim() || null,
    base: hrefOf('base[href]'),
    canonical: hrefOf('link[rel~=canonical]'),
    description: metaOf(root, 'name=description', 'property="og:description"'),
    tags: selector('meta[property="article:tag"]')
      .all(root)
      .map((node) => attribute(node, 'content')?.trim() ?? '')
      .filter((tag) => tag !== ''),
    alternates: selector('link[rel~=alternate][hreflang][href]')
      .all(root)
      .map((node) => ({ language: attribute(node, 'hreflang') ?? '', url: attribute(node, 'href') ?? '' })),
  };
}

/** The first `meta` with one of some attributes that has a content. */
function metaOf(root: SourceNode, ...attributes: readonly string[]): string | null {
  for (const one of attributes) {
    const node = selector(`meta[${one} i]`).first(root);
    const content = node === null ? '' : (attribute(node, 'content')?.trim() ?? '');
    if (content !== '') return content;
  }
  return null;
}

function redirectTarget(root: SourceNode): string | null {
  const refresh = selector('meta[http-equiv=refresh i]').first(root);
  const content = refresh === null ? '' : (attribute(refresh, 'content') ?? '');
  const [, seconds = '', url = ''] =
    /^\s*(\d+(?:\.\d+)?)\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+?)["']?\s*$/i.exec(content) ?? [];
  // A page that shows something for a while is no redirect.
  return url !== '' && Number(seconds) <= 10 ? url : null;
}

function isNotFound(file: string): boolean {
  return /(?:^|\/)(?:404|_?not-found)(?:\.html?|\/index\.html?)$/i.test(file);
}

function isNoindex(root: SourceNode): boolean {
  return selector('meta[name=robots i], meta[name=googlebot i]')
    .all(root)
    .some((node) => /(?:^|[\s,])(?:noindex|none)(?:$|[\s,])/i.test(attribute(node, 'content') ?? ''));
}

/** Paths at which generators put lists of pages. */
function isListingPath(file: string): boolean {
  return /(?:^|\/)(?:tags?|categor(?:y|ies)|archives?|authors?|search|genindex|py-modindex|page\/\d+)(?:\/[^/]+)?(?:\/index\.html?|\.html?)$/i.test(
    file,
  );
}

/** Whether most words of a text are links. */
function isOnlyLinks(content: SourceNode): boolean {
  const links = selector('a[href]').all(content);
  const linked = links.reduce((sum, node) => sum + wordsBelow(node), 0);
  return linked >= wordsBelow(content) * 0.5;
}

function whyEmpty(root: SourceNode): string {
  const app = selector('#root, #app, #__next, #___gatsby, [data-reactroot], app-root').first(root);
  const hasScript = selector('script[src]').first(root) !== null;
  return app !== null && hasScript
    ? 'a script writes its text in the browser; build the site so that its pages contain their text'
    : 'it has no main text';
}

interface FoundContent {
  readonly content: SourceNode;
  readonly isGuess: boolean;
}

/** The main text, cut out of its page. */
function findContent(root: SourceNode, theme: SiteTheme | null, settings: SelectorSettings): FoundContent {
  for (const own of [settings.content, '[data-lectern-body]', '[data-pagefind-body]']) {
    const nodes = own === null ? [] : outermost(selector(own).all(root));
    if (nodes.length > 0) return { content: cutOut(nodes), isGuess: false };
  }
  for (const one of theme?.content ?? []) {
    const node = selector(one).first(root);
    if (node !== null) return { content: cutOut([node]), isGuess: false };
  }
  for (const one of ['main article', 'article', 'main', '[role=main]']) {
    const [node, ...others] = outermost(selector(one).all(root));
    // Several articles are a list of them.
    if (node !== undefined && others.length === 0) return { content: cutOut([node]), isGuess: false };
  }
  const body = selector('body').first(root) ?? root;
  for (const node of selector('header:not(:has(h1)), footer, aside, nav').all(body)) unlink(node);
  return { content: cutOut([body]), isGuess: true };
}

function outermost(nodes: readonly SourceNode[]): readonly SourceNode[] {
  const all = new Set(nodes);
  return nodes.filter((node) => {
    for (let at = node.parent; at !== null; at = at.parent) if (all.has(at)) return false;
    return true;
  });
}

function cutOut(nodes: readonly SourceNode[]): SourceNode {
  const holder = element('div');
  // A title outside of the text is still found from the page, which only loses the text.
  for (const node of nodes) moveChildren(node, holder);
  return holder;
}

function findTitle(root: SourceNode, content: SourceNode, theme: SiteTheme | null): SourceNode | null {
  for (const where of [content, root]) {
    const own = theme?.title === undefined ? null : selector(theme.title).first(where);
    const found = selector('h1').first(where) ?? own;
    if (found !== null && lineBelow(found) !== '') return found;
  }
  return null;
}

/** The text of a heading without the link to itself. */
function titleText(heading: SourceNode, theme: SiteTheme | null): string | null {
  if (theme?.ignore !== undefined) for (const node of selector(theme.ignore).all(heading)) unlink(node);
  for (const anchor of selector('a[href^="#"]').all(heading)) {
    if (!/\p{L}|\p{N}/u.test(lineBelow(anchor))) unlink(anchor);
  }
  for (const node of selector('.sr-only, .visually-hidden, button, svg').all(heading)) unlink(node);
  return (
    lineBelow(heading)
      .replace(/[\u200b\u00b6#\u00a7]+$/, '')
      .trim() || null
  );
}

/** Removes the title from the text, in which pages do not repeat it; links to it still work. */
function takeTitle(heading: SourceNode, content: SourceNode): void {
  const { parent } = heading;
  let top: SourceNode | null = heading;
  while (top !== null && top !== content) top = top.parent;
  if (top === null || parent === null) return;
  const id = attribute(heading, 'id');
  if (id !== null) link(parent, element('span', { id }), heading);
  unlink(heading);
}

function headTitle(root: SourceNode): string | null {
  const title = selector('title').first(root);
  return metaOf(root, 'property="og:title"') ?? (title === null ? null : lineBelow(title) || null);
}

function readJsonLd(root: SourceNode): readonly UnknownRecord[] {
  return selector('script[type="application/ld+json"]')
    .all(root)
    .flatMap((node) => {
      try {
        const parsed: unknown = JSON.parse(textBelow(node));
        const all = Array.isArray(parsed) ? parsed : [parsed];
        return all.filter(isRecord).flatMap((one) => {
          const graph = one['@graph'];
          return [one, ...(Array.isArray(graph) ? graph.filter(isRecord) : [])];
        });
      } catch {
        return [];
      }
    });
}

function readBreadcrumbs(
  root: SourceNode,
  theme: SiteTheme | null,
  data: readonly UnknownRecord[],
): readonly Breadcrumb[] {
  for (const one of data) {
    if (one['@type'] !== 'BreadcrumbList' || !Array.isArray(one.itemListElement)) continue;
    const found = one.itemListElement.filter(isRecord).flatMap((entry) => {
      const item = isRecord(entry.item) ? entry.item : null;
      const title = entry.name ?? item?.name;
      const url = item === null ? entry.item : item['@id'];
      return typeof title === 'string' ? [{ title, url: typeof url === 'string' ? url : null }] : [];
    });
    if (found.length > 0) return found;
  }
  const shown = [theme?.breadcrumbs, everyTheme.breadcrumbs].find(
    (one) => one !== undefined && selector(one).first(root) !== null,
  );
  if (shown === undefined) return [];
  return selector(shown)
    .all(root)
    .flatMap((node) => {
      const anchor = node.name === 'a' ? node : selector('a[href]').first(node);
      const title = lineBelow(node).replace(/^[\s/›»>→·]+|[\s/›»>→·]+$/g, '');
      return title === '' ? [] : [{ title, url: anchor === null ? null : attribute(anchor, 'href') }];
    });
}

function readDates(root: SourceNode, theme: SiteTheme | null, data: readonly UnknownRecord[]) {
  const ofData = (field: string): string | null => {
    const found = data.map((one) => one[field]).find((value) => typeof value === 'string');
    return typeof found === 'string' ? dateOf(found) : null;
  };
  const shown = [theme?.updated, everyTheme.updated].filter((one) => one !== undefined).join();
  const node = selector(shown).first(root);
  const written =
    node === null ? null : (attribute(node, 'datetime') ?? attribute(node, 'content') ?? lineBelow(node));
  return {
    createdAt: dateOf(metaOf(root, 'property="article:published_time"')) ?? ofData('datePublished'),
    updatedAt:
      dateOf(
        metaOf(
          root,
          'property="article:modified_time"',
          'property="og:updated_time"',
          'name="last-modified"',
          'itemprop="dateModified"',
        ),
      ) ??
      ofData('dateModified') ??
      dateOf(written),
  };
}

/** ISO 8601 in UTC; `null` for any other text, because the order of day and month is not known. */
export function dateOf(text: string | null): string | null {
  const written =
    text === null
      ? null
      : /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/i.exec(text)?.[0];
  if (written === null || written === undefined) return null;
  const isZoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(written) && written.length > 10;
  const ms = Date.parse(
    written.length > 10 && !isZoned ? `${written.replace(' ', 'T')}Z` : written.replace(' ', 'T'),
  );
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

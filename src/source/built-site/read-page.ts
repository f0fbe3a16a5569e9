import {
  isBlank,
  moveContent,
  newElement,
  nextElement,
  previousElement,
} from '../../content/parse/edit-tree.ts';
import { parseBody, parsePage } from '../../content/parse/parse-body.ts';
import { attribute, childrenOf, link, type SourceNode, unlink } from '../../content/parse/source-tree.ts';
import { folderAddress, parseUrl } from '../../core/addresses.ts';
import { isRecord } from '../../core/unknown-record.ts';
import { readTime } from '../normalise/fields.ts';
import { type Navigation, readNavigation } from './navigation.ts';
import { metaOf, type ScannedPage, scanPage } from './scan-page.ts';
import { isBelow, lineBelow, outermost, selector, textBelow } from './select.ts';
import { isAtStart, simplify, wordsBelow } from './simplify.ts';
import { everyTheme, type SiteTheme } from './themes.ts';
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
  /** The heading of the page. */
  readonly title: string | null;
  /** The title in its head, which often ends with the name of the site. */
  readonly headTitle: string | null;
  readonly description: string | null;
  /** `lang` of `<html>`. */
  readonly language: string | null;
  /** `lang` of the element with the main text, if it is another language: the page shows the original instead of a translation. */
  readonly textLanguage: string | null;
  readonly base: string | null;
  readonly canonical: string | null;
  /** Where a redirect leads. */
  readonly target: string | null;
  readonly alternates: readonly Alternate[];
  readonly breadcrumbs: readonly Breadcrumb[];
  readonly tags: readonly string[];
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  /** `null` if it has none, or if its site has too many. */
  readonly navigation: Navigation | null;
  readonly foundBy: FoundBy;
  /** Elements of the main text that are not published, each with the start of its text. */
  readonly removed: readonly string[];
  readonly body: LooseHtml;
}

/** How the main text was found: by `source.content`, by what the page or its theme says, or as everything that is no navigation. */
type FoundBy = 'setting' | 'layout' | 'guess';

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
  const scanned = scanPage(root);
  const { theme, base } = scanned;
  const target = redirectTarget(scanned, file);
  const common = {
    ...{ file, base, target, language: scanned.language, textLanguage: null },
    ...readHead(scanned),
    ...readDates(root, scanned),
    breadcrumbs: readBreadcrumbs(root, scanned),
    headTitle: metaOf(scanned, 'og:title') ?? scanned.title,
    navigation: readNavigation(root, theme, file),
  };
  const skip = (reason: SkipReason, why: string | null = null): SitePage =>
    detached({
      ...common,
      ...{ skip: reason, why, title: null, description: null, tags: [], breadcrumbs: [], navigation: null },
      ...{ foundBy: 'layout', removed: [], body: { html: '', urls: [] } },
    });
  if (target !== null) return skip('redirect');
  if (theme?.navigationFile !== undefined && selector(theme.navigationFile).first(root) !== null)
    return detached({ ...skip('listing'), navigation: common.navigation });
  if (isNotFound(file, scanned.language)) return skip('not-found');
  if (isNoindex(scanned)) return skip('noindex');
  if (theme?.listing !== undefined && selector(theme.listing).first(root) !== null) return skip('listing');
  const { content, foundBy, language } = findContent(root, theme, settings);
  const textLanguage = language === null || baseOf(language) === baseOf(scanned.language) ? null : language;
  const titleNode = findTitle(root, content, theme);
  const shownTitle = titleNode === null ? null : titleText(titleNode, theme);
  const removed = simplify(content, theme, settings.ignore).flatMap(describeRemoved);
  if (titleNode !== null) takeTitle(titleNode, content);
  if (shownTitle !== null) takeRepeatedTitle(shownTitle, content);
  const title = shownTitle ?? (common.headTitle === null ? takeFirstHeading(content) : null);
  if (notFoundPath.test(file) && plainWords(content) < minNotFoundWords) return skip('not-found');
  if (isListingPath(file) && (isOnlyLinks(content) || wordsBelow(content) < minPageWords))
    return skip('listing');
  if (!hasContent(content)) {
    const main = selector('main').first(root);
    const isList = main !== null && selector('li a[href]').all(main).length > 1 && isOnlyLinks(main);
    return isList ? skip('listing') : skip('no-content', whyEmpty(root, scanned.hasScript));
  }
  return detached({
    ...common,
    textLanguage,
    skip: null,
    why: null,
    title,
    foundBy,
    removed,
    body: writeLooseHtml(content),
  });
}

/** Copies all texts: a part of a string keeps the whole page in memory. */
function detached(page: SitePage): SitePage {
  return JSON.parse(JSON.stringify(page)) as SitePage;
}

function readHead(scanned: ScannedPage) {
  const alternates = scanned.links.flatMap((node) => {
    const [language, url] = [attribute(node, 'hreflang'), attribute(node, 'href')];
    return isRelated(node, 'alternate') && language !== null && url !== null ? [{ language, url }] : [];
  });
  const description = metaOf(scanned, 'description', 'og:description');
  const canonical = scanned.links.find((node) => isRelated(node, 'canonical'));
  return {
    alternates,
    canonical: (canonical === undefined ? null : attribute(canonical, 'href'))?.trim() || null,
    // MkDocs writes the word for a missing one.
    description: description === 'None' ? null : description,
    tags: scanned.metas.get('article:tag') ?? [],
  };
}

function isRelated(node: SourceNode, how: string): boolean {
  return (attribute(node, 'rel') ?? '').toLowerCase().split(/\s+/).includes(how);
}

function redirectTarget(scanned: ScannedPage, file: string): string | null {
  const content = metaOf(scanned, 'refresh') ?? '';
  const [, seconds = '', url = ''] =
    /^\s*(\d+(?:\.\d+)?)\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+?)["']?\s*$/i.exec(content) ?? [];
  const own = new URL(folderAddress(file));
  const isOwn = parseUrl(url.split('#', 1)[0] || own.href, own.href)?.href === own.href;
  // A page that shows something for a while, or loads itself again, is no redirect.
  return url !== '' && Number(seconds) <= 10 && !isOwn ? url : null;
}

/** The path of a page for URLs that do not exist, with the folder that it is in. */
const notFoundPath = /^(?:(.*)\/)?(?:404|_?not-found)(?:\.html?|\/index\.html?)$/i;

/** Whether a page is where generators put the one for URLs that do not exist: at the top, or in the folder of a language. */
function isNotFound(file: string, language: string | null): boolean {
  const [path, folder] = notFoundPath.exec(file) ?? [];
  return path !== undefined && (folder === undefined || baseOf(folder) === baseOf(language));
}

/** Elsewhere, a page with fewer words beside its links is one, and a longer one is about such pages. */
const minNotFoundWords = 50;

function isNoindex({ metas }: ScannedPage): boolean {
  return [...(metas.get('robots') ?? []), ...(metas.get('googlebot') ?? [])].some((content) =>
    /(?:^|[\s,])(?:noindex|none)(?:$|[\s,])/i.test(content),
  );
}

/** Paths at which generators put lists of pages. */
function isListingPath(file: string): boolean {
  return /(?:^|\/)(?:tags?|categor(?:y|ies)|archives?|authors?|search|genindex|py-modindex|page\/\d+)(?:\/[^/]+|(?:\/\d+)+)?(?:\/index\.html?|\.html?)$/i.test(
    file,
  );
}

/** A page at the path of a list with fewer words, such as the title of a search, is no page of its own. */
const minPageWords = 5;

/** Whether most words of a text are links. */
function isOnlyLinks(content: SourceNode): boolean {
  return linkedWords(content) >= wordsBelow(content) * 0.5;
}

function hasContent(node: SourceNode): boolean {
  const hasText = /[\p{L}\p{N}]/u.test(textBelow(node));
  return hasText || selector('img, video, iframe, pre, math').first(node) !== null;
}

function whyEmpty(root: SourceNode, hasScript: boolean): string {
  for (const node of selector('script, style, noscript, template').all(root)) unlink(node);
  const body = selector('body').first(root);
  return hasScript && (body === null || wordsBelow(body) < 10)
    ? 'a script writes its text in the browser; build the site so that its pages contain their text'
    : 'it has no main text';
}

/** The language of a tag without its region. */
function baseOf(tag: string | null): string {
  return (tag ?? '').toLowerCase().split(/[-_]/)[0] ?? '';
}

interface FoundContent {
  /** `lang` of the nearest element within the body that has one. */
  readonly language: string | null;
  readonly content: SourceNode;
  readonly foundBy: FoundBy;
}

/** The main text, cut out of its page. */
function findContent(root: SourceNode, theme: SiteTheme | null, settings: SelectorSettings): FoundContent {
  for (const own of [
    settings.content,
    '[data-lectern-body]',
    theme?.setsPagefind ? null : '[data-pagefind-body]',
  ]) {
    const nodes = own === null ? [] : outermost(selector(own).all(root));
    const foundBy = own === settings.content ? 'setting' : 'layout';
    if (nodes.length > 0) return { language: languageOf(nodes[0]), content: cutOut(nodes), foundBy };
  }
  for (const one of theme?.content ?? []) {
    const nodes = outermost(selector(one).all(root));
    if (!nodes.some(hasContent)) continue;
    const [body] = nodes;
    if (body?.name === 'body') cutMenus(body);
    return { language: languageOf(body), content: cutOut(nodes), foundBy: 'layout' };
  }
  for (const one of ['main article', 'article', 'main', '[role=main]']) {
    const [node, ...others] = outermost(selector(one).all(root));
    // Several articles are a list of them.
    if (node === undefined || others.length > 0 || (node.name === 'article' && !isMainArticle(node)))
      continue;
    // A page that a theme makes without its usual text, such as an empty list, may have the whole layout in this element.
    if (theme?.navigation !== undefined)
      for (const menu of selector(theme.navigation).all(node)) unlink(menu);
    return { language: languageOf(node), content: cutOut([node]), foundBy: 'layout' };
  }
  const body = selector('body').first(root) ?? root;
  cutSkipLink(body);
  for (const heading of selector('h1').all(body)) if (isSiteName(heading)) unlink(heading);
  const title = selector('h1').first(body);
  const wrappers = new Set(
    [...wrappersOf(body, [...blockNames, 'article'])].filter((one) => title === null || isBelow(title, one)),
  );
  for (const node of selector(aroundText).all(body)) if (!isPartOfText(node, wrappers)) unlink(node);
  cutMenus(body);
  return { language: null, content: cutOut([body]), foundBy: 'guess' };
}

/** Whether an article has the title of its page, or most of the text around it: another one is only a teaser, or a part of the text. */
function isMainArticle(article: SourceNode): boolean {
  if (
    selector('h1')
      .all(article)
      .some((heading) => lineBelow(heading) !== '')
  )
    return true;
  let around = article;
  while (around.parent !== null && around.name !== 'body' && around.name !== 'main') around = around.parent;
  const beside = outermost(selector(`${aroundText}, ${boxAroundText}`).all(around)).filter(
    (node) => node !== article && !isBelow(article, node),
  );
  const others = beside
    .filter((node) => !isBelow(node, article))
    .reduce((sum, node) => sum + plainWords(node), 0);
  return plainWords(article) * 2 >= plainWords(around) - others;
}

/** Whether all of a heading leads home. A heading with such a link in its text is that of its page. */
function isSiteName(heading: SourceNode): boolean {
  const home = selector('a:is([href="/"], [href$="../"], [rel~=home])').first(heading);
  return home !== null && lineBelow(home) === lineBelow(heading);
}

/** What is no main text on a page of unknown layout, by its element or role. */
const aroundText =
  'header:not(:has(h1)), footer, aside, nav, [role=navigation], [role=banner]:not(:has(h1)), [role=contentinfo], [role=complementary], [role=search]';

/** What is no main text by its name, and asks, recommends or repeats something beside it. */
const boxAroundText = ['cookie', 'consent', 'footer', 'sidebar', 'related', 'feedback', 'comments']
  .map((word) => `[class*=${word} i], [id*=${word} i]`)
  .concat('form, dialog, [role=dialog]')
  .join();

const partOfPage = /^(?:section|article|blockquote|figure|details|li|td|dd)$/;

const textBlock = /^(?:p|h[2-6]|pre|[uod]l|table|blockquote|figure)$/;

/**
 * Whether an element belongs to a part of the text instead of the whole page: a note, the header of a section, the source of a quotation.
 * @param wrappers elements that have the title and most of the text, and are no part of it
 */
function isPartOfText(node: SourceNode, wrappers: ReadonlySet<SourceNode>): boolean {
  const { name } = node;
  if (name === 'aside' && /^(?:note|doc-.*)$/.test(attribute(node, 'role') ?? '')) return true;
  if (!/^(?:header|footer|aside)$/.test(name)) return false;
  const isBetween = [previousElement(node), nextElement(node)].every((one) =>
    textBlock.test(one?.name ?? ''),
  );
  let part = node.parent;
  while (part !== null && !partOfPage.test(part.name)) part = part.parent;
  const isOfPart = part !== null && !wrappers.has(part);
  return (isOfPart || (name === 'aside' && isBetween)) && !isMenu(node);
}

/** Removes the link past the navigation, with which a page begins. A link that begins a sentence or a list of links is text. */
function cutSkipLink(body: SourceNode): void {
  const [first, second] = childrenOf(body).filter((node) => node.name !== '#ignored' && !isBlank(node));
  const isText = second === undefined || /^(?:#text|a|br)$/.test(second.name);
  if (first?.name === 'a' && !isText && attribute(first, 'href')?.startsWith('#')) unlink(first);
}

const blockNames = ['div', 'section', 'table', 'tbody', 'tr', 'td', 'center', 'form'];

/** How deep menus are looked for. */
const maxMenuDepth = 30;

/**
 * Removes menus that only their place tells: lists of links beside the block that has most of the text, or beside a block around it. Other
 * text is left.
 */
function cutMenus(body: SourceNode): void {
  for (const main of wrappersOf(body, blockNames))
    for (const child of childrenOf(main.parent as SourceNode))
      if (child !== main && isMenu(child)) unlink(child);
}

/** The block that has most of the text of a page, the one in it that has most of its text, and so on. */
function* wrappersOf(body: SourceNode, names: readonly string[]): Generator<SourceNode> {
  let block: SourceNode | undefined = body;
  for (let depth = 0; block !== undefined && depth < maxMenuDepth; depth += 1) {
    const all = plainWords(block);
    block = childrenOf(block).find((child) => names.includes(child.name) && plainWords(child) * 2 > all);
    if (block !== undefined) yield block;
  }
}

/** A navigation or form with fewer words beside its links is none of an author: "On this page". */
const minRemovedWords = 5;

/** The name of an element, with the start of its text: `<nav> ("Before you begin …")`; none if it is no text of an author. */
function describeRemoved(node: SourceNode): readonly string[] {
  // The content of a template is not in the tree, and that of `noscript` is one text.
  if (node.name === 'template') return ['<template>'];
  const shown = node.name === 'noscript' ? parseBody(textBelow(node)) : node;
  if (plainWords(shown) < minRemovedWords) return [];
  return [`<${node.name}> (${JSON.stringify(lineBelow(shown).slice(0, 60))})`];
}

/** Words that are not in links. */
function plainWords(node: SourceNode): number {
  return wordsBelow(node) - linkedWords(node);
}

function linkedWords(node: SourceNode): number {
  return selector('a[href]')
    .all(node)
    .reduce((sum, link) => sum + wordsBelow(link), 0);
}

function isMenu(node: SourceNode): boolean {
  return selector('a[href]').all(node).length > 2 && linkedWords(node) >= wordsBelow(node) * 0.7;
}

function languageOf(node: SourceNode | undefined): string | null {
  for (let at = node ?? null; at !== null && at.name !== 'body'; at = at.parent) {
    const language = attribute(at, 'lang')?.trim() ?? '';
    if (language !== '') return language;
  }
  return null;
}

function cutOut(nodes: readonly SourceNode[]): SourceNode {
  const holder = newElement('div');
  // A title outside of the text is still found from the page, which only loses the text.
  for (const node of nodes) moveContent(node, holder);
  return holder;
}

function findTitle(root: SourceNode, content: SourceNode, theme: SiteTheme | null): SourceNode | null {
  const ofTheme = theme?.title === undefined ? null : selector(theme.title).first(root);
  const inText = selector('h1').first(content);
  const headings = theme?.title === undefined ? selector('h1').all(root) : [];
  const other = headings.find((one) => !isSiteName(one)) ?? null;
  return [ofTheme, inText, other].find((node) => node !== null && lineBelow(node) !== '') ?? null;
}

/** The text of a heading without the link to itself. */
function titleText(heading: SourceNode, theme: SiteTheme | null): string | null {
  if (theme?.ignore !== undefined) for (const node of selector(theme.ignore).all(heading)) unlink(node);
  for (const node of selector('a[href*="#"], span:not(:has(*))').all(heading)) {
    const text = lineBelow(node);
    if (node.name === 'a' ? !/\p{L}|\p{N}/u.test(text) : /^[\u200b\u00b6#\u00a7]+$/.test(text)) unlink(node);
  }
  for (const node of selector('.sr-only, .visually-hidden, button, svg').all(heading)) unlink(node);
  const lines = childrenOf(heading);
  // A theme shows elements without text between them as lines.
  const isLines = lines.length > 1 && lines.every(({ name }) => name === 'span');
  return (
    (isLines ? lines.map(lineBelow).join(' ') : lineBelow(heading))
      .replace(/[\u200b\u00b6\u00a7]+$/, '')
      .trim() || null
  );
}

/** Removes the title from the text, in which pages do not repeat it; links to it still work. */
function takeTitle(heading: SourceNode, content: SourceNode): void {
  const { parent } = heading;
  if (parent === null || !isBelow(heading, content)) return;
  const id = attribute(heading, 'id');
  if (id !== null) link(parent, newElement('span', { id }), heading);
  unlink(heading);
}

/** Removes the first heading of a text if it repeats the title, which the theme shows above the text. */
function takeRepeatedTitle(title: string, content: SourceNode): void {
  const heading = selector('h1').first(content);
  if (heading !== null && lineBelow(heading) === title && isAtStart(heading, content))
    takeTitle(heading, content);
}

/** The title of a page that names none: its first heading of any level. It stays in the text if other text is above it. */
function takeFirstHeading(content: SourceNode): string | null {
  const heading = selector('h2, h3, h4, h5, h6')
    .all(content)
    .find((node) => lineBelow(node) !== '');
  if (heading === undefined) return null;
  const title = lineBelow(heading);
  if (isAtStart(heading, content)) takeTitle(heading, content);
  return title;
}

function readBreadcrumbs(root: SourceNode, { theme, data }: ScannedPage): readonly Breadcrumb[] {
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

function readDates(root: SourceNode, scanned: ScannedPage) {
  const ofData = (field: string): string | null =>
    dateOf(scanned.data.map((one) => one[field]).find((value) => typeof value === 'string') ?? null);
  const named = metaOf(scanned, 'article:modified_time', 'og:updated_time', 'last-modified', 'datemodified');
  const updated = dateOf(named) ?? ofData('dateModified');
  return {
    createdAt: dateOf(metaOf(scanned, 'article:published_time')) ?? ofData('datePublished'),
    updatedAt: updated ?? shownDate(root, scanned.theme),
  };
}

function shownDate(root: SourceNode, theme: SiteTheme | null): string | null {
  const shown = [theme?.updated, everyTheme.updated].filter((one) => one !== undefined).join();
  const node = selector(shown).first(root);
  return node === null
    ? null
    : dateOf(attribute(node, 'datetime') ?? attribute(node, 'content') ?? lineBelow(node));
}

/** The first date of a text as ISO 8601 in UTC; `null` for any other form, because the order of day and month is not known. */
export function dateOf(text: string | null): string | null {
  const [date] =
    /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/i.exec(text ?? '') ?? [];
  return readTime({ date }, 'date', () => {});
}

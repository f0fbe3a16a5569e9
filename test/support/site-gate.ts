import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Readability } from '@mozilla/readability';
// Both packages are a second opinion: they share no code with the parser and the rules by which Lectern reads a site.
import { parseHTML } from 'linkedom';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { recordsIn } from './feed-records.ts';

/** What a person says about a built site, to measure what was published of it. */
export interface BuiltSite {
  /** The folder of the site. */
  readonly root: string;
  /** URL of the site, which ends with `/`. */
  readonly url: string;
  /** Selectors of the main text; those of the first that a page has are joined. */
  readonly content: readonly string[];
  /** Selectors of what is not text of the author within it. */
  readonly out: string;
  /** Selectors of elements that are shown apart from what is beside them, although they are of a line. */
  readonly apart?: string;
}

/** What a page of a site, or a document of a feed, shows. */
interface Shown {
  readonly title: string;
  readonly words: readonly string[];
  /** The blocks of code, without white space at the end of lines. */
  readonly code: readonly string[];
  /**
   * Words that a document may have besides: what plays in the page is a link, with the title of the frame or the name of the film; a cell
   * of several rows is in each of them.
   */
  readonly besides: readonly string[];
  /** The alternative texts of images: a feed has no images. */
  readonly images: readonly string[];
  /** Absolute URLs of links to the same site. */
  readonly links: readonly string[];
}

export interface ShownPage extends Shown {
  /** Path below the folder. */
  readonly file: string;
  readonly url: string;
  readonly language: string;
  readonly ids: ReadonlySet<string>;
  /** Language → URL. */
  readonly alternates: ReadonlyMap<string, string>;
  /** The page's words as Readability finds them. */
  readonly readable: readonly string[];
  readonly isNoindex: boolean;
  readonly isRedirect: boolean;
}

interface FeedDocument {
  readonly id: string;
  readonly article_id: string;
  readonly language: string;
  readonly title: string;
  readonly url: string;
  readonly markdown: string;
}

/** The measures of one page with its document. */
export interface PageMeasure {
  readonly file: string;
  readonly words: number;
  /** Words that the page shows more often than the document has them, and the other way round. */
  readonly lost: readonly string[];
  readonly extra: readonly string[];
  readonly lostCode: readonly string[];
  readonly codeBlocks: number;
  readonly lostImages: readonly string[];
  readonly images: number;
  /** Whether the document has the page's URL in another form. */
  readonly hasOtherUrl: boolean;
  readonly lostLinks: readonly string[];
  readonly links: number;
  /** Words of Readability that the document does not have. */
  readonly readableLost: readonly string[];
  readonly readableWords: number;
  /** Fragments of the chunks' URLs that the page does not have. */
  readonly unknownFragments: readonly string[];
  readonly isOtherLanguage: boolean;
  readonly lostTranslations: readonly string[];
}

export interface SiteMeasure {
  readonly pages: readonly PageMeasure[];
  /** Pages with words that are in no document, by path. */
  readonly unpublished: readonly ShownPage[];
  /** Documents whose URL no page has. */
  readonly strangers: readonly string[];
  /** Documents of pages that ask not to be found. */
  readonly leaks: readonly string[];
}

/** Reads the pages of a built site, without any code of Lectern. */
export function readShownPages(site: BuiltSite): readonly ShownPage[] {
  return readdirSync(site.root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.html'))
    .sort()
    .map((file) => readShownPage(site, file));
}

function readShownPage(site: BuiltSite, file: string): ShownPage {
  const html = readFileSync(join(site.root, file), 'utf8');
  const { document } = parseHTML(html);
  const canonical = document.querySelector('link[rel=canonical]')?.getAttribute('href');
  const served = new URL(file.replace(/(?:^|(?<=\/))index\.html$/, ''), site.url).href;
  const url = canonical ? new URL(canonical, served).href : served;
  const article = new Readability(parseHTML(html).document as unknown as Document, {
    charThreshold: 0,
  }).parse();
  const shown = readMain(document as unknown as Document, site, served);
  return {
    ...shown,
    file,
    url,
    language: document.documentElement?.getAttribute('lang') ?? '',
    ids: new Set(
      [...document.querySelectorAll('[id], a[name]')].map(
        (element) => element.getAttribute('id') ?? element.getAttribute('name') ?? '',
      ),
    ),
    alternates: new Map(
      [...document.querySelectorAll('link[rel=alternate][hreflang]')].map((link) => [
        link.getAttribute('hreflang') ?? '',
        new URL(link.getAttribute('href') ?? '', served).href,
      ]),
    ),
    readable: splitWords(
      readText(parseHTML(`<main>${article?.content ?? ''}</main>`).document as unknown as Element),
    ),
    isNoindex: /noindex/i.test(document.querySelector('meta[name=robots]')?.getAttribute('content') ?? ''),
    isRedirect: document.querySelector('meta[http-equiv=refresh]') !== null,
  };
}

function readMain(document: Document, site: BuiltSite, base: string): Shown {
  const selector = site.content.find((each) => document.querySelector(each));
  const parts = selector === undefined ? [] : [...document.querySelectorAll(selector)];
  const outermost = parts.filter((part) => !parts.some((other) => other !== part && other.contains(part)));
  const title = outermost[0]?.querySelector('h1')?.textContent ?? document.title;
  const code: string[] = [];
  const images: string[] = [];
  const links: string[] = [];
  const besides: string[] = [];
  let text = '';
  for (const part of outermost) {
    for (const element of part.querySelectorAll(
      `script, style, template, noscript, svg, button, ${site.out}`,
    )) {
      if (element.getAttribute('role') !== 'tab') element.remove();
    }
    for (const element of site.apart === undefined ? [] : part.querySelectorAll(site.apart)) {
      element.textContent = ` ${element.textContent} `;
    }
    for (const math of part.querySelectorAll('math')) {
      // Its source is beside the formula, in which each sign is an element.
      const source = math.querySelector('annotation[encoding="application/x-tex"]');
      math.textContent = ` ${source?.textContent ?? [...math.querySelectorAll('mi, mn, mo')].map((each) => each.textContent).join(' ')} `;
    }
    // mdBook wraps a block in another one.
    for (const pre of part.querySelectorAll('pre:not(pre pre)')) {
      const lines = readCode(pre);
      if (lines !== '') code.push(lines);
      pre.textContent = ` ${lines} `;
    }
    for (const player of part.querySelectorAll('iframe, video, audio')) {
      const src = player.getAttribute('src') ?? '';
      besides.push(
        ...splitWords(player.getAttribute('title') ?? posix.basename(new URL(src, base).pathname)),
      );
    }
    for (const cell of part.querySelectorAll('[rowspan]')) {
      const rows = Number(cell.getAttribute('rowspan'));
      for (let row = 1; row < rows; row += 1) besides.push(...splitWords(readText(cell)));
    }
    for (const image of part.querySelectorAll('img')) {
      const alternative = (image.getAttribute('alt') ?? '').trim().replace(/\s+/g, ' ');
      if (alternative !== '') images.push(alternative);
      image.replaceWith(` ${alternative} `);
    }
    for (const link of part.querySelectorAll('a[href]')) {
      const href = link.getAttribute('href') ?? '';
      // Within a page, tabs, headings and the numbers of footnotes are no links that readers follow elsewhere.
      if (
        href.startsWith('#') &&
        link.closest('h1, h2, h3, h4, h5, h6, sup, [role=tab], .footnote-reference, .footnote, .citation')
      )
        continue;
      const target = toUrl(href, base);
      if (target?.href.startsWith(site.url) && link.textContent?.trim()) links.push(target.href);
    }
    text += ` ${readText(part)}`;
  }
  return { title: title.trim(), words: splitWords(text), code, besides, images, links };
}

/** The lines of a block of code as they are shown: many generators make an element of each line. */
function readCode(pre: Element): string {
  for (const lineBreak of pre.querySelectorAll('br')) lineBreak.replaceWith('\n');
  const lines = [...pre.querySelectorAll('.ec-line')];
  const text =
    lines.length > 0
      ? lines.map((line) => line.textContent?.replace(/\n$/, '')).join('\n')
      : (pre.textContent ?? '');
  return trimLines(text);
}

function trimLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
}

const inline =
  /^(?:a|abbr|b|bdi|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|u|var|wbr)$/i;

/** The text of an element, with a space around what is not within a line, and around the links of footnotes. */
function readText(element: Element): string {
  let text = '';
  for (const node of element.childNodes) {
    if (node.nodeType === 3) text += node.textContent;
    else if (node.nodeType === 1) {
      const child = node as Element;
      const isPart = inline.test(child.localName) && child.querySelector('a') === null;
      text += isPart ? readText(child) : ` ${readText(child)} `;
    }
  }
  return text;
}

function splitWords(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\u200b\u00ad]/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function toUrl(href: string, base: string): URL | null {
  try {
    return new URL(href, base);
  } catch {
    return null;
  }
}

/** The marker of an alert stands for its kind, which most themes show as its title. */
const alertMarker = /^((?:> ?| )*)\[!(\w+)\]/gm;

/** What a document of the feed shows. */
function readDocument({ title, markdown, url }: FeedDocument, site: BuiltSite): Shown {
  const html = micromark(markdown.replace(alertMarker, '$1'), {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
  });
  const { document } = parseHTML(`<!doctype html><html><body><main>${html}</main></body></html>`);
  const shown = readMain(
    document as unknown as Document,
    { ...site, content: ['main'], out: '.data-footnote-backref, #footnote-label' },
    url,
  );
  return { ...shown, title };
}

/** What equal URLs of a page have in common in every form in which servers accept them. */
function pageKey(url: string): string {
  const [, path = '', fragment = ''] = /^([^#]*)(#.*)?$/.exec(url) ?? [];
  return path.replace(/(?:\/index)?(?:\.html)?\/?$/, '') + fragment;
}

/** Compares a site with the feed that was made of it. */
export function measureSite(site: BuiltSite, feedFolder: string): SiteMeasure {
  const documents = readRecords<FeedDocument>(feedFolder, 'documents.jsonl');
  const chunks = readRecords<{ readonly document_id: string; readonly url: string }>(
    feedFolder,
    'chunks.jsonl',
  );
  const pages = readShownPages(site);
  const byUrl = new Map(documents.map((each) => [pageKey(each.url), each]));
  // A page that moved names its target as canonical.
  const last = (page: ShownPage) => Number(page.isRedirect || page.isNoindex);
  const byPage = new Map(
    [...pages].sort((one, other) => last(other) - last(one)).map((page) => [pageKey(page.url), page]),
  );
  const measured: PageMeasure[] = [];
  const unpublished: ShownPage[] = [];
  for (const page of pages) {
    const document = byUrl.get(pageKey(page.url));
    if (document === undefined || page.isNoindex || page.isRedirect) {
      unpublished.push(page);
      continue;
    }
    const shown = readDocument(document, site);
    const kinds = [...document.markdown.matchAll(alertMarker)].map(([, , kind = '']) => kind.toLowerCase());
    const own = [...splitWords(shown.title), ...shown.words];
    const all = [...own, ...kinds];
    const titleWords = splitWords(page.title);
    const alternateDocuments = [...page.alternates].filter(([language]) => language !== 'x-default');
    measured.push({
      file: page.file,
      words: page.words.length,
      lost: subtract(page.words, all),
      extra: subtract(own, [...page.words, ...page.besides, ...titleWords]),
      lostCode: subtract(page.code, shown.code),
      codeBlocks: page.code.length,
      lostImages: page.images.filter((text) => subtract(splitWords(text), all).length > 0),
      images: page.images.length,
      hasOtherUrl: withoutIndex(document.url) !== withoutIndex(page.url),
      lostLinks: subtract(page.links.map(pageKey), shown.links.map(pageKey)),
      links: page.links.length,
      readableLost: subtract(page.readable, [...all, ...titleWords]),
      readableWords: page.readable.length,
      unknownFragments: chunks
        .filter((chunk) => chunk.document_id === document.id)
        .map((chunk) => decodeURIComponent(new URL(chunk.url).hash.slice(1)))
        .filter((id) => id !== '' && !page.ids.has(id)),
      isOtherLanguage: !isSameLanguage(document.language, page.language),
      lostTranslations: alternateDocuments
        .filter(
          ([, url]) =>
            // A page that is not published is in the list of those.
            ![undefined, document.article_id].includes(byUrl.get(pageKey(url))?.article_id),
        )
        .map(([, url]) => url),
    });
  }
  const pageOf = (document: FeedDocument) => byPage.get(pageKey(document.url));
  return {
    pages: measured,
    unpublished,
    strangers: documents.filter((each) => pageOf(each) === undefined).map(({ url }) => url),
    leaks: documents
      .filter((each) => pageOf(each)?.isNoindex || pageOf(each)?.isRedirect)
      .map(({ url }) => url),
  };
}

function readRecords<Item>(feedFolder: string, name: string): readonly Item[] {
  return readdirSync(feedFolder)
    .map((language) => posix.join(feedFolder, language, name))
    .filter((path) => existsSync(path))
    .flatMap((path) => recordsIn<Item>(readFileSync(path, 'utf8')));
}

/**
 * What of a site is not in its feed as the site has it: one line each, with the path of the page. A page may lose one word of 200, no
 * code, no image, no link, and gains no word.
 */
export function listFaults({ pages, strangers, leaks }: SiteMeasure): readonly string[] {
  const faults = pages.flatMap((page) => {
    const lines: string[] = [];
    const add = (what: string, items: readonly string[]) => {
      if (items.length > 0) lines.push(`${page.file} ${what}: ${items.join(' ')}`);
    };
    if (page.lost.length > page.words * 0.005) add('loses words', page.lost);
    add('gains words', page.extra);
    add('loses code', page.lostCode);
    add('loses images', page.lostImages);
    add('loses links', page.lostLinks);
    add('names unknown fragments', page.unknownFragments);
    add('loses translations', page.lostTranslations);
    if (page.hasOtherUrl) lines.push(`${page.file} has another URL`);
    if (page.isOtherLanguage) lines.push(`${page.file} has another language`);
    return lines;
  });
  return [
    ...faults,
    ...strangers.map((url) => `${url} is no page of the site`),
    ...leaks.map((url) => `${url} asks not to be found`),
  ];
}

/** Sites link to the first page of a folder in both forms. */
function withoutIndex(url: string): string {
  return url.replace(/\/index\.html$/, '/');
}

/** A site whose main language is `en-US` may be published as `en`. */
function isSameLanguage(published: string, own: string): boolean {
  return `${own.toLowerCase()}-`.startsWith(`${published.toLowerCase()}-`);
}

/** The items of the first list that the second does not have as often. */
function subtract(items: readonly string[], others: readonly string[]): readonly string[] {
  const rest = new Map<string, number>();
  for (const other of others) rest.set(other, (rest.get(other) ?? 0) + 1);
  return items.filter((item) => {
    const count = rest.get(item) ?? 0;
    rest.set(item, count - 1);
    return count <= 0;
  });
}

import type { PublishedSite } from '../feed-reader.ts';
import type { Manifest } from '../manifest.ts';
import type { ReportFinding } from './findings.ts';

/** Paths of the page and the Markdown of a document, relative to the site; `null`: not on this site. */
export interface DocumentPage {
  readonly id: string;
  readonly page: string | null;
  /** Absent if it was already read. */
  readonly twin?: string | null;
}

/** How pages are checked. */
export interface PageCheck {
  readonly site: Pick<PublishedSite, 'read' | 'exists'>;
  /** Number of documents whose pages are checked, spread evenly over all. */
  readonly most: number;
}

/** Requests at the same time. */
const concurrency = 8;

/** An asset that a page references, relative to the page or to the host. */
const assetPattern = /\b(?:href|src)="([^"]*\bassets\/[^"?#]+)"/g;

/**
 * Verifies that the pages and Markdown files of documents exist, and the root pages, the home page of every language, and the assets they
 * reference.
 * @returns number of documents whose pages were checked
 */
export async function verifyPages(
  documents: readonly DocumentPage[],
  { site: { url }, languages }: Manifest,
  { site, most }: PageCheck,
  report: ReportFinding,
): Promise<number> {
  const step = Math.max(1, documents.length / most);
  const checked = Array.from({ length: Math.min(most, documents.length) }, (_, index) =>
    documents.at(Math.floor(index * step)),
  ).filter((document) => document !== undefined);
  await inTurn(checked, async ({ id, page, twin }) => {
    if (page === null || !(await site.exists(page))) {
      report('PAGE_MISSING', page ?? url, `the page of ${id} is missing`);
    }
    if (twin !== undefined && (twin === null || !(await site.exists(twin)))) {
      report('TWIN_WRONG', twin ?? url, `the Markdown of ${id} is missing`);
    }
  });
  const pages = ['index.html', '404.html', ...languages.map(({ language }) => `${language}/index.html`)];
  const assets = new Map<string, string>();
  for (const path of pages) {
    const bytes = await site.read(path);
    if (bytes === null) report('PAGE_MISSING', path, 'it is missing');
    for (const asset of bytes === null ? [] : assetsOf(new TextDecoder().decode(bytes), path, url)) {
      if (!assets.has(asset)) assets.set(asset, path);
    }
  }
  await inTurn([...assets], async ([asset, page]) => {
    if (!(await site.exists(asset))) report('ASSET_MISSING', asset, `${page} refers to it`);
  });
  return checked.length;
}

/** Path of a URL of the site, relative to it; `null` for a URL elsewhere or with invalid encoding. */
export function sitePath(address: string, siteUrl: string): string | null {
  if (!address.startsWith(siteUrl)) return null;
  try {
    return decodeURI(address.slice(siteUrl.length));
  } catch {
    return null;
  }
}

function assetsOf(html: string, page: string, siteUrl: string): readonly string[] {
  const root = new URL(siteUrl, 'https://site.invalid/').href;
  return [...html.matchAll(assetPattern)]
    .map(([, reference = '']) => reference)
    .filter((reference) => URL.canParse(reference, root + page))
    .flatMap((reference) => sitePath(new URL(reference, root + page).href, root) ?? []);
}

async function inTurn<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += concurrency) {
    await Promise.all(items.slice(at, at + concurrency).map(act));
  }
}

/** Links between documents, of all languages. */
interface LinkedDocuments {
  readonly hashes: ReadonlyMap<string, string>;
  readonly urls: ReadonlyMap<string, string>;
  readonly links: readonly (readonly [path: string, from: string, to: string, url?: string])[];
  readonly linked: ReadonlyMap<
    string,
    { readonly path: string; readonly pages: ReadonlySet<string>; readonly internal: readonly string[] }
  >;
}

/** Reports every reference to a document that is not in the feed. */
export function verifyLinks({ hashes, urls, links, linked }: LinkedDocuments, report: ReportFinding): void {
  for (const [id, { path, pages, internal }] of linked) {
    for (const other of internal) {
      const url = urls.get(other);
      if (other !== id && url !== undefined && !pages.has(url)) {
        report('LINK_BROKEN', path, `${id} lists ${other}, which its Markdown does not link to`);
      }
    }
  }
  const alternates = new Set(
    links.flatMap(([, from, to, url]) => (url === undefined ? [] : [`${from} ${to}`])),
  );
  for (const [, from, to, url] of links) {
    if (url !== undefined && hashes.has(to) && !alternates.has(`${to} ${from}`)) {
      report('LINK_BROKEN', 'feed/manifest.json', `${to} does not list its alternate ${from}`);
    }
  }
  for (const [path, from, to, url] of links) {
    if (url !== undefined && hashes.has(to) && urls.get(to) !== url) {
      report('LINK_BROKEN', path, `${from} gives ${url} as the URL of ${to}`);
    }
    if (!hashes.has(to)) report('LINK_BROKEN', path, `${from} points at ${to}, which is not in the feed`);
  }
}

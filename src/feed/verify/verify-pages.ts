import { decodePercent, parseUrl, siteHost } from '../../foundation/addresses.ts';
import { inParallel } from '../../foundation/concurrency.ts';
import { makeReadable, urlsIn } from '../chunks/chunk-text.ts';
import type { PublishedSite, ReadFeedFile } from '../feed-reader.ts';
import { markdownTwin } from '../records/make-feed-entry.ts';
import type { DocumentRecord } from '../records/record-schemas.ts';
import { decodeText, type ReportFinding, type Verification } from './findings.ts';

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
 * Verifies the pages of documents, the root pages, the home page of every language, and the assets they reference.
 * @param twins whether the Markdown files were compared; else they must exist
 * @returns number of documents whose pages were checked
 */
export async function verifyPages(
  { manifest, documents, report }: Verification,
  { site, most }: PageCheck,
  twins: boolean,
): Promise<number> {
  const { url: root } = manifest.site;
  const all = [...documents.values()];
  const step = Math.max(1, all.length / most);
  const checked = all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step)).slice(0, most);
  await inParallel(checked, concurrency, async ({ record }) => {
    const { id, url, markdown_url } = record;
    const [path, twin] = [pathOnSite(url, root) ?? '', pathOnSite(markdown_url, root) ?? ''];
    const html = await site.read(path.replace(/(^|\/)$/, '$1index.html'));
    const why = html === null ? null : whatIsWrong(decodeText(html), record);
    if (html === null) report('PAGE_MISSING', path, `the page of ${id} is missing`);
    else if (why !== null) report('PAGE_WRONG', path, `the page of ${id} ${why}`);
    if (!twins && !(await site.exists(twin))) report('TWIN_WRONG', twin, `the Markdown of ${id} is missing`);
  });
  const assets = new Map<string, string>();
  const homes = manifest.languages.map(({ language }) => `${language}/index.html`);
  for (const path of ['index.html', '404.html', ...homes]) {
    const html = await site.read(path);
    if (html === null) report('PAGE_MISSING', path, 'it is missing');
    for (const [, reference = ''] of decodeText(html ?? Buffer.of()).matchAll(assetPattern)) {
      const address = parseUrl(reference, new URL(path, new URL(root, anyOrigin)));
      const asset = pathOnSite(address?.href ?? '', root);
      if (asset !== null && !assets.has(asset)) assets.set(asset, path);
    }
  }
  await inParallel([...assets], concurrency, async ([asset, page]) => {
    if (!(await site.exists(asset))) report('ASSET_MISSING', asset, `${page} refers to it`);
  });
  return checked.length;
}

/** Compares the Markdown file of every document with its record. */
export async function verifyTwins(
  { manifest, documents, report }: Verification,
  read: ReadFeedFile,
): Promise<void> {
  for (const { record } of documents.values()) {
    const path = pathOnSite(record.markdown_url, manifest.site.url) ?? '';
    const twin = markdownTwin({ ...record, updatedAt: record.updated_at ?? null }, record.markdown);
    if (decodeText((await read(path)) ?? Buffer.of()) !== twin)
      report('TWIN_WRONG', path, `it is not the Markdown of ${record.id}`);
  }
}

/**
 * Finds the links to the site that lead to no file of it and that it does not redirect. Authors write such links, and a proxy may serve
 * something else below the site's URL, so they are no errors of the feed.
 */
export async function findDeadLinks(
  { manifest, documents }: Verification,
  { site, most }: PageCheck,
  warn: ReportFinding,
): Promise<void> {
  const pages = new Set([...documents.values()].map(({ record }) => record.url));
  const links = new Map<string, { readonly path: string; readonly from: string }>();
  for (const { record, path } of documents.values())
    for (const link of urlsIn(record.markdown))
      if (
        !links.has(link) &&
        !pages.has(link.replace(/#.*$/, '')) &&
        pathOnSite(link, manifest.site.url) !== null
      )
        links.set(link, { path, from: record.id });
  const redirects = decodeText((await site.read('_redirects')) ?? Buffer.of());
  const withoutSlash = (path: string) => decodePercent(path).replace(/\/$/, '');
  const redirected = new Set(redirects.split('\n').map((line) => withoutSlash(line.split(' ', 1)[0] ?? '')));
  const dead = new Set<string>();
  await inParallel([...links.keys()].slice(0, most), concurrency, async (link) => {
    if (redirected.has(withoutSlash(new URL(link, anyOrigin).pathname))) return;
    const file = pathOnSite(link, manifest.site.url) ?? '';
    for (const form of /(?:^|\/)$/.test(file) ? [file] : [file, `${file}/`, `${file}.html`])
      if (await site.exists(form)) return;
    dead.add(link);
  });
  for (const [link, { path, from }] of links)
    if (dead.has(link))
      warn('LINK_BROKEN', path, `${from} links to ${link}, which is no page or file of the site`);
}

/** Origin of a site that was built without a URL. */
const anyOrigin = 'https://site.invalid/';

/** Path of a URL in any spelling of the site's URL, decoded and relative to it; `null` for a URL elsewhere. */
function pathOnSite(address: string, siteUrl: string): string | null {
  const site = new URL(siteUrl, anyOrigin);
  const url = parseUrl(address, anyOrigin);
  const root = site.pathname.replace(/\/?$/, '/');
  return url !== null && siteHost(url) === siteHost(site) && `${url.pathname}/`.startsWith(root)
    ? decodePercent(url.pathname.slice(root.length))
    : null;
}

/** A page has more text than the Markdown, and may write a word with marks inside it. */
const leastWords = 0.8;

/** What is wrong with the page of a document; `null` if it has its anchors and its words, and names its own URL. */
function whatIsWrong(html: string, { url, headings, markdown }: DocumentRecord): string | null {
  const ids = new Set([...html.matchAll(/\bid="([^"]*)"/g)].map(([, id = '']) => decodeEntities(id)));
  const lost = headings.find(({ id }) => !ids.has(id));
  if (lost !== undefined) return `has no element with the id ${lost.id}`;
  const [, canonical] = /<link rel="canonical" href="([^"]*)"/.exec(html) ?? [];
  if (canonical !== undefined && decodeEntities(canonical) !== url) return `names ${canonical} as its URL`;
  const text = plainLetters(decodeEntities(html.replaceAll(/<[^>]*>/g, '')) + decodeEntities(html));
  const words = [...new Set(plainLetters(makeReadable(markdown)).match(/[\p{L}\p{N}]{3,}/gu) ?? [])];
  const found = words.filter((word) => text.includes(word)).length;
  return found < words.length * leastWords ? `has only ${found} of its ${words.length} words` : null;
}

function plainLetters(text: string): string {
  return text.replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '').normalize('NFC');
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function decodeEntities(html: string): string {
  return html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (all, name: string) => entities[name] ?? all);
}

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { parseUrl } from '../../foundation/addresses.ts';
import { inParallel } from '../../foundation/concurrency.ts';
import { makeReadable } from '../chunks/chunk-text.ts';
import type { PublishedSite, ReadFeedFile } from '../feed-reader.ts';
import { markdownTwin } from '../records/make-feed-entry.ts';
import type { DocumentRecord } from '../records/record-schemas.ts';
import { decodeText, type ReportFinding, type Verification } from './findings.ts';
import { sitePath } from './site-links.ts';

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
  const all = [...documents.values()];
  const step = Math.max(1, all.length / most);
  const checked = all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step)).slice(0, most);
  await inParallel(checked, concurrency, async ({ record }) => {
    const { id, url, markdown_url } = record;
    const [path, twin] = [url, markdown_url].map((address) => sitePath(address, manifest.site.url) ?? '') as [
      string,
      string,
    ];
    const html = await site.read(path.replace(/(^|\/)$/, '$1index.html'));
    const why = html === null ? null : whatIsWrong(decodeText(html), record);
    if (html === null) report('PAGE_MISSING', path, `the page of ${id} is missing`);
    else if (why !== null) report('PAGE_WRONG', path, `the page of ${id} ${why}`);
    if (!twins && !(await site.exists(twin))) report('TWIN_WRONG', twin, `the Markdown of ${id} is missing`);
  });
  const { url } = manifest.site;
  const assets = new Map<string, string>();
  const homes = manifest.languages.map(({ language }) => `${language}/index.html`);
  for (const path of ['index.html', '404.html', ...homes]) {
    const html = await site.read(path);
    if (html === null) report('PAGE_MISSING', path, 'it is missing');
    for (const asset of html === null ? [] : assetsOf(decodeText(html), path, url))
      if (!assets.has(asset)) assets.set(asset, path);
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
    const path = sitePath(record.markdown_url, manifest.site.url) ?? '';
    const twin = markdownTwin({ ...record, updatedAt: record.updated_at ?? null }, record.markdown);
    if (decodeText((await read(path)) ?? Buffer.of()) !== twin)
      report('TWIN_WRONG', path, `it is not the Markdown of ${record.id}`);
  }
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

function assetsOf(html: string, page: string, siteUrl: string): readonly string[] {
  const root = new URL(siteUrl, 'https://site.invalid/').href;
  return [...html.matchAll(assetPattern)]
    .flatMap(([, reference = '']) => parseUrl(reference, root + page) ?? [])
    .flatMap(({ href }) => sitePath(href, root) ?? []);
}

const decompressors = { br: brotliDecompressSync, gz: gunzipSync } as const;

/** Also reads the compressed copies of each file, which a web server may send instead: they must have its content. */
export function readWithCopies(read: ReadFeedFile, report: ReportFinding): ReadFeedFile {
  const compared = new Set<string>();
  return async (path) => {
    const bytes = await read(path);
    if (bytes === null || compared.has(path)) return bytes;
    compared.add(path);
    for (const [extension, decompress] of Object.entries(decompressors)) {
      const copy = await read(`${path}.${extension}`);
      if (copy !== null && !isCopy(bytes, copy, decompress)) {
        report('FILE_CHANGED', `${path}.${extension}`, `it is not a compressed copy of ${path}`);
      }
    }
    return bytes;
  };
}

function isCopy(
  bytes: Uint8Array,
  copy: Uint8Array,
  decompress: typeof gunzipSync | typeof brotliDecompressSync,
): boolean {
  try {
    // A larger content fails before it is in memory.
    return decompress(copy, { maxOutputLength: bytes.length + 1 }).equals(bytes);
  } catch {
    return false;
  }
}

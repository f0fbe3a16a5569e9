import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { parseUrl } from '../../foundation/addresses.ts';
import type { PublishedSite, ReadFeedFile } from '../feed-reader.ts';
import type { Manifest } from '../manifest.ts';
import { markdownTwin } from '../records/make-feed-entry.ts';
import type { DocumentRecord } from '../records/record-schemas.ts';
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
    .flatMap((reference) => parseUrl(reference, root + page) ?? [])
    .flatMap(({ href }) => sitePath(href, root) ?? []);
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
  decompress: (typeof decompressors)[keyof typeof decompressors],
): boolean {
  try {
    // A larger content fails before it is in memory.
    return decompress(copy, { maxOutputLength: bytes.length + 1 }).equals(bytes);
  } catch {
    return false;
  }
}

/** Verifies the Markdown file of a document. */
export async function verifyTwin(
  document: DocumentRecord,
  manifest: Manifest,
  read: ReadFeedFile,
  report: ReportFinding,
): Promise<void> {
  const path = sitePath(document.markdown_url, manifest.site.url);
  const bytes = path === null ? null : await read(path);
  const text = bytes === null ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const { id, language, title, url, tokens, updated_at, content } = document;
  const facts = { id, language, title, url, tokens, updatedAt: updated_at ?? null };
  if (text !== markdownTwin(facts, content.markdown)) {
    report('TWIN_WRONG', path ?? document.markdown_url, `it is not the Markdown of ${document.id}`);
  }
}

/** Values that several documents must have in common, as JSON by what they belong to. */
export type SharedValues = Map<string, string>;

/** Verifies fields that all translations of an article, or all documents of a category, have in common. */
export function verifyShared(
  { id, article_id, language, category, tags, created_at, alternates, translation }: DocumentRecord,
  path: string,
  shared: SharedValues,
  report: ReportFinding,
): void {
  const expect = (fields: string, owner: readonly string[], value: unknown): void => {
    const key = JSON.stringify([fields, ...owner]);
    const json = JSON.stringify(value);
    if ((shared.get(key) ?? json) !== json)
      report('HASH_WRONG', path, `${fields} of ${id} differ from those of other documents`);
    shared.set(key, json);
  };
  const { source_language, outdated, body_hash, source_body_hash } = translation;
  const ofArticle = [source_language, category?.id ?? null, tags, created_at ?? null];
  expect('source language, category, tags or date of creation', [article_id], ofArticle);
  if (category !== undefined) expect('category titles', [language, category.id], category.path);
  const isTranslation = language !== source_language && Object.hasOwn(alternates, source_language);
  if (isTranslation !== (body_hash !== undefined) || isTranslation !== (source_body_hash !== undefined)) {
    report('HASH_WRONG', path, `translation of ${id} does not match its languages`);
  } else if (!isTranslation && outdated) {
    report('HASH_WRONG', path, `${id} is outdated, and no translation`);
  }
  if (source_body_hash !== undefined) {
    expect('outdated', [article_id, source_body_hash], outdated);
    if (!outdated) expect('hashes of the original', [article_id], source_body_hash);
  }
}

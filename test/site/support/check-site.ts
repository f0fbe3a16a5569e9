import { parse } from 'parse5';
import { beforeAll, expect, test } from 'vitest';
import type { PublishedSite } from '../../support/publish-site.ts';
import type { SiteFiles } from '../../support/static-server.ts';

/** The facts that a crawler reads from a page. */
interface CrawledPage {
  readonly canonical: string | null;
  readonly isIndexed: boolean;
  /** hreflang → URL. */
  readonly alternates: ReadonlyMap<string, string>;
  readonly language: string | null;
}

interface ElementNode {
  readonly tagName?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly ElementNode[];
  readonly content?: ElementNode;
}

function crawl(html: string): CrawledPage {
  const alternates = new Map<string, string>();
  let canonical: string | null = null;
  let isIndexed = true;
  let language: string | null = null;
  const queue: ElementNode[] = [parse(html) as unknown as ElementNode];
  for (const node of queue) {
    const attributes = new Map(node.attrs?.map(({ name, value }) => [name, value]));
    const href = attributes.get('href');
    if (node.tagName === 'html') language = attributes.get('lang') ?? null;
    if (node.tagName === 'meta' && attributes.get('name') === 'robots') isIndexed = false;
    if (node.tagName === 'link' && attributes.get('rel') === 'canonical') canonical = href ?? null;
    if (node.tagName === 'link' && attributes.get('rel') === 'alternate') {
      const hreflang = attributes.get('hreflang');
      if (hreflang !== undefined) alternates.set(hreflang, href ?? '');
    }
    queue.push(...(node.childNodes ?? []));
  }
  return { canonical, isIndexed, alternates, language };
}

/** Origin of the sites in these tests. */
export const origin = 'https://help.example.com';

/** Path of the file for a URL of the site. */
function fileOf(address: string): string {
  const path = decodeURIComponent(new URL(address, origin).pathname).slice(1);
  return path === '' || path.endsWith('/') ? `${path}index.html` : path;
}

function crawlAll(files: SiteFiles): ReadonlyMap<string, CrawledPage> {
  const pages = [...files].filter(([path]) => path.endsWith('.html'));
  return new Map(pages.map(([path, html]) => [path, crawl(html.toString())]));
}

function sitemapUrls(files: SiteFiles): readonly string[] {
  const read = (path: string) =>
    [...(files.get(path)?.toString() ?? '').matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url ?? '');
  return read('sitemap.xml').flatMap((url) => read(fileOf(url)));
}

/** Checks that must hold for every site. */
export function checkSite(build: () => Promise<PublishedSite>): void {
  let files: SiteFiles;
  let pages: ReadonlyMap<string, CrawledPage>;

  beforeAll(async () => {
    ({ files } = await build());
    pages = crawlAll(files);
  });

  test('every alternate is answered by its page, in the language it names', () => {
    for (const [path, { alternates, isIndexed }] of pages) {
      if (alternates.size > 0) expect(isIndexed, path).toBe(true);
      for (const [hreflang, address] of alternates) {
        const target = pages.get(fileOf(address));
        expect(target, `${path} names ${address}`).toBeDefined();
        expect([...(target?.alternates ?? [])], `${path} and ${address}`).toEqual([...alternates]);
        if (hreflang !== 'x-default') expect(target?.language).toBe(hreflang);
      }
    }
  });

  test('every indexed page is its own canonical, and no other page is indexed', () => {
    for (const [path, { canonical, isIndexed }] of pages) {
      if (isIndexed) expect(canonical === null ? null : fileOf(canonical)).toBe(path);
    }
  });

  test('sitemaps name the indexed pages of every language, each once, and nothing else', () => {
    const listed = sitemapUrls(files).map(fileOf);
    const indexed = [...pages].filter(([path, { isIndexed }]) => isIndexed && path !== 'index.html');
    expect(listed.toSorted()).toEqual(indexed.map(([path]) => path).toSorted());
  });
}

import { parse } from 'parse5';

/** A link of a page to a file or element that does not exist. */
export interface BrokenLink {
  /** Path of the page it is on. */
  readonly path: string;
  readonly href: string;
  /** Language of the article shown, which on a notice page is not the page's own. */
  readonly language: string;
}

interface ElementNode {
  readonly tagName?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly ElementNode[];
}

interface ReadPage {
  readonly addresses: readonly string[];
  readonly ids: ReadonlySet<string>;
  readonly language: string;
}

/** `data-search` and `data-index` are the URLs of the search box's script and index. */
const addressAttributes = new Set(['href', 'src', 'poster', 'action', 'cite', 'data-search', 'data-index']);

/**
 * Follows every URL of every page that leads into the site: links, images, scripts, styles, alternates, forms and refreshes.
 * @param files the published files by path relative to the site's root
 * @param origin of the site, without a trailing slash
 */
export function findBrokenLinks(
  files: ReadonlyMap<string, string | Uint8Array>,
  origin: string,
): readonly BrokenLink[] {
  const pages = new Map<string, ReadPage>();
  for (const [path, content] of files) {
    if (path.endsWith('.html')) pages.set(path, readPage(content.toString()));
  }
  const broken: BrokenLink[] = [];
  for (const [path, { addresses, language }] of pages) {
    const base = new URL(encodeURI(path), `${origin}/`);
    for (const href of addresses) {
      if (!leadsSomewhere(new URL(href, base), origin, files, pages)) broken.push({ path, href, language });
    }
  }
  return broken;
}

function leadsSomewhere(
  url: URL,
  origin: string,
  files: ReadonlyMap<string, unknown>,
  pages: ReadonlyMap<string, ReadPage>,
): boolean {
  if (url.origin !== origin) return true;
  const wanted = decodeURIComponent(url.pathname).slice(1);
  const target = wanted === '' || wanted.endsWith('/') ? `${wanted}index.html` : wanted;
  if (!files.has(target)) return false;
  const fragment = decode(url.hash.slice(1).replace(/:~:.*$/s, ''));
  return (
    fragment === '' || fragment.toLowerCase() === 'top' || (pages.get(target)?.ids.has(fragment) ?? true)
  );
}

function readPage(html: string): ReadPage {
  const addresses: string[] = [];
  const ids = new Set<string>();
  let language = '';
  const queue: ElementNode[] = [parse(html) as unknown as ElementNode];
  for (const node of queue) {
    const attributes = new Map(node.attrs?.map(({ name, value }) => [name, value]));
    const isProse = attributes.get('class') === 'prose';
    if (node.tagName === 'html' || isProse) language = attributes.get('lang') ?? language;
    for (const [name, value] of attributes) {
      if (addressAttributes.has(name)) addresses.push(value);
      if (name === 'srcset')
        addresses.push(...value.split(',').map((part) => part.trim().split(/\s/)[0] ?? ''));
      if (name === 'id') ids.add(value);
    }
    const refresh = /url=(.*)$/i.exec(attributes.get('content') ?? '')?.[1];
    if (attributes.get('http-equiv') === 'refresh' && refresh !== undefined) addresses.push(refresh);
    queue.push(...(node.childNodes ?? []));
  }
  return { addresses, ids, language };
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

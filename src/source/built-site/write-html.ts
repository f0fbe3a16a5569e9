import { visitSource } from '../../content/parse/edit-tree.ts';
import { iframeUrl, imageUrls } from '../../content/parse/list-urls.ts';
import { attribute, type SourceNode } from '../../content/parse/source-tree.ts';
import { voidElements } from '../../content/policy/elements.ts';
import { escapeHtml, escapeText } from '../../core/html.ts';

/** HTML whose URLs are not known yet. */
export interface LooseHtml {
  /** HTML with a mark in the place of each URL; `null` if the page was not parsed. */
  readonly html: string | null;
  /** The URLs as the page has them, in the order of their marks. */
  readonly urls: readonly LooseUrl[];
}

export interface LooseUrl {
  readonly kind: 'link' | 'file';
  readonly url: string;
}

/** Attributes that the content stage reads, by which a page is smaller than its source. */
const kept = new Set(
  'id class name lang dir title cite start type reversed value open alt width height colspan rowspan scope align style display encoding controls checked role hidden aria-label aria-controls aria-expanded aria-labelledby aria-level bgcolor color datetime'.split(
    ' ',
  ),
);

/** Writes the children of a node as HTML. */
export function writeLooseHtml(root: SourceNode): LooseHtml & { readonly html: string } {
  const urls: LooseUrl[] = [];
  const parts: string[] = [];
  const mark = (kind: LooseUrl['kind'], url: string): string => `\0${urls.push({ kind, url }) - 1}\0`;
  visitSource(
    root,
    (node) => {
      if (node.name === '#text') parts.push(escapeText(node.text));
      else if (!node.name.startsWith('#')) parts.push(startTag(node, mark));
      return true;
    },
    ({ name }) => {
      if (!name.startsWith('#') && !voidElements.has(name)) parts.push(`</${name}>`);
    },
  );
  return { html: parts.join('').trim(), urls };
}

/** Puts URLs into the places of marks; an empty one removes the link or image in the content stage. */
export function fillUrls(
  { html, urls }: LooseHtml & { readonly html: string },
  resolve: (url: LooseUrl) => string,
): string {
  return html.replace(/\0(\d+)\0/g, (_mark, at: string) => escapeHtml(resolve(urls[Number(at)] as LooseUrl)));
}

function startTag(node: SourceNode, mark: (kind: LooseUrl['kind'], url: string) => string): string {
  let tag = `<${node.name}`;
  for (const { name, value } of node.attributes) {
    if (kept.has(name)) tag += ` ${name}="${escapeHtml(value)}"`;
  }
  for (const [name, kind, url] of urlsOf(node)) tag += ` ${name}="${mark(kind, url)}"`;
  return `${tag}>`;
}

type UrlAttribute = readonly [name: string, kind: LooseUrl['kind'], url: string];

function urlsOf(node: SourceNode): readonly UrlAttribute[] {
  const of = (name: string, kind: LooseUrl['kind']): readonly UrlAttribute[] => {
    const value = attribute(node, name);
    return value === null ? [] : [[name, kind, value]];
  };
  switch (node.name) {
    case 'a':
      return of('href', 'link');
    case 'img':
      return imageUrls(node)
        .slice(0, 1)
        .map((url) => ['src', 'file', url]);
    case 'iframe': {
      const url = iframeUrl(node);
      return url === '' ? [] : [['src', 'link', url]];
    }
    case 'video':
      return [...of('src', 'file'), ...of('poster', 'file')];
    case 'audio':
    case 'source':
      return of('src', 'file');
    default:
      return [];
  }
}

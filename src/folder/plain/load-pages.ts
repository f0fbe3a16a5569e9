import { hash } from 'node:crypto';
import { parsePageFrontMatter } from '../front-matter.ts';
import { prepareMdx } from '../prepare-markdown.ts';
import { readTextInside } from '../safe-files.ts';
import { type PagePath, textField } from './page-fields.ts';

export const pageFile = /\.(?:mdx?|markdown|html?)$/i;

/** Files whose names start with an underscore are parts of pages, except those that describe their folder. */
export function isPartial(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('_') && !/^_index(?:\.|$)/.test(name));
}

/** A path without its extension. */
export function stemOf(path: string): string {
  return path.replace(/\.[^./]+$/, '');
}

/** A file of a plain folder, split into its parts. */
export interface PageFile {
  readonly data: Readonly<Record<string, unknown>>;
  /** Markdown without the first heading if that is the title, or HTML. */
  readonly text: string;
  /** Title from the front matter, else from a first heading; `null` if there is neither. */
  readonly title: string | null;
  /** SHA-256 of the file. */
  readonly contentHash: string;
  /** MDX components that were replaced by their content. */
  readonly components: readonly string[];
}

/** A file that is not a page, and the reason. */
export interface SkippedFile {
  readonly why: string;
}

/** A page with everything from its path and front matter. */
export interface Page extends PageFile, PagePath {
  /** Relative to the root. */
  readonly path: string;
  /** Relative to its folder of pages. */
  readonly pathInTree: string;
  readonly tree: string;
  readonly isHtml: boolean;
}

/** Pages by path, valid as long as their file does not change. */
export type PageCache = Map<string, { readonly stamp: string; readonly file: PageFile | SkippedFile }>;

/**
 * Reads a page, or returns it from the cache. An HTML file without front matter is not a page; MDX is a page only if its text is all that
 * readers see. Throws an `Error` with a sentence for the author.
 */
export function readPageFile(
  root: string,
  path: string,
  stamp: string,
  cache: PageCache,
): PageFile | SkippedFile {
  const known = cache.get(path);
  if (known?.stamp === stamp) return known.file;
  const file = parsePage(readTextInside(root, path), path);
  cache.set(path, { stamp, file });
  return file;
}

function parsePage(source: string, path: string): PageFile | SkippedFile {
  const isHtml = /\.html?$/i.test(path);
  const contentHash = hash('sha256', source);
  const text = source.replace(/^\uFEFF/, '');
  const cut = parsePageFrontMatter(text);
  if (isHtml && cut === null) return { why: 'has no front matter' };
  const { data, body: written } = cut ?? { data: {}, body: text };
  const mdx = /\.mdx$/i.test(path) ? prepareMdx(written) : { text: written, components: [], why: null };
  if (mdx.why !== null) return mdx;
  const { text: body, components } = mdx;
  const given = textField(data, 'title', 'linkTitle');
  if (isHtml) return { data, text: body, title: given, contentHash, components };
  const heading = findTitle(body);
  const isTitle = heading !== null && (given === null || heading.text.toLowerCase() === given.toLowerCase());
  return {
    data,
    text: isTitle ? body.slice(heading.end) : body,
    title: given ?? heading?.text ?? null,
    contentHash,
    components,
  };
}

/** A first-level heading before all other text; `end` is the start of the text after it. */
function findTitle(text: string): { readonly text: string; readonly end: number } | null {
  const match =
    /^(?:\s|<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}|import [^\n]*\n)*?#[ \t]+([^\n]+?)[ \t]*#*[ \t]*(?:\r?\n|$)/.exec(
      text,
    ) ?? /^\s*([^\s#>*`~|<:-][^\n]*)\r?\n=+[ \t]*(?:\r?\n|$)/.exec(text);
  if (match === null) return null;
  const plain = (match[1] ?? '')
    .replace(/\s*\{#[\w-]+\}$/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|[*`])(?=\S)(.*?\S)\1/g, '$2')
    .trim();
  return plain === '' ? null : { text: plain, end: match[0].length };
}

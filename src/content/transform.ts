import type { ContentProblem, ContentSettings, Document } from './document.ts';
import { cleanBody } from './tree/clean-body.ts';
import { CleanElement, type CleanNode, removeSoftHyphens } from './tree/clean-tree.ts';
import { assignHeadingIds } from './tree/headings.ts';
import { resolveFragments } from './tree/links.ts';
import { tableRegionClass } from './tree/tables.ts';
import { type Reader, writeHtml } from './write/author-html.ts';
import { writeMarkdown } from './write/write-markdown.ts';
import { writeText } from './write/write-text.ts';

/**
 * Turns one author body (untrusted HTML) into everything the site and the feed publish of it. Pure; never throws unless a resolver does.
 */
export function transform(body: string, settings: ContentSettings): Document {
  const { root, context, headings, anchors } = readBody(body, settings);
  const html = writeHtml(root);
  const changes = new Set<string>();
  const urlFor = (target: string): string => {
    const { url, change } = settings.feedUrl?.(target) ?? { url: target, change: null };
    if (change !== null) changes.add(change);
    return url;
  };
  // Pages break lines at soft hyphens; Markdown and text do not need them.
  if (html.includes('\u00ad')) removeSoftHyphens(root);
  const markdown = writeMarkdown(root, { reader: 'site', urlFor });
  return {
    html,
    headings,
    ...markdown,
    ...writeText(root),
    links: [...context.linkDetails].map(({ href, target, articleId, fragment }) => ({
      href,
      kind: target,
      articleId,
      fragment,
    })),
    images: context.images,
    files: context.files,
    anchors,
    problems: [...context.problems, ...describeChanges([...changes])],
  };
}

/** The sanitised tree of a body, with ids of headings and targets of links. */
function readBody(body: string, settings: ContentSettings) {
  const { root, anchored, context } = cleanBody(body, settings);
  const assigned = assignHeadingIds(context.headings, anchored, settings);
  resolveFragments(context, assigned);
  return { root, context, ...assigned };
}

function describeChanges([first, ...others]: readonly string[]): readonly ContentProblem[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, and ${others.length} more URLs are changed`;
  return [{ code: 'FEED_URL_CHANGED', message: `in the feed, ${first}${more}` }];
}

/** A body in a form that its author can edit. */
export interface AuthorDocument {
  /** Markdown, with HTML if Markdown has no equivalent. Rendering it should give the same HTML and text. */
  readonly markdown: string;
  /**
   * The result of {@link transform}, with invisible differences removed: `<b>` becomes `<strong>`, a `<div>` that only groups blocks is
   * removed, the text of a callout becomes a paragraph.
   */
  readonly html: string;
  readonly text: string;
  readonly problems: readonly ContentProblem[];
}

/**
 * Reads a body for its author. Pure; never throws unless a resolver does.
 * @param reader `author-html`: also writes tables and players as HTML
 */
export function readForAuthor(
  body: string,
  settings: ContentSettings,
  reader: Exclude<Reader, 'site'> = 'author',
): AuthorDocument {
  const { root, context } = readBody(body, settings);
  simplify(root);
  return {
    markdown: writeMarkdown(root, { reader, urlFor: (url) => url, hasIds: settings.keepsIds ?? false })
      .markdown,
    html: writeHtml(root),
    text: writeText(root).text,
    problems: context.problems,
  };
}

const sameLook: Readonly<Record<string, string>> = { b: 'strong', i: 'em', s: 'del' };

/** The depth limit of the tree bounds the recursion. */
function simplify(element: CleanElement): void {
  element.children = element.children.flatMap((child): readonly CleanNode[] => {
    if (typeof child === 'string') return [child];
    simplify(child);
    child.rename(sameLook[child.tag] ?? child.tag);
    // The wrapper of a wide table: every rendering adds it.
    if (child.tag === 'div' && isTableRegion.test(child.attributes)) return child.children;
    if (child.detail?.kind === 'callout') child.children = wrapText(child.children);
    const isGroup = child.tag === 'div' && child.attributes === '' && child.id === null;
    return isGroup && child.children.every(isBlock) ? child.children : [child];
  });
}

const isTableRegion = new RegExp(`^ class="${tableRegionClass}[ "]`);

/** Wraps a callout's bare text in a paragraph, as rendering the Markdown would. */
function wrapText(children: readonly CleanNode[]): CleanNode[] {
  if (children.length === 0 || children.some(isBlock)) return [...children];
  return [new CleanElement('p', '', null, [...children])];
}

function isBlock(node: CleanNode): boolean {
  return node instanceof CleanElement && !node.kind.isText;
}

import { stripInvisible, stripSoftHyphens } from '../../core/invisible.ts';
import type { ContentProblem, Redaction } from '../document.ts';
import { after, following } from './edit-tree.ts';
import { iframeAttributes, imageSetAttributes, imageUrlAttributes } from './list-urls.ts';
import { rawText } from './raw-text.ts';
import type { SourceNode } from './source-tree.ts';

/** The text of a body in one string, and which node each part comes from. */
interface JoinedText {
  text: string;
  readonly nodes: { readonly node: SourceNode; readonly start: number }[];
  /** Headings by position. */
  readonly headings: { readonly start: number; readonly title: string }[];
}

/**
 * Replaces what must not be published in the texts and attributes of a body, also if elements or invisible characters take it apart.
 * URLs of copied files stay, because the page has the URL of the copy.
 * @param report called once for each value and place
 */
export function redactSource(
  root: SourceNode,
  { find, replace, describe, isCopied }: Redaction,
  report: (problem: ContentProblem) => void,
): void {
  const problems = new Map<string, ContentProblem>();
  const note = (problem: ContentProblem) => problems.set(problem.message, problem);
  const joined: JoinedText = { text: '', nodes: [], headings: [] };
  /** An address ends where its element ends, also if the next one begins without a space. */
  const redactNode = (text: string): string => {
    const found = find(text, null).filter(({ removesUrl }) => removesUrl);
    const heading = joined.headings.at(-1);
    for (const one of found) note(describe(one, placeBelow(heading?.title)));
    return replace(text, found);
  };
  for (const node of visitPublished(root)) {
    if (node.name === '#text') {
      node.text = redactNode(stripSoftHyphens(stripInvisible(node.text)));
      joined.nodes.push({ node, start: joined.text.length });
      joined.text += node.text;
      continue;
    }
    if (!node.kind.isText || node.name === 'br') joined.text += '\n';
    if (/^h[1-6]$/.test(node.name)) {
      const title = rawText(node, 200);
      joined.headings.push({ start: joined.text.length, title: replace(title, find(title, null)) });
    }
    for (const attribute of node.attributes) {
      const { name } = attribute;
      const isUrl = urlAttributes.has(name);
      // Browsers ignore tabs and line breaks in a URL.
      const value = isUrl ? attribute.value.replace(/[\t\n\r]/g, '') : attribute.value;
      if (/^data:/i.test(value) || isCopied(value)) continue;
      const found = find(value, name);
      if (found.length === 0) continue;
      attribute.value = isUrl && found.some(({ removesUrl }) => removesUrl) ? '' : replace(value, found);
      for (const one of found) note(describe(one, `the attribute ${name}`));
    }
  }
  const found = find(joined.text, null);
  for (const one of found) {
    const heading = joined.headings.findLast(({ start }) => start <= one.start);
    note(describe(one, placeBelow(heading?.title)));
  }
  for (const problem of problems.values()) report(problem);
  let next = joined.nodes.length - 1;
  for (const one of found.toReversed()) {
    if (one.isSample) continue;
    while (next >= 0 && (joined.nodes[next]?.start ?? 0) >= one.end) next -= 1;
    for (let at = next; at >= 0; at -= 1) {
      const { node, start } = joined.nodes[at] as JoinedText['nodes'][number];
      const from = Math.max(0, one.start - start);
      const cut = node.text.slice(from, one.end - start);
      const isFirst = start <= one.start;
      node.text =
        node.text.slice(0, from) +
        (isFirst ? replace(cut, [{ ...one, start: 0, end: cut.length }]) : '') +
        node.text.slice(one.end - start);
      if (isFirst) break;
    }
  }
}

function placeBelow(heading: string | undefined): string {
  return heading === undefined ? 'the text' : `the text below "${heading}"`;
}

/** Attributes that contain one URL, or several in a `srcset`. */
const urlAttributes: ReadonlySet<string> = new Set([
  ...['href', 'cite', 'poster', 'longdesc', 'background'],
  ...imageUrlAttributes,
  ...imageSetAttributes,
  ...iframeAttributes,
]);

/** All nodes whose text or attributes may be published, in document order. Iterative. */
function* visitPublished(root: SourceNode): Generator<SourceNode> {
  for (let at = root.first; at !== null; ) {
    const isDropped = at.kind.treatment?.kind === 'drop';
    if (!isDropped) yield at;
    at = isDropped ? after(at, root) : following(at, root);
  }
}

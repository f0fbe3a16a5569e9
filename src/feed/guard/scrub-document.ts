import type { Block, Document, Heading } from '../../content/document.ts';

/** The part of a document that the feed publishes. */
export interface FeedDocument {
  readonly markdown: string;
  readonly blocks: readonly Block[];
  readonly text: string;
  readonly headings: readonly Heading[];
  /** Articles of this knowledge base that are linked to, once each, in order. */
  readonly linkedArticleIds: readonly string[];
  /** Other http(s) addresses that are linked to, once each, in order. */
  readonly externalLinks: readonly string[];
  readonly images: readonly { readonly src: string; readonly alt: string | null }[];
}

/**
 * Takes credentials, signatures and private addresses out of the link and image targets of a document. Prose and code
 * stay. Pure.
 */
export function scrubDocument(document: Document): FeedDocument {
  const external = document.links.flatMap((link) =>
    link.kind === 'external' && /^https?:/i.test(link.href) ? [scrubUrl(link.href)] : [],
  );
  const linked = document.links.flatMap((link) =>
    link.kind === 'internal' && link.articleId !== null ? [link.articleId] : [],
  );
  return {
    ...scrubBlocks(document),
    text: document.text,
    headings: document.headings,
    linkedArticleIds: [...new Set(linked)],
    externalLinks: [...new Set(external)].filter((url) => !isPrivateUrl(url)),
    images: document.images
      .filter(({ url }) => !url.startsWith('data:') && !isPrivateUrl(url))
      .map(({ url, alt }) => ({ src: scrubUrl(url), alt })),
  };
}

/** Scrubs the Markdown and moves the offsets of its blocks along. */
function scrubBlocks({ markdown, blocks }: Document): Pick<FeedDocument, 'markdown' | 'blocks'> {
  const edits = findUrlEdits(markdown);
  if (edits.length === 0) return { markdown, blocks };
  // No link target reaches over the start or end of a block.
  const offsets = blocks.flatMap(({ start, end, bodyStart, items }) => [start, end, bodyStart, ...items]);
  const moved = new Map<number, number>();
  let next = 0;
  let shift = 0;
  for (const offset of offsets.sort((a, b) => a - b)) {
    for (let edit = edits[next]; edit !== undefined && edit.end <= offset; edit = edits[next]) {
      shift += edit.text.length - (edit.end - edit.start);
      next += 1;
    }
    moved.set(offset, offset + shift);
  }
  const move = (offset: number): number => moved.get(offset) ?? offset;
  return {
    markdown: applyEdits(markdown, edits),
    blocks: blocks.map((block) => ({
      ...block,
      start: move(block.start),
      end: move(block.end),
      bodyStart: move(block.bodyStart),
      items: block.items.map(move),
    })),
  };
}

/**
 * Code, or start of a link's or image's address, and the address: between angle brackets, or with balanced parentheses.
 */
const codeOrDestination =
  /(?<![\\`])(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|(\]\()(?:<([^<>\n]*)>|((?:\\.|[^()\s<>\\]+|\((?:\\.|[^()\s<>\\]){0,2000}\)){1,2000}))/g;

/** A stretch of a text and what replaces it. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Finds the link and image targets of a Markdown text that must not be published as they are, in order. Credentials and
 * signatures go; links and images that lead to private addresses, and images that are data, lead nowhere (`#`). Prose
 * and code stay.
 */
function findUrlEdits(markdown: string): readonly Edit[] {
  const edits: Edit[] = [];
  for (const match of markdown.matchAll(codeOrDestination)) {
    const [all, , open, quoted, bare] = match;
    if (open === undefined) continue;
    const url = quoted ?? bare?.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1') ?? '';
    const isNowhere = isPrivateUrl(url) || /^data:/i.test(url);
    const clean = isNowhere ? '#' : scrubUrl(url);
    if (clean === url) continue;
    const start = match.index + open.length;
    const text = isNowhere ? clean : clean.replaceAll(/[\\()<>\s]/g, escapeSign);
    edits.push({ start, end: match.index + all.length, text });
  }
  return edits;
}

/** Applies {@link findUrlEdits}. */
export function scrubMarkdown(markdown: string): string {
  return applyEdits(markdown, findUrlEdits(markdown));
}

/** Applies edits, which are in order and do not overlap. */
function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const edit of edits) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

function escapeSign(sign: string): string {
  return /\s/.test(sign) ? encodeURIComponent(sign) : `\\${sign}`;
}

/** Names of query parameters of a signed URL, whose query is removed as a whole. */
const signature = /^(?:x-amz-signature|x-goog-signature|signature|sig|hmac|key-pair-id)$/i;

/** Names of query parameters that are a credential by themselves. */
const credential =
  /^(?:x-amz-.*|(?:access|auth|id|refresh|session)?[_-]?token|api[_-]?key|jwt|password|secret)$/i;

/**
 * Takes what must not be published out of one address: signatures and credentials in the query, and user names with
 * passwords. Signed addresses expire and change with every run, so they would also make a feed wobble.
 */
export function scrubUrl(url: string): string {
  const named = url.replace(/^(https?\\?:\/\/)[^/?#@]*@/i, '$1');
  const [, before = '', query = '', fragment = ''] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(named) ?? [];
  if (query === '') return named;
  const parameters = query.split(/&amp;|\\?&/);
  const names = parameters.map((parameter) => (parameter.split(/\\?=/)[0] ?? '').replaceAll('\\', ''));
  if (names.some((name) => signature.test(name))) return before.replace(/\\$/, '') + fragment;
  const kept = parameters.filter((_, at) => !credential.test(names[at] ?? ''));
  if (kept.length === parameters.length) return named;
  return `${before}${kept.length === 0 ? '' : `?${kept.join('&')}`}${fragment}`;
}

/**
 * Whether an address leads to a machine or network of its reader alone (loopback, private and link-local ranges,
 * names that no public name server knows).
 */
export function isPrivateUrl(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : '';
  return (
    /^(?:localhost|.*\.(?:localhost|local|internal|intranet|lan|home\.arpa))$/.test(host) ||
    /^(?:127|10)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^0\.0\.0\.0$/.test(host) ||
    /^\[(?:::1?|f[cd].*|fe[89ab].*)\]$/.test(host)
  );
}

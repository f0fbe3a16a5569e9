import type { Block, Document, Heading } from '../../content/document.ts';
import { parseUrl, siteHost } from '../../core/addresses.ts';
import { stripSoftHyphens } from '../../core/invisible.ts';
import { applyEdits, type TextEdit } from '../../core/text-edits.ts';

/** The part of a document that the feed publishes. */
export interface FeedDocument {
  readonly markdown: string;
  readonly blocks: readonly Block[];
  readonly text: string;
  readonly headings: readonly Heading[];
  /** Alternative texts of its images. */
  readonly alts: readonly string[];
}

/**
 * Removes credentials, signatures and private URLs from the link and image targets of a document. Prose and code do not change. Pure.
 * @param ownHost host of the site (see `siteHost`), which is never private: it may be an intranet's; `null` if unknown
 */
export function scrubDocument(document: Document, ownHost: string | null): FeedDocument {
  return {
    ...scrubBlocks(document, ownHost),
    text: document.text,
    headings: document.headings.map((one) => ({ ...one, text: stripSoftHyphens(one.text) })),
    alts: document.images.flatMap(({ alt }) => (alt === null ? [] : [stripSoftHyphens(alt)])),
  };
}

/** Says which URLs {@link scrubDocument} changes, without what it removes; `null` if none. */
export function describeScrubbed(
  { links, images }: Pick<Document, 'links' | 'images'>,
  ownHost: string | null,
): string | null {
  const urls = [
    ...links.flatMap(({ kind, href }) => (kind === 'external' ? [href] : [])),
    ...images.flatMap(({ url }) => (url.startsWith('data:') ? [] : [url])),
  ];
  const changed = urls.flatMap((url) => {
    const clean = scrubUrl(url);
    if (isPrivateUrl(url, ownHost)) return [`${clean} became #`];
    return clean === url ? [] : [`${clean} lost its credentials`];
  });
  const [first, ...others] = new Set(changed);
  if (first === undefined) return null;
  return `in the feed, ${first}${others.length === 0 ? '' : `, and ${others.length} more URLs are changed`}`;
}

/** Scrubs the Markdown and adapts the offsets of its blocks. */
function scrubBlocks(
  { markdown, blocks }: Document,
  ownHost: string | null,
): Pick<FeedDocument, 'markdown' | 'blocks'> {
  const edits = findUrlEdits(markdown, ownHost);
  if (edits.length === 0) return { markdown, blocks };
  // No link target crosses the start or end of a block.
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

/** Matches code, or the URL of a link or image with the syntax before it: between angle brackets, or with balanced parentheses. */
const codeOrDestination =
  /(?<![\\`])(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|(\]\()(?:<([^<>\n]*)>|((?:\\.|[^()\s<>\\]+|\((?:\\.|[^()\s<>\\]){0,2000}\)){1,2000}))/g;

/**
 * Finds the link and image targets of a Markdown text that must not be published unchanged, in order. Credentials and signatures are
 * removed; private URLs and `data:` images become `#`. Prose and code do not change.
 */
export function findUrlEdits(markdown: string, ownHost: string | null): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  for (const match of markdown.matchAll(codeOrDestination)) {
    const [all, , open, quoted, bare] = match;
    if (open === undefined) continue;
    const url = quoted ?? bare?.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1') ?? '';
    const isNowhere = isPrivateUrl(url, ownHost) || /^data:/i.test(url);
    const clean = isNowhere ? '#' : scrubUrl(url);
    if (clean === url) continue;
    const start = match.index + open.length;
    const text = isNowhere ? clean : clean.replaceAll(/[\\()<>\s]/g, escapeSign);
    edits.push({ start, end: match.index + all.length, text });
  }
  return edits;
}

function escapeSign(sign: string): string {
  return /\s/.test(sign) ? encodeURIComponent(sign) : `\\${sign}`;
}

/** Query parameters of a signed URL, whose whole query is removed. */
const signature = /^(?:x-amz-signature|x-goog-signature|signature|sig|hmac|key-pair-id)$/i;

/** Query parameters that are credentials. */
const credential =
  /^(?:x-amz-.*|(?:access|auth|id|refresh|session)?[_-]?token|api[_-]?key|jwt|password|secret)$/i;

/**
 * Removes signatures, credentials and user information from a URL. Signed URLs also expire and change with every run, so the feed would
 * change without need.
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
 * Whether a URL leads to a private machine or network (loopback, private and link-local ranges, names that public DNS does not know) other
 * than the site itself.
 */
export function isPrivateUrl(url: string, ownHost: string | null): boolean {
  const parsed = parseUrl(url);
  if (parsed === null || siteHost(parsed) === ownHost) return false;
  const host = parsed.hostname.replace(/\.$/, '');
  return (
    /^(?:localhost|.*\.(?:localhost|local|internal|intranet|lan|home\.arpa))$/.test(host) ||
    /^(?:127|10)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^0\.0\.0\.0$/.test(host) ||
    /^\[(?:::1?|f[cd].*|fe[89ab].*)\]$/.test(host)
  );
}

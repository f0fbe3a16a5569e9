import { parseUrl } from '../../foundation/addresses.ts';

/** Input for the texts of a chunk. */
export interface ChunkSource {
  readonly title: string;
  /** URL of the page. */
  readonly url: string;
  readonly headingPath: readonly string[];
  readonly categoryPath: readonly string[];
  /** Preceding Markdown of the document that the chunk repeats. */
  readonly lead: string;
  readonly markdown: string;
}

/** The `text` and `embed_text` of a chunk record. */
export interface ChunkTexts {
  readonly text: string;
  /**
   * `Title › H2 › H3 (Category › Subcategory)`, an empty line, and the text without its leading headings (they are in the breadcrumb) and
   * without the URLs of links.
   */
  readonly embedText: string;
}

const leadingHeadings = /^(?:#{1,6} [^\n]*\n*)+/;
/** Matches a lead that the text continues on the next line: the last line is a row of a table or the fence that opens code. */
const opensNextLine = /(?:^|\n)(?:\|[^\n]*|`{3,}[^\n`]*)$/;
const blankStart = /^(?:[^\S\n]*\n)+/;

/** Makes the texts of a chunk. Pure. */
export function chunkTexts({
  title,
  url,
  headingPath,
  categoryPath,
  lead,
  markdown,
}: ChunkSource): ChunkTexts {
  const category = categoryPath.length === 0 ? '' : ` (${categoryPath.join(' › ')})`;
  const breadcrumb = `${[title, ...headingPath].join(' › ')}${category}`;
  // A chunk that begins with a heading does not continue anything.
  const headings = lead === '' ? (leadingHeadings.exec(markdown)?.[0] ?? '') : '';
  const between = lead === '' ? '' : opensNextLine.test(lead) ? '\n' : '\n\n';
  const body = makeReadable(lead + between + markdown.slice(headings.length), url);
  const text = makeReadable(headings, url).text + body.text;
  return {
    text: text.replace(blankStart, '').trimEnd(),
    embedText: `${breadcrumb}\n\n${body.words.replace(blankStart, '')}`.trimEnd(),
  };
}

/** A passage of Markdown in the two forms that a chunk contains. */
export interface ReadableText {
  /** For people and models: without escapes outside code, with absolute links, and images as their alt texts. */
  readonly text: string;
  /** The same with the words of links only, for search and embedding. */
  readonly words: string;
}

const mayHoldSyntax = /[\\`[]/;

/** Destination of a link or image: between angle brackets, or with escaped characters. */
const destination = String.raw`\(((?:<[^<>\n]*>|(?:\\[^]|[^()\s\\<]|\((?:\\[^]|[^()\s\\])*\))*))\)`;

/** Markdown syntax that the content stage writes. Each alternative starts with a different character or position. */
const syntax = new RegExp(
  [
    // Fenced code, after the marks of its containers, to its closing fence or the end of the chunk.
    String.raw`^((?:[ >]|[-*] |\d{1,9}[.)] )*(\`{3,})[^\`\n]*(?:\n[^]*?)??(?:\n[ >]*\2\`*[ ]*$|(?![^])))`,
    String.raw`((?<!\`)(\`+)(?!\`)[^]*?(?<!\`)\4(?!\`))`,
    String.raw`!\[((?:\\[^]|[^[\]\\])*)\]${destination}`,
    String.raw`\]${destination}`,
    String.raw`\\([!-/:-@[-\`{-~\n])`,
    String.raw`([[\]])`,
  ].join('|'),
  'gm',
);

const escaped = /\\([!-/:-@[-`{-~])/g;

/**
 * Makes a passage of Markdown readable. Code does not change; a passage that ends inside fenced code is code up to its end. The result is
 * text and not safe as HTML or Markdown: an `<b>` that the author escaped becomes `<b>` again.
 * @param pageUrl URL of the page, against which links are resolved
 */
export function makeReadable(markdown: string, pageUrl: string): ReadableText {
  if (!mayHoldSyntax.test(markdown)) return { text: markdown, words: markdown };
  const text: string[] = [];
  const words: string[] = [];
  /** Positions in `words` of the opening brackets that may start a link. */
  const open: number[] = [];
  const add = (piece: string): void => {
    text.push(piece);
    words.push(piece);
  };
  const isInTable = createTableFinder(markdown);
  let at = 0;
  for (const match of markdown.matchAll(syntax)) {
    const [all, fenced, , code, , alt, , target, sign, bracket] = match;
    if (match.index > at) add(markdown.slice(at, match.index));
    at = match.index + all.length;
    if (fenced !== undefined) add(fenced);
    else if (code !== undefined)
      add(code.includes('\\|') && isInTable(match.index) ? code.replaceAll('\\|', '|') : code);
    else if (alt !== undefined) add(alt.replaceAll(escaped, '$1'));
    else if (sign !== undefined) add(sign);
    else if (target !== undefined) {
      const start = open.pop();
      if (start !== undefined) words[start] = '';
      text.push(`](${absoluteUrl(target, pageUrl)})`);
    } else {
      if (bracket === ']') open.pop();
      else open.push(words.length);
      add(all);
    }
  }
  add(markdown.slice(at));
  return { text: text.join(''), words: words.join('') };
}

/** URLs of the links and images of a passage of Markdown, in order. */
export function targetsOf(markdown: string): {
  readonly links: ReadonlySet<string>;
  readonly images: ReadonlySet<string>;
} {
  const links = new Set<string>();
  const images = new Set<string>();
  for (const [, , , , , alt, image, link] of markdown.matchAll(syntax)) {
    if (alt !== undefined) images.add(plainTarget(image ?? ''));
    else if (link !== undefined) links.add(plainTarget(link));
  }
  return { links, images };
}

function plainTarget(target: string): string {
  return target.startsWith('<') ? target.slice(1, -1) : target.replaceAll(escaped, '$1');
}

const tableRow = /^(?:[ >]|[-*] |\d{1,9}[.)] )*\|/;

/**
 * Returns a function that tells whether an offset is in a table row, where a bar is escaped even in code. Call it with increasing offsets.
 */
function createTableFinder(markdown: string): (offset: number) => boolean {
  let start = 0;
  let end = -1;
  return (offset) => {
    while (end < offset) {
      start = end + 1;
      end = markdown.indexOf('\n', start);
      if (end < 0) end = markdown.length;
    }
    return tableRow.test(markdown.slice(start, Math.min(offset, start + 100)));
  };
}

/** A URL of Markdown, resolved. Characters that would end it in a link are percent-encoded. */
function absoluteUrl(target: string, pageUrl: string): string {
  return resolve(plainTarget(target), pageUrl).replaceAll(
    /[()<>\\\s]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** Resolves a URL. A root-relative URL does not change if the site URL is unknown. */
export function resolve(url: string, pageUrl: string): string {
  if (/^[a-z][a-z\d+.-]*:/i.test(url)) return url;
  return parseUrl(url, pageUrl)?.href ?? (url.startsWith('#') ? pageUrl + url : url);
}

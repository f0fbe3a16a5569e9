/** Input for the texts of a chunk. */
export interface ChunkSource {
  readonly title: string;
  /** Address of the page. */
  readonly url: string;
  readonly headingPath: readonly string[];
  readonly categoryPath: readonly string[];
  /** Markdown that precedes it in the document and is repeated. */
  readonly lead: string;
  readonly markdown: string;
}

/** The `text` and `embed_text` of a chunk record. */
export interface ChunkTexts {
  readonly text: string;
  /**
   * `Title › H2 › H3 (Category › Subcategory)`, an empty line, and the text without its leading headings (the
   * breadcrumb has them) and the addresses of links.
   */
  readonly embedText: string;
}

const leadingHeadings = /^(?:#{1,6} [^\n]*\n*)+/;
/** The last line of a lead: a row of a table, or the fence that opens code. What follows is the next line of it. */
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
  // A chunk that begins with a heading continues nothing.
  const headings = lead === '' ? (leadingHeadings.exec(markdown)?.[0] ?? '') : '';
  const between = lead === '' ? '' : opensNextLine.test(lead) ? '\n' : '\n\n';
  const body = makeReadable(lead + between + markdown.slice(headings.length), url);
  const text = makeReadable(headings, url).text + body.text;
  return {
    text: text.replace(blankStart, '').trimEnd(),
    embedText: `${breadcrumb}\n\n${body.words.replace(blankStart, '')}`.trimEnd(),
  };
}

/** A piece of Markdown in the two forms of a chunk. */
export interface ReadableText {
  /** For people and models to read: escapes gone outside code, links absolute, images as their alt texts. */
  readonly text: string;
  /** The same with links as their words: what to index. */
  readonly words: string;
}

const mayHoldSyntax = /[\\`[]/;

/** Where a link or image leads, between angle brackets or with escaped signs. */
const destination = String.raw`\(((?:<[^<>\n]*>|(?:\\[^]|[^()\s\\<]|\((?:\\[^]|[^()\s\\])*\))*))\)`;

/** Markdown syntax that the content stage writes. Each alternative starts with another character or position. */
const syntax = new RegExp(
  [
    // Fenced code, behind the marks of the containers it is in, to its closing fence or the end of the chunk.
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
 * Makes a piece of Markdown readable. Code stays as it is; a piece that ends inside fenced code counts as code to its
 * end. What results is text and not safe to show as HTML or Markdown: an escaped `<b>` of the author is `<b>` again.
 * @param pageUrl address of the page, against which links are resolved
 */
export function makeReadable(markdown: string, pageUrl: string): ReadableText {
  if (!mayHoldSyntax.test(markdown)) return { text: markdown, words: markdown };
  const text: string[] = [];
  const words: string[] = [];
  /** Where the opening brackets are in `words` that may turn out to start a link. */
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

const tableRow = /^(?:[ >]|[-*] |\d{1,9}[.)] )*\|/;

/** Tells whether an offset is in a row of a table, where a bar is escaped in code too. Offsets come in order. */
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

/** An address of Markdown, resolved, with what would end it in a link percent-encoded. */
function absoluteUrl(target: string, pageUrl: string): string {
  const url = target.startsWith('<') ? target.slice(1, -1) : target.replaceAll(escaped, '$1');
  return resolve(url, pageUrl).replaceAll(
    /[()<>\\\s]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** Root-relative addresses stay so where the address of the site is not known. */
function resolve(url: string, pageUrl: string): string {
  if (/^[a-z][a-z\d+.-]*:/i.test(url)) return url;
  if (URL.canParse(url, pageUrl)) return new URL(url, pageUrl).href;
  return url.startsWith('#') ? pageUrl + url : url;
}

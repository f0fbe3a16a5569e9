/** Input for the text of a chunk. */
interface ChunkSource {
  readonly title: string;
  readonly headingPath: readonly string[];
  readonly categoryPath: readonly string[];
  /** Preceding Markdown of the document that the chunk repeats. */
  readonly lead: string;
  readonly markdown: string;
}

const leadingHeadings = /^(?:#{1,6} [^\n]*(?:\n+|$))+/;
const headingLine = /#{1,6} [^\n]*(?:\n+|$)/g;
/** Matches a lead that the text continues on the next line: the last line is a row of a table or the fence that opens code. */
const opensNextLine = /(?:^|\n)(?:\|[^\n]*|`{3,}[^\n`]*)$/;
const blankStart = /^(?:[^\S\n]*\n)+/;

/**
 * Makes the `text` of a chunk: `Title › H2 › H3 (Category › Subcategory)`, an empty line, and the passage without its leading headings, which
 * are in the first line. A heading without a text of its own is not in the first line and stays. Pure.
 */
export function chunkText({ title, headingPath, categoryPath, lead, markdown }: ChunkSource): string {
  const category = categoryPath.length === 0 ? '' : ` (${categoryPath.join(' › ')})`;
  const breadcrumb = `${[title, ...headingPath].join(' › ')}${category}`;
  // A chunk that begins with a heading does not continue anything.
  const body = lead === '' ? withoutHeadings(markdown) : markdown;
  const between = lead === '' ? '' : opensNextLine.test(lead) ? '\n' : '\n\n';
  return `${breadcrumb}\n\n${makeReadable(lead + between + body).replace(blankStart, '')}`.trimEnd();
}

/** A passage without its leading headings, from the first one on that is not above its text: `## Unplug it` before `## Plug it in`. */
function withoutHeadings(markdown: string): string {
  const headings = leadingHeadings.exec(markdown)?.[0] ?? '';
  if (headings === '') return markdown;
  const lines = headings.match(headingLine) ?? [];
  let at = 0;
  if (markdown.slice(headings.length).trim() === '') at = lines[0]?.length ?? 0;
  else {
    const levels = lines.map((line) => line.indexOf(' '));
    // The headings above the text are those that no later one of the same or a stronger level ends.
    const first = levels.findIndex((level, index) => levels.slice(index + 1).some((later) => later <= level));
    at = lines.slice(0, first < 0 ? lines.length : first).join('').length;
  }
  return markdown.slice(at);
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
 * Makes a passage of Markdown readable for people, models and search: without escapes outside code, without URLs of links, with images as
 * their alt texts. Code does not change; a passage that ends inside fenced code is code up to its end. The result is text and not safe as
 * HTML or Markdown: an `<b>` that the author escaped becomes `<b>` again.
 */
export function makeReadable(markdown: string): string {
  if (!mayHoldSyntax.test(markdown)) return markdown;
  const pieces: string[] = [];
  /** Positions in `pieces` of the opening brackets that may start a link. */
  const open: number[] = [];
  const isInTable = createTableFinder(markdown);
  let at = 0;
  for (const match of markdown.matchAll(syntax)) {
    const [all, fenced, , code, , alt, , target, sign, bracket] = match;
    if (match.index > at) pieces.push(markdown.slice(at, match.index));
    at = match.index + all.length;
    if (fenced !== undefined) pieces.push(fenced);
    else if (code !== undefined)
      pieces.push(code.includes('\\|') && isInTable(match.index) ? code.replaceAll('\\|', '|') : code);
    else if (alt !== undefined) pieces.push(alt.replaceAll(escaped, '$1'));
    else if (sign !== undefined) pieces.push(sign);
    else if (target !== undefined) {
      const start = open.pop();
      if (start !== undefined) pieces[start] = '';
    } else {
      if (bracket === ']') open.pop();
      else open.push(pieces.length);
      pieces.push(all);
    }
  }
  pieces.push(markdown.slice(at));
  return pieces.join('');
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

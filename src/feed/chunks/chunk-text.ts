import { makeReadable } from './readable-text.ts';

/** What the texts of a chunk are made of. */
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
   * `Title › H2 › H3 (Category › Subcategory)`, an empty line, and the text without its leading headings (the breadcrumb has
   * them) and the addresses of links.
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
  // What begins with a heading continues nothing.
  const headings = lead === '' ? (leadingHeadings.exec(markdown)?.[0] ?? '') : '';
  const between = lead === '' ? '' : opensNextLine.test(lead) ? '\n' : '\n\n';
  const body = makeReadable(lead + between + markdown.slice(headings.length), url);
  const text = makeReadable(headings, url).text + body.text;
  return {
    text: text.replace(blankStart, '').trimEnd(),
    embedText: `${breadcrumb}\n\n${body.words.replace(blankStart, '')}`.trimEnd(),
  };
}

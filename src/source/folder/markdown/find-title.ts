/** The heading that is the title of a page. */
interface TitleHeading {
  /** Plain text. */
  readonly text: string;
  /** The id that the author gave it: `# Title {#id}`. */
  readonly id: string | null;
  /** The page without the heading. */
  readonly rest: string;
}

/** The id after the text of a heading: `{#id}`, also with blanks and class names. */
export const headingId = /\{:?\s*(?:\.[\w-]+\s+)*#([^\s{}<>"']+)(?:\s[^{}\n]*)?\}/;

/** Code blocks and comments, whose lines are no headings. One without an end extends to the end of the text. */
const hidden =
  /<!--[\s\S]*?(?:-->|$(?![\s\S]))|^[ \t]*%%[\s\S]*?(?:%%|$(?![\s\S]))|^ {0,3}(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))/gm;

const heading = /^ {0,3}(#{1,6})[ \t]([^\n]*)$|^([^\s#>*`~|<:-][^\n]*)\n(=+|-+)[ \t]*$/gm;

/**
 * Finds the title of a page without one in its front matter: the first heading of level one, else a heading of another level before all
 * other text. `null` if there is neither.
 * @param text with line ends of `\n`
 * @param isOnlyLevelOne whether the name of the file is a better title than a heading of another level, as in a vault
 */
export function findTitle(text: string, isOnlyLevelOne: boolean): TitleHeading | null {
  const shown = text.replace(hidden, (part) => part.replace(/[^\n]/g, ' '));
  let start: RegExpMatchArray | null = null;
  for (const match of shown.matchAll(heading)) {
    const level = match[1]?.length ?? (match[4]?.startsWith('=') ? 1 : 2);
    if (level === 1) return toTitle(text, match);
    if (start === null && shown.slice(0, match.index).trim() === '') start = match;
  }
  return start === null || isOnlyLevelOne ? null : toTitle(text, start);
}

const titleId = new RegExp(`${headingId.source}$`);

function toTitle(
  text: string,
  { 0: whole, 2: atx, 3: underlined = '', index = 0 }: RegExpMatchArray,
): TitleHeading | null {
  const written = (atx ?? underlined)
    .trim()
    .replace(/(?:^|[ \t])#+$/, '')
    .trim();
  const plain = withoutTags(written.replace(titleId, ''))
    .replace(/!?\[\[(?:[^[\]|\n]*\|)?([^[\]|\n]*)\]\]/g, '$1')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/(\*\*|__|[*`])(?=\S)(.*?\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}_])_(?=\S)([^_]*\S)_(?![\p{L}\p{N}_])/gu, '$1')
    .trim();
  if (plain === '') return null;
  const id =
    titleId.exec(written)?.[1] ?? /<a\s[^>]*?\b(?:id|name)=["']([^"'\s]+)["']/i.exec(written)?.[1] ?? null;
  return {
    text: plain,
    id,
    rest: text.slice(0, index) + text.slice(index + whole.length).replace(/^\n/, ''),
  };
}

/** A text without tags of HTML, except in code spans. */
function withoutTags(text: string): string {
  return text.replace(/(`+)[^`]+\1|<\/?[a-z][^<>]*>/gi, (part) => (part.startsWith('`') ? part : ''));
}

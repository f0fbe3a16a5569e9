/** Markdown with extensions of site generators, converted for {@link renderMarkdown}. */
export interface PreparedMarkdown {
  readonly markdown: string;
  /** Remaining syntax that only a generator understands, e.g. `{{< youtube >}}`; it is published as text. */
  readonly unknown: readonly string[];
  /** Paths in links by shortcode (`ref` of Hugo), without fragment. */
  readonly refs: ReadonlySet<string>;
}

/** Callout kinds by the names that generators use. */
const kinds: Readonly<Record<string, string>> = {
  note: 'note',
  info: 'note',
  abstract: 'note',
  example: 'note',
  question: 'note',
  quote: 'note',
  details: 'note',
  tip: 'tip',
  hint: 'tip',
  success: 'tip',
  important: 'important',
  warning: 'warning',
  attention: 'warning',
  caution: 'caution',
  danger: 'caution',
  failure: 'caution',
  bug: 'caution',
  error: 'caution',
};

/**
 * Converts admonitions (`:::note` of Docusaurus and Starlight, `!!! note` of MkDocs) to callouts, and links by shortcode (`ref` of Hugo) to
 * paths; removes comments of MDX and Hugo, and imports. Code blocks do not change.
 */
export function prepareMarkdown(text: string): PreparedMarkdown {
  const unknown = new Set<string>();
  const refs = new Set<string>();
  const cleaned = outsideCode(text.replace(/\r\n?/g, '\n'), (part) =>
    part
      .replace(/\{\/\*[\s\S]*?\*\/\}|\{\{\/\*[\s\S]*?\*\/\}\}/g, '')
      .replace(/\{\{[<%]\s*comment\s*[%>]\}\}[\s\S]*?\{\{[<%]\s*\/comment\s*[%>]\}\}/g, '')
      .replace(/\{\{[<%]\s*(?:rel)?ref\s+"([^"]+)"\s*[%>]\}\}/g, (_all, path: string) => {
        refs.add(path.replace(/#.*/s, ''));
        return path;
      })
      .replace(/^import\s[^\n]*\sfrom\s+['"][^'"\n]+['"];?$/gm, '')
      .replace(/\{\{[<%]\s*(\/?[\w/.-]+)[^}]*\}\}/g, (whole, name: string) => {
        unknown.add(`{{< ${name.replace(/^\//, '')} >}}`);
        return whole;
      }),
  );
  const markdown = convertBlocks(cleaned.split('\n'), unknown).join('\n');
  return { markdown, unknown: [...unknown], refs };
}

const fence = /^\s*(?:>\s?)*(`{3,}|~{3,})/;

/** Applies `change` to the text between fenced code blocks. */
export function outsideCode(text: string, change: (part: string) => string): string {
  const parts: { isCode: boolean; lines: string[] }[] = [{ isCode: false, lines: [] }];
  let closing: string | null = null;
  for (const line of text.split('\n')) {
    const mark = fence.exec(line)?.[1];
    const part = parts.at(-1) as { isCode: boolean; lines: string[] };
    if (closing === null && mark !== undefined) {
      closing = mark;
      parts.push({ isCode: true, lines: [line] });
    } else {
      part.lines.push(line);
      if (closing !== null && mark?.startsWith(closing)) {
        closing = null;
        parts.push({ isCode: false, lines: [] });
      }
    }
  }
  return parts
    .filter(({ lines }) => lines.length > 0)
    .map(({ isCode, lines }) => (isCode ? lines.join('\n') : change(lines.join('\n'))))
    .join('\n');
}

const colons = /^ {0,3}(:{3,}) ?([A-Za-z]+)(?:\[([^\]]*)\]|[ \t]+([^{]*?))?\s*(?:\{[^}]*\})?$/;
const marks = /^(!!!|\?\?\?\+?) +([A-Za-z]+)(?: +[\w-]+)*(?: +"([^"]*)")?\s*$/;

/** Maximum depth of block quotes: the time to render them grows with the cube of their depth. */
const mostNested = 32;

function convertBlocks(lines: readonly string[], unknown: Set<string>, depth = 0): readonly string[] {
  if (depth === mostNested) return lines;
  const result: string[] = [];
  let closing: string | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const mark = fence.exec(line)?.[1];
    if (closing !== null || mark !== undefined) {
      if (closing === null) closing = mark ?? null;
      else if (mark?.startsWith(closing)) closing = null;
      result.push(line);
      continue;
    }
    const block = readColons(lines, at) ?? readMarks(lines, at);
    const kind = block === null ? undefined : kinds[block.name.toLowerCase()];
    if (block !== null && kind === undefined) unknown.add(line.trim());
    if (block === null || kind === undefined) {
      result.push(line);
      continue;
    }
    const title = block.title === '' ? [] : [`**${block.title}**`, ''];
    const inside = [`[!${kind.toUpperCase()}]`, ...title, ...convertBlocks(block.lines, unknown, depth + 1)];
    result.push('', ...inside.map((one) => (one === '' ? '>' : `> ${one}`)), '');
    at = block.last;
  }
  return result;
}

interface Block {
  readonly name: string;
  readonly title: string;
  readonly lines: readonly string[];
  /** Index of its last line. */
  readonly last: number;
}

/** Reads `:::note[Title]` … `:::`; without `:::` at the end, it extends to the end of the text. */
function readColons(lines: readonly string[], start: number): Block | null {
  const [, open = '', name = '', bracket, plain] = colons.exec(lines[start] ?? '') ?? [];
  if (open === '') return null;
  let depth = 1;
  let at = start + 1;
  for (; at < lines.length; at += 1) {
    const line = lines[at] as string;
    if (/^ {0,3}:{3,}\s*$/.test(line) && (line.trim().length === open.length || depth > 1)) depth -= 1;
    else if (colons.test(line)) depth += 1;
    if (depth === 0) break;
  }
  return { name, title: (bracket ?? plain ?? '').trim(), lines: lines.slice(start + 1, at), last: at };
}

/** Reads `!!! note "Title"` with the indented lines below it. */
function readMarks(lines: readonly string[], start: number): Block | null {
  const [, open = '', name = '', title = ''] = marks.exec(lines[start] ?? '') ?? [];
  if (open === '') return null;
  let end = start + 1;
  while (end < lines.length && /^(?: {4}|\t|\s*$)/.test(lines[end] as string)) end += 1;
  while (end > start + 1 && (lines[end - 1] as string).trim() === '') end -= 1;
  const inside = lines.slice(start + 1, end).map((line) => line.replace(/^(?: {4}|\t)/, ''));
  return { name, title, lines: inside, last: end - 1 };
}

/** The id after the text of a heading: `{#größe}` of Docusaurus and Hugo, `{ #id .class }` of MkDocs, `{: #id}` of Jekyll. */
export const headingId = /\{:?\s*(?:\.[\w-]+\s+)*#([^\s{}<>"']+)(?:\s[^{}\n]*)?\}/;

/** An MDX page as Markdown, or why its text cannot be published safely. */
export type PreparedMdx =
  | {
      readonly text: string;
      /** Components that were replaced by their content, sorted. */
      readonly components: readonly string[];
      readonly why: null;
    }
  | { readonly why: string };

/**
 * Components of Docusaurus and Starlight that show all their content to everybody, with the attributes that they show before it. Other
 * components might hide content or show content that is not in the file.
 */
const shown: ReadonlyMap<string, readonly string[]> = new Map([
  ['Tabs', []],
  ['TabItem', ['label', 'value']],
  ['Steps', []],
  ['FileTree', []],
  ['CardGrid', []],
  ['Card', ['title']],
  ['Aside', ['title']],
  ['Admonition', ['title']],
  ['Badge', ['text']],
  ['Icon', []],
]);

const tag = /<(\/?)([A-Z]\w*)((?:\s+[\w:-]+(?:=(?:"[^"{}]*"|'[^'{}]*'))?)*)\s*\/?>/g;

/**
 * Converts MDX to Markdown: removes comments, and imports and exports on one line, and replaces known components by their content.
 * Expressions and other components can only be evaluated by running them, so a page that contains one is not read.
 */
export function prepareMdx(source: string): PreparedMdx {
  const components = new Set<string>();
  const rest: string[] = [];
  const text = outsideCode(source.replace(/\r\n?/g, '\n').replaceAll('\0', ''), (part) => {
    const codes: string[] = [];
    const changed = part
      .replace(/(`+)(?:(?!\1)[\s\S])+?\1/g, (code) => `\0${codes.push(code) - 1}\0`)
      .replace(/\{\/\*[\s\S]*?\*\/\}/g, '')
      .replace(/^import\s[^'"]*['"][^'"\n]+['"];?[ \t]*$/gm, '')
      .replace(/^export\s[^\n]*$/gm, '')
      .replace(tag, (whole, slash: string, name: string, attributes: string) => {
        const titles = shown.get(name);
        if (titles === undefined) return whole;
        components.add(name);
        const title =
          slash === '' ? titles.map((one) => attributeOf(attributes, one)).find(Boolean) : undefined;
        if (name === 'Badge' || name === 'Icon') return title ?? '';
        return title === undefined ? '\n\n' : `\n\n**${title}**\n\n`;
      });
    rest.push(changed);
    return changed.replace(/\0(\d+)\0/g, (_all, at: string) => codes[Number(at)] ?? '');
  });
  const left = rest.join('\n').replace(/\\[{}<]|\{\s*#[^\s{}<>"'`]+\s*\}/g, '');
  const [found] = /<\/?[A-Z][\w.]*|<\/?>|[{}]/.exec(left) ?? [];
  if (found !== undefined) {
    // Does not quote an expression: it may contain text that readers must not see.
    const what = /[{}]/.test(found) ? 'an expression {…}' : found.endsWith('>') ? found : `${found}>`;
    return { why: `is MDX with code: ${what}` };
  }
  return { text, components: [...components].sort(), why: null };
}

function attributeOf(attributes: string, name: string): string | undefined {
  const [, double, single] = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`).exec(attributes) ?? [];
  return double ?? single;
}

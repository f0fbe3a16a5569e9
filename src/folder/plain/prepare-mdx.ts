import { outsideCode } from '../prepare-markdown.ts';

/** An MDX page as Markdown, or why its text cannot be published safely. */
export type PreparedMdx =
  | {
      readonly text: string;
      /** Components that were replaced by what is in them, sorted. */
      readonly components: readonly string[];
      readonly why: null;
    }
  | { readonly why: string };

/**
 * Components of Docusaurus and Starlight that show all that is in them to everybody, and the attribute they show before it. Any other
 * might hide its content, or show what is not in the file.
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
 * Takes MDX off a page: comments, imports and exports of one line are removed, and known components are replaced by their content.
 * An expression or any other component decides what readers see in a way that only running it tells: then the page is not read.
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
  const left = rest.join('\n').replace(/\\[{}<]|\{#[\w.:-]+\}/g, '');
  const [found] = /<\/?[A-Z][\w.]*|<\/?>|[{}]/.exec(left) ?? [];
  if (found !== undefined) {
    // What an expression says is not quoted: it may be what readers must not see.
    const what = /[{}]/.test(found) ? 'an expression {…}' : found.endsWith('>') ? found : `${found}>`;
    return { why: `is MDX whose code decides what is shown: ${what}` };
  }
  return { text, components: [...components].sort(), why: null };
}

function attributeOf(attributes: string, name: string): string | undefined {
  const [, double, single] = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`).exec(attributes) ?? [];
  return double ?? single;
}

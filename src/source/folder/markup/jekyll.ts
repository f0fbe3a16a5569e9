import { posix } from 'node:path';
import type { CalloutKind } from '../../../content/document.ts';
import { parseYaml } from '../../../core/yaml.ts';
import { admonitions, callout, calloutKinds } from './blocks.ts';
import { type LiquidScope, resolveLiquid } from './liquid.ts';
import type { BlockRule, Markup, MarkupPage } from './rules.ts';

/** What pages of a Jekyll site can refer to. */
interface JekyllSite {
  /** `_config.yml`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Files of `_data/`, relative to the root. */
  readonly dataFiles: readonly string[];
}

/** The syntax of Jekyll: Liquid, also in code, and kramdown's attribute lists. */
export function createJekyllMarkup(site: JekyllSite): Markup {
  return {
    compose: (text, page) => resolveLiquid(text, createScope(site, page)),
    prepare: (text) => removeAttributes(text),
    blocks: [attributeList, admonitions],
    inline: (text) => text.replace(spanAttributes, ''),
    raw: [],
  };
}

function createScope(site: JekyllSite, page: MarkupPage): LiquidScope {
  const { config } = site;
  // Pages are linked without the base path, which the site of the output may not have.
  const values = {
    ...config,
    baseurl: '',
    get data() {
      return readData(site, page);
    },
  };
  const own = { ...page.data, path: page.path, name: posix.basename(page.path) };
  return {
    lookup: (name) => ({ site: values, page: own })[name],
    include(name, isRelative) {
      const folder = isRelative ? posix.dirname(page.path) : '_includes';
      return page.part(posix.join(folder, name))?.replace(/^---[ \t]*\n[\s\S]*?\n---[ \t]*\n/, '') ?? null;
    },
    link(kind, target) {
      const path = target.trim().replace(/^\/+/, '');
      if (kind === 'post_url') return `/posts/${path}.md`;
      // Folders of collections begin with an underscore, their pages do not.
      return `/${path.replace(/^_(?=[^/]+\/)/, '')}`;
    },
    unknown: (what) => page.unknown(shortTag(what), what.split('\n', 1)[0]),
  };
}

/** A tag without its content, which may be text that readers must not see. */
function shortTag(whole: string): string {
  const [, name] = /^\{%-?\s*(\w+)/.exec(whole) ?? [];
  return name === undefined ? '{{ … }}' : `{% ${name} … %}`;
}

function readData({ dataFiles }: JekyllSite, page: MarkupPage): Readonly<Record<string, unknown>> {
  const data: Record<string, unknown> = {};
  for (const path of dataFiles) {
    const text = page.part(path);
    if (text === null) continue;
    try {
      const value: unknown = path.endsWith('.json') ? JSON.parse(text) : parseYaml(text, () => {});
      data[posix.basename(path).replace(/\.\w+$/, '')] = value;
    } catch {
      // Tags that use it are reported as unknown.
    }
  }
  return data;
}

/** An attribute list alone on its line: `{: .note #id key="value" }`, `{:toc}`. */
const listLine = /^[ \t]*\{:(?!:)([^{}]*)\}[ \t]*$/;
const spanAttributes = /\{:(?!:)(?![^{}\n]*#)[^{}\n]*\}/g;

/** The start tag of an element whose content kramdown reads as Markdown. */
const markdownInHtml =
  /^([ \t]*<(?:div|section|article|aside|details|figure|span|p)\b[^>\n]*?)\s+markdown=["']?(?:1|block|span)["']?([^>\n]*>)[ \t]*$/gm;

/** The mark of a table of contents, with the heading of which it is all. */
const tableOfContents =
  /(?:^#{2,6}[ \t][^\n]*\n(?:[ \t]*\{:[^{}\n]*\}[ \t]*\n)?\s*\n)?^[ \t]*(?:[-*+]|\d+\.)[ \t][^\n]*\n[ \t]*\{:[ \t]*toc\b[^{}\n]*\}[ \t]*$/gm;

/** Removes kramdown's extensions and tables of contents, and appends ids to the headings above them. */
function removeAttributes(text: string): string {
  return (
    text
      .replace(markdownInHtml, (_all, start: string, end: string) => `${start}${end}\n\n`)
      .replace(/\n(?=<\/(?:div|section|article|aside|details|figure)>)/g, '\n\n')
      // In kramdown, a line may begin with an element of text.
      .replace(
        /^[ \t]*(<(?:span|em|strong|small|kbd|sub|sup|mark|a|b|i|u)\b[^<>\n]*>)[ \t]*\n[ \t]*(?=\S)/gm,
        '$1',
      )
      // Here kramdown's HTML ends, and CommonMark's at the next blank line.
      .replace(/^(<\/(?:div|section|article|aside|details|figure)>)[ \t]*\n(?=[^\s<])/gm, '$1\n\n')
      .replace(/\{::comment\}[\s\S]*?\{:\/(?:comment)?\}/g, '')
      .replace(/\{:[:/][^{}\n]*\}/g, '')
      .replace(tableOfContents, '')
      .replace(/^(#{1,6}[ \t][^\n]*)\n[ \t]*\{:[^{}\n]*(#[^\s{}]+)[^{}\n]*\}[ \t]*$/gm, '$1 {$2}')
      .replace(/^(#{1,6}[ \t][^\n]*)\n[ \t]*\{:[^{}\n]*\}[ \t]*$/gm, '$1')
  );
}

/** Kinds by class name; other names of themes are shown as notes if they are known to be callouts. */
const kindNames: Readonly<Record<string, CalloutKind>> = { ...calloutKinds, highlight: 'note', new: 'note' };

/** `null`: no class of a callout. */
function readClasses(line: string): { readonly kind: CalloutKind; readonly hasTitle: boolean } | null {
  const list = listLine.exec(line)?.[1] ?? '';
  const names = [...list.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name.toLowerCase());
  // The most specific one comes last: `.note .warning`.
  for (const name of names.toReversed()) {
    const bare = name.replace(/-title$/, '');
    if (Object.hasOwn(kindNames, bare))
      return { kind: kindNames[bare] as CalloutKind, hasTitle: bare !== name };
  }
  return null;
}

/** Reads a paragraph or quotation with an attribute list before or after it: a callout, or only its text. */
const attributeList: BlockRule = (lines, start, page) => {
  const first = lines[start] as string;
  if (first.trim() === '') return null;
  const isBefore = listLine.test(first);
  let end = start;
  while (end + 1 < lines.length && (lines[end + 1] as string).trim() !== '') end += 1;
  const all = lines.slice(start, end + 1);
  const lists = all.filter((line) => listLine.test(line));
  if (lists.length === 0) return null;
  const found = lists.map(readClasses).find((one) => one !== null) ?? null;
  const rest = all.filter((line) => !listLine.test(line));
  if (found === null || rest.length === 0 || (!isBefore && lists.length > 1))
    return { last: end, lines: rest };
  const inside = rest.map((line) => line.replace(/^[ \t]*> ?/, ''));
  if (/^#{1,6}[ \t]/.test(rest[0] ?? '')) return { last: end, lines: rest };
  const title = found.hasTitle ? (inside.shift() ?? '').trim() : '';
  return { last: end, lines: callout(found.kind, title, page.convert(inside)) };
};

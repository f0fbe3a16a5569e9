import { posix } from 'node:path';
import { escapeHtml } from '../../../core/html.ts';
import { removeAttributes } from './attributes.ts';
import { admonitions, readIndented, type Tab, tabs } from './blocks.ts';
import { withoutTags } from './code.ts';
import { cutLines } from './parts.ts';
import type { BlockRule, Markup, MarkupPage } from './rules.ts';

/** What the syntax of a MkDocs project depends on. */
interface MkDocsSyntax {
  /** Files that `pymdownx.snippets` appends to every page, relative to the root. */
  readonly appended: readonly string[];
  /** Folders in which it searches files, relative to the root. */
  readonly snippetFolders: readonly string[];
  /** Variables of the `macros` plugin; `null`: it is not used, so braces are text. */
  readonly variables: Readonly<Record<string, string>> | null;
}

const tab = /^[ \t]*===[!+]*[ \t]+"((?:[^"\\]|\\.)*)"[ \t]*$/;

/** `=== "Title"` with indented lines, several in a row. */
const contentTabs: BlockRule = (lines, start, page) => {
  const [, first] = tab.exec(lines[start] ?? '') ?? [];
  if (first === undefined) return null;
  const all: Tab[] = [];
  const [indent = ''] = /^[ \t]*/.exec(lines[start] ?? '') ?? [];
  let at = start;
  let last = start;
  for (;;) {
    const line = lines[at] ?? '';
    const [, title] = tab.exec(line) ?? [];
    if (title === undefined || /^[ \t]*/.exec(line)?.[0] !== indent) break;
    if (all.length > 0 && /^[ \t]*===!/.test(line)) break;
    const block = readIndented(lines, at);
    all.push({ title: plainTitle(withoutTags(title)), lines: page.convert(block.lines) });
    last = block.last;
    at = last + 1;
    while (at < lines.length && (lines[at] as string).trim() === '') at += 1;
  }
  return { last, lines: tabs(all, page).map((line) => (line === '' ? '' : indent + line)) };
};

/** `:   Definition` below its term. */
const definition: BlockRule = (lines, start, page) => {
  const [, indent = '', text] = /^([ \t]*):(?: {3}|\t)(.*)$/.exec(lines[start] ?? '') ?? [];
  if (text === undefined) return null;
  const { lines: inside, last } = readIndented(lines, start);
  const shown = ['', ...page.convert([text, ...inside]), ''];
  return { last, lines: shown.map((line) => (line === '' ? '' : indent + line)) };
};

const icon = /:(?:material|octicons|fontawesome|simple)-[a-z0-9-]+:(?:\{[^{}\n]*\})?/;
/** With the blanks after it, if there are some before it: more of them after the mark of an item would make its text code. */
const icons = new RegExp(`(?<=^|[ \\t])(?:${icon.source}[ \\t]+)+|${icon.source}`, 'gm');

function plainTitle(title: string): string {
  return removeAttributes(title.replaceAll('\\"', '"')).replace(icons, '').trim();
}

/** `--8<-- "file.md:section"`, `--8<--` lines `--8<--`. */
function includeSnippets(text: string, page: MarkupPage, { snippetFolders }: MkDocsSyntax): string {
  const insert = (indent: string, name: string, written: string): string => {
    const [, path = '', range = ''] = /^(.*?)((?::-?\d*){1,2}|:[A-Za-z][\w-]*)?$/.exec(name.trim()) ?? [];
    if (path === '' || path.startsWith(';')) return '';
    for (const folder of snippetFolders) {
      const file = posix.join(folder, path);
      const found = page.part(file);
      if (found === null) continue;
      const section = /^:([A-Za-z][\w-]*)$/.exec(range)?.[1];
      const cut =
        section !== undefined
          ? cutSnippet(found, section)
          : range === ''
            ? found
            : cutLines(found, range.slice(1).replace(':', ','));
      if (cut === null) break;
      const own = cut.replace(/^.*--8<-- \[(?:start|end):[^\]]*\].*\n?/gm, '').replace(/\n$/, '');
      return page
        .within(file, own)
        .split('\n')
        .map((line) => (line === '' ? '' : indent + line))
        .join('\n');
    }
    page.unknown(written.trim());
    return '';
  };
  return text
    .replace(
      /^([ \t]*)-{1,}8<-{1,}[ \t]*\n([\s\S]*?)^[ \t]*-{1,}8<-{1,}[ \t]*$/gm,
      (_all, indent: string, names: string) =>
        names
          .split('\n')
          .filter((name) => name.trim() !== '')
          .map((name) => insert(indent, name, name))
          .join('\n'),
    )
    .replace(
      /^([ \t]*)-{1,}8<-{1,}[ \t]+(["'])(.*?)\2[ \t]*$/gm,
      (whole, indent: string, _mark, name: string) => insert(indent, name, whole),
    )
    .replace(/;(-{1,}8<-{1,})/g, '$1');
}

function cutSnippet(text: string, name: string): string | null {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.includes(`--8<-- [start:${name}]`));
  if (start === -1) return null;
  const length = lines.slice(start + 1).findIndex((line) => line.includes(`--8<-- [end:${name}]`));
  return lines.slice(start + 1, length === -1 ? lines.length : start + 1 + length).join('\n');
}

/**
 * Resolves what the `macros` plugin inserts: plain variables and files. Other expressions, and blocks with their content, are removed.
 */
function resolveMacros(text: string, page: MarkupPage, syntax: MkDocsSyntax): string {
  if (syntax.variables === null) return text;
  const variables = new Map(Object.entries(syntax.variables));
  for (const [name, value] of Object.entries(page.data))
    if (typeof value === 'string' || typeof value === 'number') variables.set(name, String(value));
  const raws: string[] = [];
  let rest = text
    .replace(/\{%-?\s*raw\s*-?%\}([\s\S]*?)\{%-?\s*endraw\s*-?%\}/g, (_all, own: string) => {
      raws.push(own);
      return `\u0001${raws.length - 1}\u0001`;
    })
    .replace(/\{#[^{}\s][\s\S]*?#\}|\{#\s[\s\S]*?#\}/g, '')
    .replace(
      /\{%-?\s*set\s+(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)'|(-?\d+(?:\.\d+)?))\s*-?%\}\n?/g,
      (_all, name, a, b, c) => {
        variables.set(name, a ?? b ?? c ?? '');
        return '';
      },
    );
  // A block is removed from the inside out, since its content may depend on anything.
  for (let depth = 0; depth < 8; depth += 1) {
    const next = rest.replace(
      /(\{%-?\s*(if|for|macro|call|filter|block|set)\b[^%]*%\})(?:(?!\{%-?\s*(?:if|for|macro|call|filter|block)\b)[\s\S])*?\{%-?\s*end\2\s*-?%\}/g,
      (_all, start: string) => {
        page.unknown('{%…%}', start);
        return '';
      },
    );
    if (next === rest) break;
    rest = next;
  }
  return rest
    .replace(/\{%-?\s*include\s+(["'])([^"'\n]+)\1\s*-?%\}/g, (whole, _mark, name: string) => {
      for (const folder of [...syntax.snippetFolders, posix.dirname(page.path)]) {
        const file = posix.join(folder, name);
        const found = page.part(file);
        if (found !== null) return page.within(file, found);
      }
      page.unknown(whole);
      return '';
    })
    .replace(/\{\{-?\s*([\w.]+)\s*-?\}\}/g, (whole, name: string) => {
      const value = variables.get(name);
      if (value === undefined) page.unknown('{{…}}', whole);
      return value ?? '';
    })
    .replace(/\{\{[\s\S]*?\}\}/g, (whole) => {
      page.unknown('{{…}}', whole);
      return '';
    })
    .replace(/\{%[\s\S]*?%\}/g, (whole) => {
      page.unknown('{%…%}', whole);
      return '';
    })
    .replace(/\u0001(\d+)\u0001/g, (_all, at: string) => raws[Number(at)] ?? '');
}

const keyNames: Readonly<Record<string, string>> = {
  ctrl: 'Ctrl',
  cmd: 'Cmd',
  alt: 'Alt',
  shift: 'Shift',
  del: 'Del',
  esc: 'Esc',
  tab: 'Tab',
  enter: 'Enter',
  space: 'Space',
  win: 'Win',
  'arrow-up': '↑',
  'arrow-down': '↓',
  'arrow-left': '←',
  'arrow-right': '→',
};

function keys(text: string): string {
  return text.replace(/(?<![+\w])\+\+([\w"-]+(?:\+[\w"-]+)*)\+\+(?![+\w])/g, (_all, names: string) =>
    names
      .split('+')
      .map((name) => name.replaceAll('"', ''))
      .map(
        (name) =>
          `<kbd>${keyNames[name.toLowerCase()] ?? (name.length === 1 ? name.toUpperCase() : name)}</kbd>`,
      )
      .join('+'),
  );
}

/** Marks of `pymdownx.caret`, `tilde`, `mark` and `critic`. */
function marks(text: string): string {
  return text
    .replace(/\{\+\+(.+?)\+\+\}|\^\^(?=\S)(.*?\S)\^\^/g, '<ins>$1$2</ins>')
    .replace(/\{--(.+?)--\}/g, '<del>$1</del>')
    .replace(/\{~~(.+?)~>(.+?)~~\}/g, '<del>$1</del><ins>$2</ins>')
    .replace(/\{==(.+?)==\}|(?<![=\w])==(?=[^\s=])([^\n]*?[^\s=])==(?![=\w])/g, '<mark>$1$2</mark>')
    .replace(/\{>>.*?<<\}/g, '')
    .replace(/(?<![\^\\])\^([^\s^[\]]+)\^(?!\^)/g, '<sup>$1</sup>')
    .replace(/(?<=[\w)])~([^\s~]+)~(?!~)/g, '<sub>$1</sub>');
}

const definedAbbreviation = /^[ \t]*\*\[([^\]\n]+)\]:[ \t]*(.*)$/gm;

/** Maximum number of abbreviations of a page. */
const mostAbbreviations = 500;

/** `*[HTML]: Hyper Text Markup Language`: shows the meaning of the word wherever it is in the text, except in headings, tags and addresses. */
function showAbbreviations(text: string): string {
  const meanings = new Map<string, string>();
  const rest = text.replace(definedAbbreviation, (_all, name: string, meaning: string) => {
    if (meanings.size < mostAbbreviations) meanings.set(name.trim(), meaning.trim());
    return '';
  });
  if (meanings.size === 0) return rest;
  const names = [...meanings.keys()]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const pattern = new RegExp(
    `^ {0,3}#{1,6}[ \\t].*$|<[^<>\\n]*>|\\]\\([^()\\n]*\\)|\\][ ]?\\[[^[\\]\\n]*\\]|^[ \\t]*\\[[^\\]\\n]+\\]:.*$|https?:[^\\s]+|(?<![\\p{L}\\p{N}_])(${names.join('|')})(?![\\p{L}\\p{N}_])`,
    'gmu',
  );
  return rest.replace(pattern, (whole, name: string | undefined) =>
    name === undefined ? whole : `<abbr title="${escapeHtml(meanings.get(name) ?? '')}">${name}</abbr>`,
  );
}

/** Elements whose content is Markdown: `<div markdown>`. */
function markdownElements(text: string): string {
  return text
    .replace(/^([ \t]*<\w+[^<>\n]*?)\s+markdown(?:="[^"]*")?((?:\s[^<>\n]*)?>)[ \t]*$/gm, '$1$2\n')
    .replace(/^([ \t]*<\/(?:div|figure|figcaption|section|details|article)>)[ \t]*$/gm, '\n$1')
    .replace(/\smarkdown(?:="[^"]*")?(?=[^<>\n]*>)/g, '');
}

/** Links and footnotes that Python-Markdown allows on two lines: `[text]` above `[name]`, and the text of a footnote below its name. */
function joinReferences(text: string): string {
  return text
    .replace(/(?<=\[(?!\^)[^\]\n]+\])[ \t]*\n[ \t]*(?=\[(?!\^)[^\]\n]+\](?![(:]))/g, '')
    .replace(/^([ \t]*\[\^[^\]\n]+\]:)[ \t]*\n[ \t]+(?=\S)/gm, '$1 ');
}

/** MkDocs, with the extensions that Material for MkDocs documents. */
export function createMkDocsMarkup(syntax: MkDocsSyntax): Markup {
  return {
    include: (text, page) => {
      const whole = resolveMacros(includeSnippets(text, page, syntax), page, syntax);
      return whole.replace(/\((\d+)\)!/g, '($1)');
    },
    compose: (text, page) => {
      const parts = syntax.appended.flatMap((path) => page.part(path) ?? []);
      return [text, ...parts].join('\n\n');
    },
    prepare: (text, page) =>
      page.code.changeSpans(markdownElements(joinReferences(text)), (code) =>
        code.replace(/^(`+) ?#![\w+-]+ /, '$1'),
      ),
    blocks: [admonitions, contentTabs, definition],
    inline: (text) => showAbbreviations(marks(keys(removeAttributes(text.replace(icons, ''))))),
    raw: [/^[ \t]*-+8<-+[ \t]*$/gm],
  };
}

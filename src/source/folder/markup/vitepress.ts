import { posix } from 'node:path';
import { removeAttributes } from './attributes.ts';
import { callout, calloutKinds, containers, details, type Tab, tabs } from './blocks.ts';
import { badgeComponent } from './common.ts';
import { heroText } from './hero.ts';
import { cutLines, cutRegion, cutSection, withoutFrontMatter } from './parts.ts';
import type { BlockRule, Markup, MarkupPage } from './rules.ts';

/** The path of a part: `@/` is the folder of the pages, others are relative to the file. */
function partPath(path: string, page: MarkupPage): string {
  return path.startsWith('@')
    ? posix.join(page.tree, path.replace(/^@\/?/, ''))
    : posix.join(posix.dirname(page.path), path);
}

/** `<!--@include: ./part.md#region{1,3}-->` */
function includeParts(text: string, page: MarkupPage): string {
  return text.replace(
    /^([ \t]*)<!--[ \t]*@include:[ \t]*(\S+?)(?:#([^\s{]+))?(?:\{([\d, ]*)\})?[ \t]*-->[ \t]*$/gm,
    (whole, indent: string, path: string, region = '', range = '') => {
      const other = partPath(path, page);
      const found = page.part(other);
      const own = found === null ? null : withoutFrontMatter(found);
      const cut = own === null || region === '' ? own : (cutRegion(own, region) ?? cutSection(own, region));
      if (cut === null) {
        page.unknown(whole.trim());
        return '';
      }
      const part = page.within(other, range === '' ? cut : cutLines(cut, range));
      return part
        .split('\n')
        .map((line) => (line === '' ? '' : indent + line))
        .join('\n');
    },
  );
}

/** `<<< @/file.js#region{1,3 ts:line-numbers} [title]` */
const snippet: BlockRule = (lines, start, page) => {
  const [, indent = '', path = '', region = '', braced = '', title = ''] =
    /^([ \t]*)<<<[ \t]*([^\s#{[]+)(?:#([^\s{[]+))?[ \t]*(?:\{([^}]*)\})?[ \t]*(?:\[([^\]]*)\])?[ \t]*$/.exec(
      lines[start] ?? '',
    ) ?? [];
  if (path === '') return null;
  const found = page.part(partPath(path, page));
  const text = found === null || region === '' ? found : cutRegion(found, region);
  if (text === null) {
    page.unknown((lines[start] ?? '').trim());
    return { last: start, lines: [] };
  }
  const [, named = ''] = /(?:^|[\d\s])([A-Za-z][\w#+-]*)(?::\S*)?\s*$/.exec(braced) ?? [];
  const language = named || posix.extname(path).slice(1);
  const mark = page.code.block(text.replace(/\n$/, ''), { language, title: title || posix.basename(path) });
  return { last: start, lines: ['', indent + mark, ''] };
};

const blocks = containers(({ name, title, lines }, page) => {
  const kind = name.toLowerCase();
  const inside = page.convert(lines);
  if (kind === 'raw' || kind === 'v-pre') return ['', ...inside, ''];
  if (kind === 'details') return details(title || 'Details', inside, page);
  if (kind === 'code-group') {
    const all: Tab[] = inside.flatMap((line) => {
      const own = page.code.titleOf(line);
      return own === null ? [] : [{ title: own, lines: [page.code.withoutTitle(line)] }];
    });
    return tabs(all, page);
  }
  const found = calloutKinds[kind];
  return found === undefined ? null : callout(found, title, inside);
});

/** VitePress, with its default theme. */
export const vitepressMarkup: Markup = {
  compose: (text, page) => (page.data.layout === 'home' ? `${heroText(page.data)}\n\n${text}` : text),
  include: includeParts,
  prepare: (text) =>
    text
      .replace(/^[ \t]*:{3,}[ \t]*v-pre[ \t]*$[\s\S]*?^[ \t]*:{3,}[ \t]*$/gm, keepBraces)
      .replace(/<(\w+)[^>]*\sv-pre\b[^>]*>[\s\S]*?<\/\1>/g, keepBraces),
  components: { syntax: 'vue', rules: { Badge: badgeComponent }, inline: ['Badge'] },
  blocks: [snippet, blocks],
  inline: (text) => inlineFootnotes(removeAttributes(text.replace(/^[ \t]*\[\[toc\]\][ \t]*$/gim, ''))),
  raw: [/^[ \t]*:::+.*$/gm, /^[ \t]*<<<[ \t].*$/gm],
};

/** `^[A note.]` becomes a footnote whose text is at the end of the page. */
function inlineFootnotes(text: string): string {
  const notes: string[] = [];
  const result = text.replace(
    /(?<![\\[])\^\[((?:[^[\]\n]|\[[^[\]\n]*\])+)\]/g,
    (_all, note: string) => `[^inline-${notes.push(note)}]`,
  );
  return [result, ...notes.map((note, at) => `\n[^inline-${at + 1}]: ${note}`)].join('\n');
}

function keepBraces(text: string): string {
  return text.replaceAll('{{', '&#123;&#123;');
}

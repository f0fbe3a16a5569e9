import { posix } from 'node:path';
import type { CalloutKind } from '../../../content/document.ts';
import { escapeHtml } from '../../../core/html.ts';
import type { UnknownRecord } from '../../../core/unknown-record.ts';
import { removeAttributes } from './attributes.ts';
import { callout, calloutKinds, details, tabs } from './blocks.ts';
import { escapeAddress } from './hero.ts';
import { withoutFrontMatter } from './parts.ts';
import type { Markup, MarkupPage, MathMarks } from './rules.ts';
import { fillTemplate, replaceShortcodes, type Shortcode, type ShortcodeRule } from './shortcodes.ts';

/** What the syntax of a Hugo project depends on. */
interface HugoSyntax {
  /** `params` of the site. */
  readonly params: UnknownRecord;
  /** Whether attributes in braces may follow any block, not only headings. */
  readonly hasBlockAttributes: boolean;
  /** Marks of formulas (`passthrough`). */
  readonly math: readonly MathMarks[];
}

const attribute = (name: string, value: string): string =>
  value === '' ? '' : ` ${name}="${escapeHtml(value)}"`;

const figure: ShortcodeRule = ({ get }, page) => {
  const src = get('src');
  if (src === '') return null;
  const image = `<img${attribute('src', src)}${attribute('alt', get('alt', 'caption', 'title'))}>`;
  const linked = get('link') === '' ? image : `<a${attribute('href', get('link'))}>${image}</a>`;
  const [title, caption, source] = [get('title'), get('caption'), get('attr')].map((one) =>
    page.code.toHtml(one),
  ) as [string, string, string];
  const credit = get('attrlink') === '' ? source : `<a${attribute('href', get('attrlink'))}>${source}</a>`;
  const texts = [title === '' ? '' : `<strong>${title}</strong>`, caption, credit].filter(
    (one) => one !== '',
  );
  const label = texts.length === 0 ? '' : `\n<figcaption>${texts.join(' ')}</figcaption>`;
  return `<figure>\n${linked}${label}\n</figure>`;
};

const player =
  (address: string, title: string): ShortcodeRule =>
  ({ get }) => {
    const id = get('id', 0);
    if (!/^[\w-]+$/.test(id)) return null;
    return `\n<iframe src="${address}${id}"${attribute('title', get('title') || title)}></iframe>\n`;
  };

const link = (address: string, text = address): string =>
  `[${text.replace(/[[\]]/g, '\\$&')}](${escapeAddress(address)})`;

const reference: ShortcodeRule = ({ get }, page) => {
  const path = get('path', 0);
  if (path === '') return null;
  page.refs.add(path.replace(/#.*/s, ''));
  return path;
};

function fence(code: string, language: string, title = ''): string {
  const text = code.replace(/^[ \t]*\n|\s+$/g, '');
  const marks = '`'.repeat(Math.max(3, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length + 1)));
  return `\n${marks}${language}${title === '' ? '' : ` {title="${title}"}`}\n${text}\n${marks}\n`;
}

const highlight: ShortcodeRule = ({ get, written, inside }) => {
  if (inside === null) return null;
  const language = /^[\w+#-]*$/.test(get(0)) ? get(0) : '';
  if (/hl_inline\s*=\s*true/i.test(get(1))) return `\`\` ${written.trim()} \`\``;
  return fence(written, language);
};

/** Names in which themes give the color of a callout. */
const colors: Readonly<Record<string, CalloutKind>> = {
  ...calloutKinds,
  primary: 'note',
  secondary: 'note',
  default: 'note',
};

const calloutRule: ShortcodeRule = ({ name, get, inside }) => {
  const text = inside ?? get('text', 'content');
  if (text === '') return null;
  const type = get('type', 'style', 'color', 0).toLowerCase();
  const kind = colors[type] ?? calloutKinds[name.toLowerCase()] ?? 'note';
  return callout(kind, get('title', 1), text.trim().split('\n')).join('\n');
};

const detailsRule: ShortcodeRule = ({ get, inside }, page) => {
  if (inside === null) return null;
  const title = get('summary', 'title', 'name', 0) || 'Details';
  return details(title, inside.trim().split('\n'), page, get('open') === 'true').join('\n');
};

const tabNames = /^(?:tab|tab-item|tabitem|codetab)$/i;

const tabsRule: ShortcodeRule = ({ name, get, parts, inside }, page) => {
  const all = parts.filter(({ call }) => tabNames.test(call.name));
  if (all.length === 0) return inside;
  const titles = get('items').split(',');
  const isCode = name.toLowerCase() === 'tabpane';
  return tabs(
    all.map(({ call }, at) => {
      const title = call.get('header', 'title', 'name', 'label', 0) || (titles[at] ?? '').trim();
      const isText = call.isMarkdown || [call.get('text'), get('text')].includes('true');
      const text =
        isCode && !isText ? fence(call.written, call.get('lang') || get('lang')) : (call.inside ?? '').trim();
      return { title, lines: text.split('\n') };
    }),
    page,
  ).join('\n');
};

const showInside: ShortcodeRule = ({ inside }) => inside;

const card: ShortcodeRule = ({ get, inside }) => {
  const title = get('title', 'header');
  const address = get('link', 'href', 'url');
  if (title === '') return inside;
  const more = [get('subtitle', 'description'), (inside ?? '').trim()].filter((one) => one !== '');
  return `\n${[`**${address === '' ? title : link(address, title)}**`, ...more].join('\n\n')}\n`;
};

const button: ShortcodeRule = ({ get, inside }) => {
  const text = (inside ?? get('text', 'title', 'label')).trim();
  const address = get('href', 'link', 'url', 'relref', 0);
  return address === '' || text === '' ? null : link(address, text);
};

/** Inserts a Markdown file: relative to the pages, to those of the language, to the page, or to the project. */
const include: ShortcodeRule = ({ get }, page) => {
  const path = get('file', 'path', 0);
  const [language = ''] = page.path.slice(page.tree.length + 1).split('/');
  const folders = [page.tree, posix.join(page.tree, language), posix.dirname(page.path), ''];
  for (const folder of path === '' ? [] : folders) {
    const file = posix.join(folder, path).replace(/^\//, '');
    const text = page.part(file);
    if (text === null) continue;
    const head = text.slice(0, text.length - withoutFrontMatter(text).length);
    if (/^\s*(?:draft|private|internal|unlisted|hidden)\s*[:=]\s*true\b/im.test(head)) return null;
    if (get('code') === 'true') return fence(text, get('lang'));
    return `\n${page.within(file, withoutFrontMatter(text)).trim()}\n`;
  }
  return null;
};

const version = (words: string): ShortcodeRule => {
  return ({ get, inside }, page) => {
    const number = get(0);
    if (number === '') return null;
    const text = `${words} ${number.startsWith('v') ? number : `v${number}`}`;
    const more = (inside ?? '').trim();
    return more === ''
      ? `<small>${page.code.toHtml(text)}</small>`
      : callout('note', text, more.split('\n')).join('\n');
  };
};

/** The shortcodes of Hugo, and those that many themes have under the same name. */
const rules: Readonly<Record<string, ShortcodeRule>> = {
  figure,
  youtube: player('https://www.youtube-nocookie.com/embed/', 'YouTube'),
  vimeo: player('https://player.vimeo.com/video/', 'Vimeo'),
  highlight,
  ref: reference,
  relref: reference,
  gist: ({ get }) => (get(1) === '' ? null : link(`https://gist.github.com/${get(0)}/${get(1)}`)),
  x: ({ get }) => (get('id') === '' ? null : link(`https://x.com/${get('user')}/status/${get('id')}`)),
  tweet: ({ get }) => (get('id') === '' ? null : link(`https://x.com/${get('user')}/status/${get('id')}`)),
  instagram: ({ get }) => (get(0) === '' ? null : link(`https://www.instagram.com/p/${get(0)}/`)),
  qr: ({ get, inside }) => (inside ?? get('text')).trim() || null,
  details: detailsRule,
  expand: detailsRule,
  collapse: detailsRule,
  accordion: detailsRule,
  comment: () => '',
  mermaid: ({ written }) => fence(written, 'mermaid'),
  include,
  readfile: include,
  'code-toggle': ({ get, written }) => {
    const file = get('file');
    return written.trim() === '' ? null : fence(written, get('fm') === 'true' ? 'yaml' : '', file);
  },
  'new-in': version('New in'),
  'deprecated-in': version('Deprecated in'),
  ...Object.fromEntries(
    ['alert', 'notice', 'callout', 'admonition', ...Object.keys(calloutKinds)].map((name) => [
      name,
      calloutRule,
    ]),
  ),
  tabs: tabsRule,
  tabpane: tabsRule,
  tab: showInside,
  steps: showInside,
  step: showInside,
  cards: showInside,
  cardpane: showInside,
  columns: showInside,
  column: showInside,
  card,
  button,
};

/** A value in front matter or settings by its path, e.g. `a.b`; the case of names is ignored. */
function valueAt(data: unknown, path: string): unknown {
  let value = data;
  for (const name of path.toLowerCase().split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1];
  }
  return value;
}

/** The template of a project's own shortcode; `null` if it has none. */
function templateOf(name: string, page: MarkupPage): string | null {
  const path = name.replace(/\.html$/, '');
  return page.part(`layouts/_shortcodes/${path}.html`) ?? page.part(`layouts/shortcodes/${path}.html`);
}

/** Hugo, with its own shortcodes, those of the project that only insert parameters, and common ones of themes. */
export function createHugoMarkup({ params, hasBlockAttributes, math }: HugoSyntax): Markup {
  const param = ({ get }: Shortcode, page: MarkupPage): string | null => {
    const found = valueAt(page.data, get(0)) ?? valueAt(page.data.params, get(0)) ?? valueAt(params, get(0));
    return ['string', 'number', 'boolean'].includes(typeof found) ? String(found) : null;
  };
  return {
    math,
    include: (text, page) => {
      const templates = new Map<string, string | null>();
      return replaceShortcodes(text, page, (call) => {
        const name = call.name.toLowerCase();
        if (!templates.has(name)) templates.set(name, templateOf(call.name, page));
        const template = templates.get(name) ?? null;
        const filled = template === null ? null : fillTemplate(template, call);
        if (filled !== null) return filled;
        if (name === 'param') return param(call, page);
        return Object.hasOwn(rules, name) ? (rules[name]?.(call, page) ?? null) : null;
      });
    },
    // What was written as {{</* … */>}} is shown; `<` would start an element.
    prepare: (text) =>
      text.replace(/\{\{\/\*[\s\S]*?\*\/\}\}/g, '').replace(/(\{\{)<|<(?=[^\n{}]*\}\})/g, '$1&lt;'),
    blocks: [],
    inline: (text) => (hasBlockAttributes ? removeAttributes(text) : text),
    raw: [],
  };
}

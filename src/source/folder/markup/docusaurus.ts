import { posix } from 'node:path';
import { commonComponents, noteContainers } from './common.ts';
import { propOf, showInside, showNothing } from './components.ts';
import { withoutFrontMatter } from './parts.ts';
import type { ComponentRule, Markup, MarkupPage } from './rules.ts';

const importLine = /^import[ \t]+(\w+)[ \t]+from[ \t]+(["'])([^"'\n]+\.mdx?)\2;?[ \t]*$/gm;
const fenced = /^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t]*\1[`~]*[ \t]*$/gm;

/** Replaces `<Part />` by the Markdown file that the page imports under this name, with its literal properties. */
function includePartials(text: string, page: MarkupPage): string {
  const files = new Map<string, string>();
  // An example in code imports nothing.
  for (const [, name = '', , path = ''] of text.replace(fenced, '').matchAll(importLine)) {
    const isOfSite = path.startsWith('@site/');
    if (isOfSite || path.startsWith('.'))
      files.set(name, isOfSite ? path.slice(6) : posix.join(posix.dirname(page.path), path));
  }
  if (files.size === 0) return text;
  const element =
    /^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t]*\1[`~]*[ \t]*$|`[^`\n]*`|^([ \t]*)<(\w+)((?:\s+[\w-]+(?:=(?:"[^"]*"|\{[^{}]*\}))?)*)\s*(?:\/>|>\s*<\/\3>)/gm;
  return text.replace(element, (whole, _fence, indent = '', name = '', props = '') => {
    const path = files.get(name);
    if (path === undefined) return whole;
    const part = page.part(path);
    if (part === null) return whole;
    const values = new Map<string, string>();
    for (const [, key = '', double, braced] of props.matchAll(
      /([\w-]+)=(?:"([^"]*)"|\{\s*(?:["'`]?)([^"'`{}$]*?)["'`]?\s*\})/g,
    ))
      values.set(key, double ?? braced ?? '');
    const filled = withoutFrontMatter(part).replace(
      /\{props\.(\w+)\}/g,
      (all, key: string) => values.get(key) ?? all,
    );
    // The imports of a part are at its start.
    const inserted = page.within(path, filled).replace(/^(?:\s*import\s[^\n]*(?:\n|$))+/, '');
    const lines = inserted.trim().split('\n');
    return `\n\n${lines.map((line) => (line === '' ? '' : indent + line)).join('\n')}\n\n`;
  });
}

const codeBlock: ComponentRule = (component, page) => {
  const language = propOf(component, 'language') || propOf(component, 'className').replace(/^language-/, '');
  const text = page.code.restore(component.inside).replace(/^\n+|\s+$/g, '');
  return `\n${page.code.block(text, { language, title: propOf(component, 'title') })}\n`;
};

const link: ComponentRule = (component) => {
  const address = propOf(component, 'to', 'href');
  return address === '' ? null : `<a href="${address.replaceAll('"', '%22')}">${component.inside.trim()}</a>`;
};

/** Docusaurus, with the components of its classic theme. */
export const docusaurusMarkup: Markup = {
  include: includePartials,
  prepare: (text) => text.replace(/\{\/\*[\s\S]*?\*\/\}/g, ''),
  components: {
    syntax: 'mdx',
    isEveryFile: true,
    rules: {
      ...commonComponents.rules,
      CodeBlock: codeBlock,
      Link: link,
      Translate: showInside,
      Head: showNothing,
      DocCardList: showNothing,
      TOCInline: showNothing,
    },
    inline: [...commonComponents.inline, 'Link', 'Translate'],
  },
  blocks: [noteContainers],
  raw: [/^[ \t]*:::+.*$/gm],
};

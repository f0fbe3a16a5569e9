import { decodeEntities } from '../../core/html.ts';
import {
  elementsAround,
  findBelow,
  isAlone,
  newElement,
  nextElement,
  rename,
  replace,
  shortText,
  styleOf,
  textNode,
} from '../parse/edit-tree.ts';
import { rawText } from '../parse/raw-text.ts';
import { attribute, childrenOf, link, type SourceNode, unlink } from '../parse/source-tree.ts';
import { classAfter, classesOf, type EditorRule } from './editor-rule.ts';

/** Classes of the numbers of lines of code. */
const numberClasses = new Set(
  'ln lnt lntd lineno linenos linenumber line-number line-numbers gutter rouge-gutter hljs-ln-numbers select-none'.split(
    ' ',
  ),
);

/** The character data of XML, in which some programs write a script. */
const characterData = /^\s*<!\[CDATA\[\n?([\s\S]*?)(?:\]\]>\s*)?$/;

export const codeRules: readonly EditorRule[] = [
  {
    editor: 'SyntaxHighlighter, exports of Confluence',
    report: 'hallowelt/migrate-confluence#61',
    on: 'script',
    has: 'type',
    rewrite(script) {
      if (attribute(script, 'type')?.trim().toLowerCase() !== 'syntaxhighlighter' || isInCode(script)) return;
      const text = script.first?.text ?? '';
      const code = decodeEntities(characterData.exec(text)?.[1] ?? text);
      replace(script, newElement('pre', { class: attribute(script, 'class') ?? '' }, textNode(code)));
    },
  },
  {
    editor: 'Guru, WeChat',
    report: 'JohannesKaufmann/html-to-markdown#224',
    on: 'pre',
    // Each line is an element that a style sheet puts on a line of its own.
    rewrite(pre) {
      const lines = childrenOf(pre);
      if (!lines.every(({ name }) => name === 'code')) return;
      for (const line of lines.slice(1))
        if (!rawText(line.previous ?? line).endsWith('\n')) link(pre, textNode('\n'), line);
    },
  },
  {
    editor: 'Google Docs',
    report: 'Mr0grog/google-docs-to-markdown#218',
    on: 'p',
    // An export has the lines of code as paragraphs, from a sign of a private area to another one.
    rewrite(first) {
      if (!shortText(first).trimStart().startsWith('\uec03')) return;
      const lines = [first];
      const isEnd = (node: SourceNode): boolean => shortText(node).trim() === '\uec02';
      let end = nextElement(first);
      for (; end !== null && lines.length < maxLines && !isEnd(end); end = nextElement(end)) lines.push(end);
      const isCode = lines.every((line) => line.name === 'p' && findBelow(line, isMoreThanText) === null);
      if (end === null || !isEnd(end) || !isCode) return;
      const text = lines.map((line) => rawText(line)).join('\n');
      for (const line of [...lines.slice(1), end]) unlink(line);
      replace(first, newElement('pre', {}, textNode(text.replace('\uec03', '').replaceAll('\u00a0', ' '))));
    },
  },
  {
    editor: 'Visual Studio Code',
    report: 'ProseMirror/prosemirror#1159',
    on: 'div p',
    has: 'style',
    // Copied code: its lines are elements with coloured text.
    rewrite(node) {
      const style = styleOf(node);
      const isCode = style?.keepsLines === true && style.isMonospaced && holdsText(node, 2);
      if (isCode && !isInCode(node)) rename(node, newElement('pre'));
    },
  },
  {
    editor: 'ChatGPT',
    report: 'https://github.com/kepano/defuddle',
    on: 'pre',
    // Above the code is the name of its language, which is a class of the code, too.
    rewrite(pre, { remove }) {
      const code = findBelow(pre, ({ name }) => name === 'code', 64);
      const label = findBelow(pre, (part) => part === code || part.text.trim() !== '', 64);
      if (
        code === null ||
        code.parent === pre ||
        label?.text.trim().toLowerCase() !== classAfter(code, 'language-')
      )
        return;
      remove(label);
      unlink(label);
    },
  },
  ...['class', 'style'].map(
    (has): EditorRule => ({
      editor: 'Pygments, Rouge, Chroma, highlightjs-line-numbers.js',
      report: 'https://pygments.org/docs/formatters/',
      on: 'span div td',
      has,
      rewrite(node, { remove }) {
        const isUnselected = /(?:^|;)\s*user-select\s*:\s*none/i.test(attribute(node, 'style') ?? '');
        if (!isUnselected && !classesOf(node).some((name) => numberClasses.has(name))) return;
        const isNumber = /^\s*\d[\s\d]*$/.test(rawText(node));
        // Code that is a number has no other text, and no number of a line is behind other text.
        if (/\S[^\S\n]*$/.test(node.previous?.text ?? '')) return;
        if (!isNumber || isOnlyCode(node) || !(isInCode(node) || isBesideCode(node))) return;
        remove(node);
        unlink(node);
      },
    }),
  ),
];

/** Whether an element is in code, which shows no formulas. */
export function isInCode(node: SourceNode): boolean {
  return elementsAround(node).some(({ name }) => name === 'pre' || name === 'code');
}

/** More paragraphs are no block of code. */
const maxLines = 1000;

const isMoreThanText = ({ name }: SourceNode): boolean => name === 'img' || name === 'a';

/** Whether an element holds nothing but text, breaks and, for so many levels, elements that do. */
function holdsText(node: SourceNode, levels: number): boolean {
  return childrenOf(node).every(
    (part) =>
      part.name === '#text' ||
      part.name === 'br' ||
      (levels > 0 && (part.name === 'div' || part.name === 'span') && holdsText(part, levels - 1)),
  );
}

const isOnlyCode = (node: SourceNode): boolean =>
  (node.parent?.name === 'pre' || node.parent?.name === 'code') && isAlone(node);

/** Whether an element is the cell before one with a block of code. */
function isBesideCode(cell: SourceNode): boolean {
  const beside = cell.name === 'td' ? nextElement(cell) : null;
  return beside !== null && findBelow(beside, ({ name }) => name === 'pre', 20) !== null;
}

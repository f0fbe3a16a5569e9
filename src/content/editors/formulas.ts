import {
  after,
  findBelow,
  following,
  isBlank,
  isHidden,
  newElement,
  nextElement,
  previousElement,
  replace,
  setAttribute,
  shortText,
  textNode,
} from '../parse/edit-tree.ts';
import { attribute, childrenOf, type SourceNode, unlink } from '../parse/source-tree.ts';
import { isInCode } from './code.ts';
import { classesOf, type EditorRule, type RewriteNotes } from './editor-rule.ts';

/** A formula as scripts find it in a text: `\(…\)` or `$…$`, or `\[…\]` or `$$…$$` for one on a line of its own. */
const delimited =
  /^\s*(?:\\\(((?:(?!\\\))[\s\S])*)\\\)|\\\[((?:(?!\\\])[\s\S])*)\\\]|\$\$([^$]*)\$\$|\$([^$]*)\$)\s*$/;

/** The elements that scripts draw around a formula. */
const drawings = [
  { on: 'span', hasClass: 'katex-display' },
  { on: 'span', hasClass: 'katex' },
  { on: 'div', hasClass: 'MathJax_Display' },
  { on: 'span mjx-container', hasClass: 'MathJax*' },
];

/** Elements that have the source of a formula in an attribute, of which a script makes a drawing in them. */
const drawnLater = [
  { editor: 'Quill', report: 'https://quilljs.com/docs/formats', hasClass: 'ql-formula', from: 'data-value' },
  {
    editor: 'wangEditor',
    report: 'https://github.com/wangeditor-team/wangEditor-plugin-formula',
    has: 'data-w-e-type',
    from: 'data-value',
  },
  { editor: 'Tiptap', report: 'Lex-Inc/roughdraft#132', has: 'data-latex', from: 'data-latex' },
  { editor: 'Gemini', report: 'https://github.com/kepano/defuddle', has: 'data-math', from: 'data-math' },
];

export const formulaRules: readonly EditorRule[] = [
  ...drawnLater.map(({ from, ...rule }) => ({
    ...rule,
    on: 'span div',
    rewrite(node: SourceNode, { remove }: RewriteNotes) {
      const tex = attribute(node, from)?.trim() ?? '';
      if (tex === '' || (attribute(node, 'data-w-e-type') ?? 'formula') !== 'formula') return;
      const text = shortText(node).trim();
      // Only a drawing says the same, and code shows none.
      const isOther = isInCode(node) || (text !== tex && hasTextBesideDrawings(node));
      if ((from !== 'data-value' || node.name === 'div') && text !== '' && isOther) return;
      remove(node);
      const math = formula(tex, node.name === 'div');
      setAttribute(math, 'style', attribute(node, 'style') ?? '');
      replace(node, math);
    },
  })),
  ...drawings.map((drawing) => ({
    ...drawing,
    editor: 'KaTeX, MathJax',
    report: 'https://docs.mathjax.org/en/latest/options/accessibility.html',
    rewrite: removeDrawing,
  })),
  {
    editor: 'MathJax 2, CKEditor 5',
    report: 'https://docs.mathjax.org/en/v2.7-latest/advanced/model.html',
    on: 'script',
    has: 'type',
    rewrite(script, { remove }) {
      const tex = withoutComments(script.first?.text ?? '');
      if (!isSource(script) || tex.trim() === '' || isHidden(script) || isInCode(script)) return;
      // What MathJax has made of the formula is before its source.
      for (
        let drawn = previousElement(script);
        drawn !== null && isDrawn(drawn);
        drawn = previousElement(script)
      ) {
        remove(drawn);
        unlink(drawn);
      }
      replace(script, formula(tex, /mode\s*=\s*display/i.test(attribute(script, 'type') ?? '')));
    },
  },
  {
    editor: 'CKEditor, Pandoc, Sphinx',
    report: 'https://ckeditor.com/docs/ckeditor4/latest/features/mathjax.html',
    on: 'span div',
    has: 'class',
    rewrite(node, { remove }) {
      if (!classesOf(node).some((name) => name === 'math-tex' || name === 'math' || name === 'arithmatex'))
        return;
      const alone = onlyText(node);
      // Sphinx writes the number of a formula beside it.
      const only = alone ?? childrenOf(node).find(({ text }) => delimited.test(text)) ?? null;
      const [, inline, bracket, dollars, dollar] = delimited.exec(only?.text ?? '') ?? [];
      const block = bracket ?? dollars;
      const tex = withoutComments(block ?? inline ?? dollar ?? '');
      if (only === null || tex.trim() === '' || isInCode(only)) return;
      remove(only);
      // The elements around the text stay, because one may have an id.
      const math = formula(tex, block !== undefined);
      replace(only, alone === null && block !== undefined ? newElement('div', {}, math) : math);
    },
  },
];

/** A formula with its source as text, in which names that are not public are found. */
function formula(tex: string, isBlock: boolean): SourceNode {
  const source = newElement('annotation', { encoding: 'application/x-tex' }, textNode(tex));
  return newElement('math', isBlock ? { display: 'block' } : {}, source);
}

const isSource = (node: SourceNode): boolean =>
  node.name === 'script' && /^math\/tex/i.test(attribute(node, 'type') ?? '');

/** The text of an element that shows nothing else; `null` if it shows more, or hides it. */
function onlyText(node: SourceNode): SourceNode | null {
  let only = node;
  for (let level = 0; level < 4 && only.name !== '#text'; level++) {
    const [part, ...others] = childrenOf(only).filter((child) => !isBlank(child));
    if (part === undefined || others.length > 0 || isHidden(part) || part.name === 'script') return null;
    only = part;
  }
  return only.name === '#text' ? only : null;
}

/** Comments are not for readers. In XML, the source is in CDATA, which is in comments. */
const withoutComments = (tex: string): string =>
  tex.replace(/\\[\s\S]|%.*/g, (found) => (found.startsWith('%') ? '' : found));

/** Removes what a script has drawn beside a formula for the eye, and hides from screen readers. */
function removeDrawing(root: SourceNode, { remove }: RewriteNotes): void {
  const beside = nextElement(root);
  // The source that follows is published instead.
  if (isInCode(root) || (beside !== null && isSource(beside))) return;
  const math = formulaBelow(root);
  if (math === null) return;
  const isBlock = /katex-display|MathJax_Display/.test(attribute(root, 'class') ?? '');
  if (isBlock || attribute(root, 'display') === 'true') setAttribute(math, 'display', 'block');
  for (let node = root.first, next: typeof node; node !== null; node = next) {
    // MathJax moves what is not for the eye out of sight.
    if (node.name === 'mjx-assistive-mml') setAttribute(node, 'style', '');
    const isDrawing = node.name === 'svg' || attribute(node, 'aria-hidden') === 'true';
    next = isDrawing ? after(node, root) : following(node, root);
    if (!isDrawing || formulaBelow(node) !== null) continue;
    remove(node);
    unlink(node);
  }
}

const formulaBelow = (root: SourceNode): SourceNode | null => findBelow(root, ({ name }) => name === 'math');

const isDrawing = (node: SourceNode): boolean =>
  node.name === 'svg' || classesOf(node).some((name) => /^(?:katex|mathjax)/i.test(name));

/** Whether an element has text that is not a part of a drawing. */
function hasTextBesideDrawings(root: SourceNode): boolean {
  let node = root.first;
  while (node !== null) {
    if (node.text.trim() !== '') return true;
    node = isDrawing(node) ? after(node, root) : following(node, root);
  }
  return false;
}

const isDrawn = (node: SourceNode): boolean => classesOf(node).some((name) => name.startsWith('MathJax'));

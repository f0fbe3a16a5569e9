import {
  after,
  following,
  isHidden,
  newElement,
  previousElement,
  replace,
  textNode,
} from '../parse/edit-tree.ts';
import { attribute, type SourceNode, unlink } from '../parse/source-tree.ts';
import { isInCode } from './code.ts';
import { classesOf, type EditorRule, type RewriteNotes } from './editor-rule.ts';

/** A formula as scripts find it in a text: `\(…\)`, or `\[…\]` for one on a line of its own. */
const delimited = /^\s*\\(?:\(((?:(?!\\\))[\s\S])*)\\\)|\[((?:(?!\\\])[\s\S])*)\\\])\s*$/;

export const formulaRules: readonly EditorRule[] = [
  {
    editor: 'KaTeX',
    report: 'https://katex.org/docs/options',
    on: 'span',
    hasClass: 'katex',
    rewrite: removeDrawing,
  },
  {
    editor: 'MathJax',
    report: 'https://docs.mathjax.org/en/latest/options/accessibility.html',
    on: 'span mjx-container',
    hasClass: 'MathJax*',
    rewrite: removeDrawing,
  },
  {
    editor: 'MathJax 2, CKEditor 5',
    report: 'https://docs.mathjax.org/en/v2.7-latest/advanced/model.html',
    on: 'script',
    has: 'type',
    rewrite(script, { remove }) {
      const type = attribute(script, 'type') ?? '';
      const tex = withoutComments(script.first?.text ?? '');
      if (!/^math\/tex/i.test(type) || tex.trim() === '' || isHidden(script) || isInCode(script)) return;
      // What MathJax has made of the formula is before its source.
      for (
        let drawn = previousElement(script);
        drawn !== null && isDrawn(drawn);
        drawn = previousElement(script)
      ) {
        remove(drawn);
        unlink(drawn);
      }
      replace(script, formula(tex, /mode\s*=\s*display/i.test(type)));
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
      const only = node.first !== null && node.first === node.last ? node.first.text : '';
      const [, inline, block] = delimited.exec(only) ?? [];
      const tex = withoutComments(inline ?? block ?? '');
      if (node.first === null || tex.trim() === '' || isInCode(node)) return;
      remove(node.first);
      // The element stays, because it may be hidden, or have an id.
      replace(node.first, formula(tex, block !== undefined));
    },
  },
];

/** A formula with its source as text, in which names that are not public are found. */
function formula(tex: string, isBlock: boolean): SourceNode {
  const source = newElement('annotation', { encoding: 'application/x-tex' }, textNode(tex));
  return newElement('math', isBlock ? { display: 'block' } : {}, source);
}

/** Comments are not for readers. In XML, the source is in CDATA, which is in comments. */
const withoutComments = (tex: string): string =>
  tex.replace(/\\[\s\S]|%.*/g, (found) => (found.startsWith('%') ? '' : found));

/** Removes what a script has drawn beside a formula for the eye, and hides from screen readers. */
function removeDrawing(root: SourceNode, { remove }: RewriteNotes): void {
  if (!hasFormula(root) || isInCode(root)) return;
  for (let node = root.first, next: typeof node; node !== null; node = next) {
    const isDrawing = node.name === 'svg' || attribute(node, 'aria-hidden') === 'true';
    next = isDrawing ? after(node, root) : following(node, root);
    if (!isDrawing || hasFormula(node)) continue;
    remove(node);
    unlink(node);
  }
}

function hasFormula(root: SourceNode): boolean {
  for (let node = root.first; node !== null; node = following(node, root))
    if (node.name === 'math') return true;
  return false;
}

const isDrawn = (node: SourceNode): boolean => classesOf(node).some((name) => name.startsWith('MathJax'));

import { following, newElement, previousElement, replace, textNode } from '../parse/edit-tree.ts';
import { attribute, type SourceNode, unlink } from '../parse/source-tree.ts';
import { classesOf, type EditorRule, type RewriteNotes } from './editor-rule.ts';

/** A formula as scripts find it in a text: `\(…\)`, or `\[…\]` for one on a line of its own. */
const delimited = /^\s*\\(?:\(((?:(?!\\\))[\s\S])*)\\\)|\[((?:(?!\\\])[\s\S])*)\\\])\s*$/;

export const formulaRules: readonly EditorRule[] = [
  { editor: 'KaTeX', report: 'https://katex.org/docs/options', hasClass: 'katex', rewrite: removeDrawing },
  {
    editor: 'MathJax',
    report: 'https://docs.mathjax.org/en/latest/options/accessibility.html',
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
      // In XML, the source is in CDATA, which is a comment for TeX.
      const tex = (script.first?.text ?? '').replace(/% ?<!\[CDATA\[|% ?\]\]>/g, '');
      if (!/^math\/tex/i.test(type) || tex.trim() === '' || isInCode(script)) return;
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
      const tex = inline ?? block ?? '';
      if (tex.trim() === '' || isInCode(node)) return;
      remove(node);
      replace(node, formula(tex, block !== undefined));
    },
  },
];

/** A formula with its source as text, in which names that are not public are found. */
function formula(tex: string, isBlock: boolean): SourceNode {
  const source = newElement('annotation', { encoding: 'application/x-tex' }, textNode(tex));
  return newElement('math', isBlock ? { display: 'block' } : {}, source);
}

/** Removes what a script has drawn around a formula for the eye. */
function removeDrawing(node: SourceNode, { remove }: RewriteNotes): void {
  const math = formulaBelow(node);
  if (math === null || isInCode(node)) return;
  remove(node);
  unlink(math);
  replace(node, math);
}

function formulaBelow(root: SourceNode): SourceNode | null {
  for (let node = root.first; node !== null; node = following(node, root))
    if (node.name === 'math') return node;
  return null;
}

const isDrawn = (node: SourceNode): boolean => classesOf(node).some((name) => name.startsWith('MathJax'));

/** Whether a formula would be in code, which shows none. */
function isInCode(node: SourceNode): boolean {
  for (let at = node.parent, level = 0; at !== null && level < 8; at = at.parent, level++)
    if (at.name === 'pre' || at.name === 'code') return true;
  return false;
}

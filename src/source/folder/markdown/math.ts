import { escapeHtml } from '../../../core/html.ts';
import type { CodeStore } from './code-store.ts';

const block = /(?<!\\)\$\$((?:(?!\$\$|\n[ \t>]*\n)[^\0])+)\$\$/g;
/** A price is no formula: no blank inside the marks, no letter or digit outside. */
const inline = /(?<![\\$\w])\$(?![\s$])((?:[^$\n\\\0]|\\[^\n\0]|\n(?![ \t>]*\n))+)(?<!\s)\$(?![\d$A-Za-z])/g;

/** Hides the formulas of a text, `$…$` and `$$…$$`, as code. The content stage makes MathML of their source. */
export function markMath(text: string, code: CodeStore): string {
  const add =
    (attributes: string) =>
    (_all: string, tex: string): string =>
      code.mark(`<math${attributes} alttext="${escapeHtml(plainTex(tex))}"></math>`);
  return text.replace(block, add(' display="block"')).replace(inline, add('')).replace(/\\\$/g, '$');
}

/** TeX on one line, without comments and marks of quotations. */
function plainTex(tex: string): string {
  return tex
    .replace(/^[ \t]*>+[ \t]?/gm, '')
    .replace(/(?<!\\)%[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

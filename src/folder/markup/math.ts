import { escapeHtml } from '../../foundation/html.ts';
import type { Markup, MarkupPage } from './rules.ts';

/** Marks around formulas: `$` is `$…$` and `$$…$$`, `brackets` are `\(…\)` and `\[…\]`. */
export type MathMarks = 'dollars' | 'brackets';

const blockDollars = /(?<!\\)\$\$((?:(?!\$\$|\n[ \t>]*\n)[^\0])+)\$\$/g;
/** A price is no formula: no blank inside the marks, no letter or digit outside. */
const inlineDollars =
  /(?<![\\$\w])\$(?![\s$])((?:[^$\n\\\0]|\\[^\n\0]|\n(?![ \t>]*\n))+)(?<!\s)\$(?![\d$A-Za-z])/g;
const blockBrackets = /(?<!\\)\\\[((?:(?!\\[[\]]|\n[ \t>]*\n)[^\0])+)\\\]/g;
const inlineBrackets = /(?<!\\)\\\(((?:(?!\\[()]|\n[ \t>]*\n)[^\0])+)\\\)/g;

/** Adds formulas to the syntax of a generator. The content stage makes MathML of their source. */
export function withMath(markup: Markup, marks: readonly MathMarks[]): Markup {
  return {
    ...markup,
    prepare: (text, page) => {
      const marked = markMath(text, marks, page);
      return markup.prepare?.(marked, page) ?? marked;
    },
  };
}

function markMath(text: string, marks: readonly MathMarks[], page: MarkupPage): string {
  const add =
    (attributes: string) =>
    (_all: string, tex: string): string =>
      page.code.span(`<math${attributes} alttext="${escapeHtml(plainTex(tex))}"></math>`);
  let result = text;
  if (marks.includes('brackets'))
    result = result.replace(blockBrackets, add(' display="block"')).replace(inlineBrackets, add(''));
  if (marks.includes('dollars'))
    result = result
      .replace(blockDollars, add(' display="block"'))
      .replace(inlineDollars, add(''))
      .replace(/\\\$/g, '$');
  return result;
}

/** TeX on one line, without comments and marks of quotations. */
function plainTex(tex: string): string {
  return tex
    .replace(/^[ \t]*>+[ \t]?/gm, '')
    .replace(/(?<!\\)%[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whether a configuration file loads a plugin for formulas. */
export function loadsMath(config: string): boolean {
  return /remark-?math|rehype-?(?:katex|mathjax)/i.test(config.replace(/^\s*(?:\/\/|#).*$/gm, ''));
}

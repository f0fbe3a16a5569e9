import { escapeHtml } from '../../../core/html.ts';
import type { CodeStore } from './code.ts';
import type { Markup, MathMarks } from './rules.ts';

const blockDollars = /(?<!\\)\$\$((?:(?!\$\$|\n[ \t>]*\n)[^\0])+)\$\$/g;
/** A price is no formula: no blank inside the marks, no letter or digit outside. */
const inlineDollars =
  /(?<![\\$\w])\$(?![\s$])((?:[^$\n\\\0]|\\[^\n\0]|\n(?![ \t>]*\n))+)(?<!\s)\$(?![\d$A-Za-z])/g;
const blockBrackets = /(?<!\\)\\\[((?:(?!\\[[\]]|\n[ \t>]*\n)[^\0])+)\\\]/g;
const inlineBrackets = /(?<!\\)\\\(((?:(?!\\[()]|\n[ \t>]*\n)[^\0])+)\\\)/g;

/** Hides the formulas of a text as code. The content stage makes MathML of their source. */
export function markMath(text: string, marks: readonly MathMarks[], code: CodeStore): string {
  const add =
    (attributes: string) =>
    (_all: string, tex: string): string =>
      code.span(`<math${attributes} alttext="${escapeHtml(plainTex(tex))}"></math>`);
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

/** The same syntax with `$…$` and `$$…$$`. */
export function withDollars(markup: Markup): Markup {
  return { ...markup, math: ['dollars', ...(markup.math ?? []).filter((one) => one !== 'dollars')] };
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

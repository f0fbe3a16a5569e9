import { escapeHtml } from '../../../core/html.ts';
import type { CodeStore } from './code-store.ts';

const block = /(?<!\\)\$\$((?:(?!\$\$|\n[ \t>]*\n)[^\0])+)\$\$/g;
/** A price is no formula: no blank inside the marks, no letter or digit outside. */
const inline = /(?<![\\$\w])\$(?![\s$])((?:[^$\n\\\0]|\\[^\n\0]|\n(?![ \t>]*\n))+)(?<!\s)\$(?![\d$A-Za-z])/g;

/** The mark of code that may be a formula, as GitHub and GitLab write it: a span between dollars, or a block in the language `math`. */
const hidden = /(?<![\\$\w])\$(\0\d+\0)\$(?![\d$A-Za-z])|\0\d+\0/g;

/** Hides the formulas of a text, `$…$`, `$$…$$` and code that is one, as code. The content stage makes MathML of their source. */
export function markMath(text: string, code: CodeStore): string {
  const add =
    (attributes: string) =>
    (_all: string, tex: string): string =>
      code.mark(`<math${attributes} alttext="${escapeHtml(plainTex(tex))}"></math>`);
  return text
    .replace(hidden, (all: string, span?: string) => {
      const written = code.restore(span ?? all);
      const [, tex] =
        (span === undefined ? /^(?:`{3,}|~{3,})math[ \t]*\n([\s\S]*)\n[ \t>]*[`~]+$/ : /^`([^`]+)`$/).exec(
          written,
        ) ?? [];
      return tex === undefined ? all : add(span === undefined ? ' display="block"' : '')(all, tex);
    })
    .replace(block, add(' display="block"'))
    .replace(inline, add(''))
    .replace(/\\\$/g, '$');
}

/** TeX on one line, without comments and marks of quotations. */
function plainTex(tex: string): string {
  return tex
    .replace(/^[ \t]*>+[ \t]?/gm, '')
    .replace(/(?<!\\)%[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

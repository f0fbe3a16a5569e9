import { rawText } from '../parse/raw-text.ts';
import { attribute, childrenOf, type SourceNode } from '../parse/source-tree.ts';
import { foldSpace } from '../text.ts';

/** Deeper formulas are not written. */
const maxDepth = 50;

/**
 * The TeX of a formula in MathML without its source, as formula editors and MathJax write it; `null` if it has an element or an attribute that is not
 * known, such as one that hides text.
 */
export function mathmlToTex(math: SourceNode): string | null {
  try {
    return foldSpace(writeRow(math, 0)).trim() || null;
  } catch (error) {
    if (error instanceof UnknownMathMl) return null;
    throw error;
  }
}

class UnknownMathMl extends Error {}

/** Attributes that change no text. */
const known =
  /^(?:mathvariant|mathsize|mathcolor|displaystyle|scriptlevel|stretchy|fence|separator|form|accent|accentunder|linethickness|width|height|depth|lspace|rspace|minsize|maxsize|largeop|movablelimits|symmetric|notation|linebreak|(?:column|row)(?:align|spacing|lines|span)|open|close|separators|data-mjx-texclass|id)$/;

type Write = (args: readonly string[]) => string;

/** Elements with a fixed number of arguments. */
const forms = new Map<string, Write>(
  Object.entries({
    mfrac: ([a, b]) => `\\frac{${a}}{${b}}`,
    msup: ([a, b]) => `{${a}}^{${b}}`,
    msub: ([a, b]) => `{${a}}_{${b}}`,
    msubsup: ([a, b, c]) => `{${a}}_{${b}}^{${c}}`,
    munder: ([a, b]) => `{${a}}_{${b}}`,
    mover: ([a, b = '']) => (Object.hasOwn(accents, b) ? `${accents[b]}{${a}}` : `{${a}}^{${b}}`),
    munderover: ([a, b, c]) => `{${a}}_{${b}}^{${c}}`,
    mroot: ([a, b]) => `\\sqrt[${b}]{${a}}`,
  }),
);

/** By the TeX of the sign above. */
const accents: Readonly<Record<string, string>> = {
  '→': '\\vec',
  '\\text{\\textasciicircum}': '\\hat',
  '¯': '\\bar',
  '‾': '\\overline',
  '―': '\\overline',
  '\\sim ': '\\tilde',
  '˙': '\\dot',
};

/** Elements that only group others. */
const rows = new Set(['mrow', 'mstyle', 'mpadded', 'semantics', 'menclose']);

function writeRow(node: SourceNode, depth: number): string {
  return elementsOf(node)
    .map((child) => write(child, depth + 1))
    .join(' ');
}

function write(node: SourceNode, depth: number): string {
  if (depth > maxDepth || node.attributes.some(({ name }) => !known.test(name))) throw new UnknownMathMl();
  const form = forms.get(node.name);
  if (form !== undefined) return form(elementsOf(node).map((child) => write(child, depth + 1)));
  if (rows.has(node.name)) return writeRow(node, depth);
  switch (node.name) {
    case 'mi': {
      const text = textOf(node);
      if (attribute(node, 'mathvariant') === 'normal' || [...text].length < 2) return text;
      return /^[a-z]+$/i.test(text) ? `\\operatorname{${text}}` : text;
    }
    case 'mn':
    case 'mo':
      return textOf(node);
    case 'mtext':
    case 'ms':
      return `\\text{${textOf(node, signsInText)}}`;
    case 'mspace':
    case 'mphantom':
    case 'none':
    case 'annotation':
    case 'annotation-xml':
      return '';
    case 'msqrt':
      return `\\sqrt{${writeRow(node, depth)}}`;
    case 'mtable':
      return `\\begin{matrix}${elementsOf(node)
        .map((row) =>
          elementsOf(row)
            .map((cell) => writeRow(cell, depth + 1))
            .join(' & '),
        )
        .join(' \\\\ ')}\\end{matrix}`;
    default:
      throw new UnknownMathMl();
  }
}

function elementsOf(node: SourceNode): readonly SourceNode[] {
  return childrenOf(node).filter(({ name }) => !name.startsWith('#'));
}

/** Signs that are commands in TeX, and not with a backslash. */
const signs: Readonly<Record<string, string>> = {
  '\\': '\\backslash ',
  '~': '\\sim ',
  '^': '\\text{\\textasciicircum}',
};

/** The same in a text. */
const signsInText: typeof signs = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

/** The text of an element. Characters that are commands in TeX are written so that they are shown; invisible operators are omitted. */
function textOf(node: SourceNode, commands = signs): string {
  return foldSpace(rawText(node))
    .trim()
    .replace(/[\u2061-\u2064]/g, '')
    .replace(/[#$%&_{}\\~^]/g, (sign) => commands[sign] ?? `\\${sign}`);
}

import { attribute, type SourceNode } from '../../content/parse/source-tree.ts';
import { lineBelow } from './select.ts';

/** Deeper formulas are not written. */
const maxDepth = 50;

/** The TeX of a formula in MathML, as MathJax writes it; `null` if it has an element that is not known. */
export function mathmlToTex(math: SourceNode): string | null {
  try {
    return writeRow(math, 0).replace(/\s+/g, ' ').trim() || null;
  } catch (error) {
    if (error instanceof UnknownElement) return null;
    throw error;
  }
}

class UnknownElement extends Error {}

type Write = (args: readonly string[], node: SourceNode) => string;

/** Elements with a fixed number of arguments. */
const forms: Readonly<Record<string, Write>> = {
  mfrac: ([a, b]) => `\\frac{${a}}{${b}}`,
  msup: ([a, b]) => `{${a}}^{${b}}`,
  msub: ([a, b]) => `{${a}}_{${b}}`,
  msubsup: ([a, b, c]) => `{${a}}_{${b}}^{${c}}`,
  munder: ([a, b]) => `{${a}}_{${b}}`,
  mover: ([a, b]) => (accents[b ?? ''] === undefined ? `{${a}}^{${b}}` : `${accents[b ?? '']}{${a}}`),
  munderover: ([a, b, c]) => `{${a}}_{${b}}^{${c}}`,
  mroot: ([a, b]) => `\\sqrt[${b}]{${a}}`,
};

const accents: Readonly<Record<string, string>> = {
  '→': '\\vec',
  '^': '\\hat',
  '¯': '\\bar',
  '‾': '\\overline',
  '―': '\\overline',
  '~': '\\tilde',
  '˙': '\\dot',
};

/** Elements that only group others. */
const rows = new Set(['math', 'mrow', 'mstyle', 'mpadded', 'semantics', 'mjx-assistive-mml', 'menclose']);

function writeRow(node: SourceNode, depth: number): string {
  return elementsOf(node)
    .map((child) => write(child, depth + 1))
    .join(' ');
}

function write(node: SourceNode, depth: number): string {
  if (depth > maxDepth) throw new UnknownElement();
  const form = forms[node.name];
  if (form !== undefined)
    return form(
      elementsOf(node).map((child) => write(child, depth + 1)),
      node,
    );
  if (rows.has(node.name)) return writeRow(node, depth);
  switch (node.name) {
    case 'mi': {
      const text = escapeTex(lineBelow(node));
      if (attribute(node, 'mathvariant') === 'normal' || [...text].length < 2) return text;
      return /^[a-z]+$/i.test(text) ? `\\operatorname{${text}}` : text;
    }
    case 'mn':
    case 'mo':
      return escapeTex(lineBelow(node));
    case 'mtext':
    case 'ms':
      return `\\text{${escapeTex(lineBelow(node))}}`;
    case 'mspace':
    case 'mphantom':
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
      throw new UnknownElement();
  }
}

function elementsOf(node: SourceNode): readonly SourceNode[] {
  const found: SourceNode[] = [];
  for (let child = node.first; child !== null; child = child.next)
    if (!child.name.startsWith('#')) found.push(child);
  return found;
}

/** Characters that are commands in TeX; invisible operators are left out. */
function escapeTex(text: string): string {
  return text
    .replace(/[\u2061-\u2064]/g, '')
    .replace(/[#$%&_{}]/g, '\\$&')
    .replace(/\\(?![#$%&_{}])/g, '\\backslash ');
}

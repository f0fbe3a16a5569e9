import { createRequire } from 'node:module';
// temml writes formulas as MathML, so that pages need no script and no fonts.
import type Temml from 'temml';
import { once } from '../../core/concurrency.ts';
import { orNull } from '../../core/errors.ts';
import { following } from '../parse/edit-tree.ts';
import { rawText } from '../parse/raw-text.ts';
import { attribute, type SourceNode } from '../parse/source-tree.ts';
import { foldSpace } from '../text.ts';
import { type CleanContext, quote } from './clean-context.ts';
import { CleanElement } from './clean-tree.ts';
import { mathmlToTex } from './mathml-to-tex.ts';

/** Longest formula in characters; its time grows with its length. */
const maxChars = 5000;

/**
 * Publishes a formula. Its TeX source is in an `annotation` or in `alttext`, or is made from its MathML; MathML is made from it again, so that an author's
 * own is never published. Returns `false` if it has no source and is not understood.
 */
export function addMath(node: SourceNode, context: CleanContext): boolean {
  const annotation = findAnnotation(node);
  const isEmpty = foldSpace(rawText(node, 100)).trim() === '';
  const written =
    annotation !== null ? rawText(annotation) : isEmpty ? attribute(node, 'alttext') : mathmlToTex(node);
  const tex = foldSpace(written ?? '').trim();
  if (tex === '') return false;
  const isBlock = attribute(node, 'display')?.toLowerCase() === 'block';
  const html = renderMath(tex, isBlock);
  if (html === null) {
    context.report('MATH_INVALID', `the formula ${quote(tex)} is published as its source`);
    context.builder.addInline(new CleanElement('code', '', null, [tex]));
    return true;
  }
  context.builder.addInline(new CleanElement('math', '', { kind: 'math', tex, isBlock, html }));
  return true;
}

function findAnnotation(math: SourceNode): SourceNode | null {
  for (let at = math.first; at !== null; at = following(at, math))
    if (at.name === 'annotation' && attribute(at, 'encoding') === 'application/x-tex') return at;
  return null;
}

/** Few pages have formulas, and the library is large. */
const temml = once(() => createRequire(import.meta.url)('temml') as typeof Temml);

/** A formula as MathML; `null` if it is wrong. */
function renderMath(tex: string, isBlock: boolean): string | null {
  if (tex.length > maxChars) return null;
  const options = { displayMode: isBlock, throwOnError: true, trust: false, maxExpand: 500 };
  const library = temml();
  return orNull(() => keepMathMl(library.renderToString(tex, { ...options, macros: {} })));
}

/** MathML Core, as the library writes it, without links, actions and embedded HTML. */
const elements = new Set(
  'math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded mphantom menclose msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd merror'.split(
    ' ',
  ),
);

const attributes = new Set(
  'display mathvariant displaystyle scriptlevel stretchy fence separator form lspace rspace symmetric largeop movablelimits minsize maxsize accent accentunder linethickness width height depth voffset columnalign rowalign columnspacing rowspacing columnlines rowlines columnspan rowspan notation'.split(
    ' ',
  ),
);

/** A tag, or a sign of one in a text. */
const tagOrSign = /<(\/?)([a-z]+)((?:\s+[A-Za-z:-]+="[^"<>]*")*)\s*(\/?)>|[<>]/g;

/** Writes the tags of the library again, without elements and attributes that are not in the lists. */
function keepMathMl(html: string): string {
  return html.replace(
    tagOrSign,
    (found, slash: string, name: string | undefined, own: string, closed: string) => {
      if (name === undefined) return found === '<' ? '&lt;' : '&gt;';
      if (!elements.has(name)) return '';
      if (slash !== '') return `</${name}>`;
      const kept = own.replace(/\s+([A-Za-z:-]+)(="[^"]*")/g, (_all, key: string, value: string) =>
        attributes.has(key) ? ` ${key}${value}` : '',
      );
      return `<${name}${kept}>${closed === '' ? '' : `</${name}>`}`;
    },
  );
}

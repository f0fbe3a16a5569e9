import { stripInvisible } from '../../core/invisible.ts';
import { countText, Tally } from '../ledger.ts';
import { following } from '../parse/edit-tree.ts';
import { attribute, type SourceNode } from '../parse/source-tree.ts';
import { isBlockName, treatments } from '../policy/elements.ts';
import { foldSpace } from '../text.ts';
import type { CleanContext } from './clean-context.ts';
import { CleanElement } from './clean-tree.ts';

/** Whether an element starts a line of code, and ends one. */
const isBlock = (name: string): boolean => isBlockName(name) && name !== 'td' && name !== 'th';

/** What Markdown and the colours of code leave out, although it changes what a line means. */
const meaningful = new Set(['del', 's', 'strike', 'sup', 'sub']);

/** Publishes a `<pre>` as code, unchanged, and then its images. */
export function addCode(
  node: SourceNode,
  context: CleanContext,
  addShown: (node: SourceNode, context: CleanContext) => void,
): void {
  for (let at = node.first; at !== null; at = following(at, node)) {
    const treatment = treatments.get(at.name);
    if (treatment?.kind === 'drop' && treatment.isReported) context.drop(at);
    else if (meaningful.has(at.name) && at.first !== null) context.flatten(at);
  }
  const text = rawText(node);
  if (text.trim() !== '') addText(node, text, context);
  for (let at = node.first; at !== null; at = following(at, node)) addShown(at, context);
}

function addText(node: SourceNode, text: string, context: CleanContext): void {
  const element = new CleanElement('pre', '', { kind: 'code', language: languageOf(node), text });
  if (context.builder.addBlock(element)) return;
  context.report('ELEMENT_DROPPED', `a block of code inside a heading is published as its text.`);
  const tally = new Tally();
  countText(text, tally);
  context.removed.tally.code += tally.letters;
  context.builder.text(foldSpace(text));
}

/**
 * Text below a node with its white space, without dropped elements; line breaks and blocks start a line. Stops at `limit` characters.
 * Iterative.
 */
export function rawText(node: SourceNode, limit = Number.POSITIVE_INFINITY): string {
  let text = '';
  let isLineStart = true;
  let isAfterBlock = false;
  let at: SourceNode | null = node.first;
  while (at !== null && text.length < limit) {
    if (at.name === '#text' && at.text !== '') {
      // After a block, a line starts.
      if (isAfterBlock && !isLineStart && !at.text.startsWith('\n')) text += '\n';
      isAfterBlock = false;
      text += at.text;
      isLineStart = at.text.endsWith('\n');
    } else if (at.name === 'br' || (isBlock(at.name) && !isLineStart)) {
      text += '\n';
      isLineStart = true;
    } else if (
      (at.name === 'img' || at.name === 'input' || at.name === 'td' || at.name === 'th') &&
      /\S$/.test(text)
    )
      text += ' ';
    if (at.first !== null && treatments.get(at.name)?.kind !== 'drop') {
      at = at.first;
      continue;
    }
    for (; at !== null; at = at.parent === node ? null : at.parent) {
      if (isBlock(at.name)) isAfterBlock = true;
      if (at.next === null) continue;
      at = at.next;
      break;
    }
  }
  return stripInvisible(text);
}

const languageClass = /^(?:lang|language|highlight-source)-([a-z0-9+#._-]{1,30})$/;

/** Language in a class or data attribute of a `<pre>` or its `<code>`; lower case. */
function languageOf(pre: SourceNode): string | null {
  const code = pre.first !== null && pre.first.name === 'code' ? pre.first : null;
  for (const node of [code, pre]) {
    if (node === null) continue;
    const named = attribute(node, 'data-language') ?? attribute(node, 'data-lang');
    const candidates = named === null ? [] : [`language-${named}`];
    for (const name of [...candidates, ...(attribute(node, 'class') ?? '').split(/\s+/)]) {
      const language = languageClass.exec(name.toLowerCase())?.[1];
      if (language !== undefined) return language;
    }
  }
  return null;
}

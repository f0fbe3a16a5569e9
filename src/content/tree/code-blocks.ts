import { stripInvisible } from '../../core/invisible.ts';
import { attribute, type SourceNode } from '../parse/source-tree.ts';
import { treatments } from '../policy/elements.ts';
import { foldSpace } from '../text.ts';
import type { CleanContext } from './clean-context.ts';
import { CleanElement } from './clean-tree.ts';

const blocks = new Set(['div', 'p', 'li', 'tr']);

/** Publishes a `<pre>` as code, unchanged. */
export function addCode(node: SourceNode, context: CleanContext): void {
  const text = rawText(node);
  if (text.trim() === '') return;
  const element = new CleanElement('pre', '', { kind: 'code', language: languageOf(node), text });
  if (!context.builder.addBlock(element)) context.builder.text(foldSpace(text));
}

/**
 * Text below a node with its white space, without dropped elements; line breaks and blocks start a line. Stops at `limit` characters.
 * Iterative.
 */
export function rawText(node: SourceNode, limit = Number.POSITIVE_INFINITY): string {
  let text = '';
  let isLineStart = true;
  let at: SourceNode | null = node.first;
  while (at !== null && text.length < limit) {
    if (at.name === '#text' && at.text !== '') {
      text += at.text;
      isLineStart = at.text.endsWith('\n');
    } else if (at.name === 'br' || (blocks.has(at.name) && !isLineStart)) {
      text += '\n';
      isLineStart = true;
    }
    if (at.first !== null && treatments.get(at.name)?.kind !== 'drop') {
      at = at.first;
      continue;
    }
    while (at !== null && at.next === null) at = at.parent === node ? null : at.parent;
    if (at !== null) at = at.next;
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

import { stripInvisible } from '../../core/invisible.ts';
import type { SourceNode } from './source-tree.ts';

/** Whether an element starts a line of code, and ends one. */
const isBlock = ({ name, kind }: SourceNode): boolean => kind.isBlock && name !== 'td' && name !== 'th';

/** Whether an element is no part of a text below `root`: a button copies it, and what is in a player is for browsers that have none. */
export function isLeftOut({ name, namespace, kind }: SourceNode, root: SourceNode): boolean {
  if (name === '#text') return false;
  if (name === 'button' || name === 'video' || name === 'audio') return true;
  return namespace !== root.namespace || kind.treatment?.kind === 'drop';
}

/** Elements that end the word before them. */
const parted = new Set(
  'img input td th video audio button select textarea object embed xmp option optgroup datalist progress meter math'.split(
    ' ',
  ),
);

/**
 * Text below a node with its white space, without dropped elements and buttons; line breaks and blocks start a line. Stops at `limit`
 * characters. Iterative.
 */
export function rawText(node: SourceNode, limit = Number.POSITIVE_INFINITY): string {
  let text = '';
  let isLineStart = true;
  let isAfterBlock = false;
  let isParted = false;
  let at: SourceNode | null = node.first;
  while (at !== null && text.length < limit) {
    if (at.name === '#text' && at.text !== '') {
      // After a block, a line starts.
      if (isAfterBlock && !isLineStart && !at.text.startsWith('\n')) text += '\n';
      else if (isParted && /[^ \t\n]$/.test(text) && /^[^ \t\n]/.test(at.text)) text += ' ';
      isAfterBlock = false;
      isParted = false;
      text += at.text;
      isLineStart = at.text.endsWith('\n');
    } else if (at.name === 'br' || (isBlock(at) && !isLineStart)) {
      // After a block, a break is a line of its own.
      text += at.name === 'br' && isAfterBlock && !isLineStart ? '\n\n' : '\n';
      isLineStart = true;
      isAfterBlock = false;
    } else if (parted.has(at.name) && !at.isHidden) isParted = true;
    if (at.first !== null && !isLeftOut(at, node) && !at.isHidden) {
      at = at.first;
      continue;
    }
    for (; at !== null; at = at.parent === node ? null : at.parent) {
      if (isBlock(at)) isAfterBlock = true;
      if (at.next === null) continue;
      at = at.next;
      break;
    }
  }
  return stripInvisible(text);
}

import { countOf } from '../../core/count-of.ts';
import { isHidden } from '../parse/edit-tree.ts';
import { rawText } from '../parse/raw-text.ts';
import type { SourceNode } from '../parse/source-tree.ts';
import { foldSpace } from '../text.ts';
import { type CleanContext, quote } from './clean-context.ts';

/** Removes an element that readers cannot see, and reports its text, or else its images and players. Returns whether it did. */
export function removeHidden(node: SourceNode, context: CleanContext): boolean {
  if (!isHidden(node)) return false;
  node.isHidden = true;
  const { images, players, letters } = context.remove(node);
  if (node.kind.isBlock) context.builder.addSpace(' ');
  const text = foldSpace(rawText(node, 1000)).trim();
  const shown = [
    letters > 0 ? 'text of buttons or fields' : '',
    images > 0 ? countOf(images, 'image') : '',
    players > 0 ? countOf(players, 'player') : '',
  ];
  const counts = shown.filter((count) => count !== '').join(' and ');
  if (text !== '') context.report('HIDDEN_TEXT', `hidden text was removed: ${quote(text)}`);
  else if (counts !== '') context.report('HIDDEN_TEXT', `hidden content was removed: ${counts}`);
  return true;
}

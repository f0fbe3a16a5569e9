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
  const media = listCounts({ image: images, player: players });
  const counts = [letters > 0 ? 'text of buttons or fields' : '', media].filter(Boolean).join(' and ');
  if (text !== '') context.report('HIDDEN_TEXT', `hidden text was removed: ${quote(text)}`);
  else if (counts !== '') context.report('HIDDEN_TEXT', `hidden content was removed: ${counts}`);
  return true;
}

/** Numbers by noun as text, without zeros. */
export function listCounts(counts: Readonly<Record<string, number>>): string {
  const shown = Object.entries(counts).filter(([, count]) => count > 0);
  return shown.map(([noun, count]) => countOf(count, noun)).join(' and ');
}

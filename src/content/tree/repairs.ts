import type { CleanElement, CleanNode } from './clean-tree.ts';
import { childElements } from './tables.ts';

/** `<details>` starts with its one summary; without one it is a plain block. */
export function settleDetails(details: CleanElement): void {
  const [summary, ...others] = childElements(details).filter(({ tag }) => tag === 'summary');
  for (const other of others) other.tag = 'div';
  if (summary === undefined) {
    details.tag = 'div';
    details.attributes = details.attributes.replace(' open', '');
  } else if (details.children[0] !== summary) {
    details.children = [summary, ...without(details.children, summary)];
  }
}

/** A figure has one caption, first or last. */
export function settleFigure(figure: CleanElement): void {
  const [caption, ...others] = childElements(figure).filter(({ tag }) => tag === 'figcaption');
  for (const other of others) other.tag = 'div';
  if (caption !== undefined && figure.children[0] !== caption && figure.children.at(-1) !== caption) {
    figure.children = [...without(figure.children, caption), caption];
  }
}

/** Terms are followed by descriptions; what is not so written is no description list. */
export function settleTerms(list: CleanElement): void {
  const parts = childElements(list);
  const isRegular = parts.every(({ tag }, index) => {
    const next = parts[index + 1]?.tag;
    return tag === 'dt' ? next !== undefined : index > 0;
  });
  if (isRegular && parts.length > 0) return;
  list.tag = 'div';
  for (const part of parts) part.tag = part.tag === 'dt' ? 'p' : 'div';
}

function without(nodes: readonly CleanNode[], node: CleanNode): CleanNode[] {
  return nodes.filter((other) => other !== node);
}

import type { CleanElement, CleanNode } from './clean-tree.ts';

/** Whether a paragraph shows images alone, bold text alone, or anything else. */
export function paragraphType(nodes: readonly CleanNode[]): 'image' | 'label' | 'paragraph' {
  if (typeof nodes[0] === 'string') return 'paragraph';
  if (areAll(nodes, ({ detail }) => detail?.kind === 'image')) return 'image';
  return areAll(nodes, isPlainBold) ? 'label' : 'paragraph';
}

/** Bold text; with emphasis in it, it is a sentence and no label. */
function isPlainBold({ tag, children }: CleanElement): boolean {
  const isEmphasis = (node: CleanNode): boolean =>
    typeof node !== 'string' && (node.tag === 'em' || node.tag === 'i');
  return (tag === 'strong' || tag === 'b') && !children.some(isEmphasis);
}

/** Whether everything that shows is in elements of one kind. */
function areAll(nodes: readonly CleanNode[], isOfKind: (element: CleanElement) => boolean): boolean {
  return nodes.every((node) => {
    if (typeof node === 'string') return node.trim() === '';
    if (isOfKind(node)) return true;
    const showsItself = node.detail !== null && node.detail.kind !== 'link';
    return !showsItself && areAll(node.children, isOfKind);
  });
}

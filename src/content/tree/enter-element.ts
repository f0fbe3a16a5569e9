import { attribute, type SourceNode } from '../parse/source-tree.ts';
import { safeId } from '../policy/ids.ts';
import type { CleanContext } from './clean-context.ts';
import type { Detail } from './clean-tree.ts';

/** An element of the sanitised tree that is about to start. */
export interface Opening {
  readonly tag: string;
  /** Serialised, each with a leading space; `''` for none. */
  readonly attributes: string;
  readonly detail: Detail | null;
  readonly id: string | null;
}

/** Starts an element that ends with `node`; `false` where none may stand: its content and its place as a target stay. */
export function enter(
  node: SourceNode,
  { tag, attributes, detail, id }: Opening,
  context: CleanContext,
): boolean {
  if (context.builder.enter(tag, attributes, detail, id)) {
    node.entered++;
    return true;
  }
  if (id !== null) context.builder.addAnchor(id);
  return false;
}

/** Leaves an element out but keeps its content and its place as a target. */
export function unwrap(node: SourceNode, context: CleanContext): true {
  anchor(node, context);
  return true;
}

/** Keeps the place of an element whose id stands elsewhere. */
export function anchor(node: SourceNode, context: CleanContext): void {
  if (node.attributes.length === 0) return;
  const id = safeId(attribute(node, 'id'));
  if (id !== null) context.builder.addAnchor(id);
}

/** Says that an element went with all its content. */
export function reportDropped(node: SourceNode, context: CleanContext): void {
  context.report('ELEMENT_DROPPED', `<${node.name}> is not allowed and was removed`);
}

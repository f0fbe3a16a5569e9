import type { CalloutKind } from '../document.ts';
import { attribute, type SourceNode } from '../parse/source-tree.ts';
import { classNames, keptAttributes } from '../policy/attributes.ts';
import { safeId } from '../policy/ids.ts';
import { calloutAttributes, calloutKind } from './callouts.ts';
import type { CleanContext } from './clean-context.ts';
import type { Detail } from './clean-tree.ts';
import { anchor, enter, type Opening, unwrap } from './enter-element.ts';
import { tableRegionClass } from './tables.ts';

/** Blocks that classes can make a callout of. */
const calloutTags = new Set(['div', 'p', 'aside', 'blockquote']);

/** Elements that say nothing without an attribute, and which one; `''` is any. */
const needed: Readonly<Record<string, string>> = { span: '', bdo: ' dir="' };

/** Publishes an element as a `tag`, or as a callout; its children are always visited. */
export function keep(node: SourceNode, tag: string, context: CleanContext): boolean {
  if (tag === 'div' && isTableRegion(node)) return unwrap(node, context);
  const kind = calloutTags.has(tag) ? calloutOf(node, context) : null;
  if (kind !== null) {
    enter(node, calloutOpening(kind, safeId(attribute(node, 'id'))), context);
    return true;
  }
  const attributes = keptAttributes(node, tag, context);
  const need = needed[tag];
  if (need !== undefined && (attributes === '' || !attributes.includes(need))) return unwrap(node, context);
  // A table ends up in a region; a target for links stands before its first text.
  if (tag === 'table') anchor(node, context);
  const id = tag === 'table' ? null : safeId(attribute(node, 'id'));
  enter(
    node,
    { tag, attributes, detail: tag === 'td' || tag === 'th' ? cellDetail(node) : null, id },
    context,
  );
  return true;
}

/** How a callout starts. */
export function calloutOpening(kind: CalloutKind, id: string | null): Opening {
  return { tag: 'div', attributes: calloutAttributes(kind), detail: { kind: 'callout', callout: kind }, id };
}

/** Kind of callout the classes of a block make of it, or `null`. */
export function calloutOf(node: SourceNode, context: CleanContext): CalloutKind | null {
  const names = attribute(node, 'class');
  return names === null ? null : calloutKind(names, context.settings.policy.callouts);
}

function isTableRegion(node: SourceNode): boolean {
  const names = attribute(node, 'class');
  return names !== null && classNames(names).includes(tableRegionClass);
}

function cellDetail(node: SourceNode): Detail {
  return { kind: 'cell', colspan: Math.max(1, span(node, 'colspan')), rowspan: span(node, 'rowspan') };
}

function span(node: SourceNode, name: string): number {
  const raw = attribute(node, name);
  return raw === null ? 1 : Number(/^\s*(\d{1,6})/.exec(raw)?.[1] ?? 1);
}

import type { CalloutKind } from '../document.ts';
import {
  elementsAround,
  findBelow,
  isAlone,
  isBlank,
  isHidden,
  isLink,
  setAttribute,
  styleOf,
} from '../parse/edit-tree.ts';
import { attribute, childrenOf, type SourceNode } from '../parse/source-tree.ts';
import { classNames, keptAttributes } from '../policy/attributes.ts';
import type { SpecialElement } from '../policy/elements.ts';
import { safeId } from '../policy/ids.ts';
import { isColour, shadeOf } from '../policy/styles.ts';
import { foldSpace } from '../text.ts';
import { calloutAttributes, calloutKind } from './callouts.ts';
import type { CleanContext } from './clean-context.ts';
import { CleanElement, type Detail } from './clean-tree.ts';
import { addCode } from './code-blocks.ts';
import { addIframe, addImage, addMedia } from './images.ts';
import { publishLink } from './links.ts';
import { addMath } from './math.ts';
import { tableRegionClass } from './tables.ts';

/**
 * Starts an element that ends with `node`. Returns `false` if it is not allowed here: then only its content and a link target for its id
 * are published.
 * @param attributes serialised, each with a leading space; `''` if there are none
 */
export function enter(
  node: SourceNode,
  context: CleanContext,
  tag: string,
  attributes = '',
  detail: Detail | null = null,
  id: string | null = null,
): boolean {
  if (context.builder.enter(tag, attributes, detail, id)) {
    node.entered++;
    return true;
  }
  if (id !== null) context.builder.addAnchor(id);
  return false;
}

/** Removes an element but keeps its content and its id as a link target. */
export function unwrap(node: SourceNode, context: CleanContext): true {
  if (node.kind.isBlock || node.name === 'button') context.builder.addSpace(' ');
  anchor(node, context);
  return true;
}

/** The id of an element as it is published; `null` if it has none, or none that can be published. */
function publishedId(node: SourceNode, name: 'id' | 'name', { settings }: CleanContext): string | null {
  const id = attribute(node, name);
  return settings.keepsIds ? id || null : safeId(id);
}

/** Adds a link target for the id of an element that is not published itself. */
export function anchor(node: SourceNode, context: CleanContext): void {
  if (node.attributes.length === 0) return;
  for (const name of node.name === 'a' ? (['id', 'name'] as const) : (['id'] as const)) {
    const id = publishedId(node, name, context);
    if (id !== null) context.builder.addAnchor(id);
  }
}

/** Blocks that a class can turn into a callout. */
const calloutTags = new Set(['div', 'p', 'aside', 'blockquote']);

/** Publishes an element as a `tag`, or as a callout; its children are always visited. */
export function keep(node: SourceNode, tag: string, context: CleanContext): boolean {
  const isBare = node.attributes.length === 0;
  if (!isBare && tag === 'div' && isTableRegion(node)) return unwrap(node, context);
  const kind = !isBare && calloutTags.has(tag) ? calloutOf(node, context) : null;
  if (kind !== null) {
    enterCallout(node, kind, publishedId(node, 'id', context), context);
    return true;
  }
  if (tag === 'ol') {
    if (addBareNumbers(node, context)) return false;
    numberAfterGaps(node);
  }
  if (!isBare && isRevoked(node, tag)) return unwrap(node, context);
  const attributes = keptAttributes(node, tag, context);
  // These mean nothing without an attribute.
  if (tag === 'span' && attributes === '') return unwrap(node, context);
  if (tag === 'bdo' && !attributes.includes(' dir="')) return unwrap(node, context);
  // The table gets a region around it, so its link target is inserted before its first text.
  if (tag === 'table') anchor(node, context);
  const id = tag === 'table' ? null : publishedId(node, 'id', context);
  const detail = tag === 'td' || tag === 'th' ? cellDetail(node) : null;
  enter(node, context, tag, attributes, detail, id);
  return true;
}

/** Maximum number of items of a list without content. Authors number the rows of a table with such lists. */
const maxBareItems = 20;

/** Writes the numbers of an empty list as text. Returns whether the list was empty. */
function addBareNumbers(list: SourceNode, context: CleanContext): boolean {
  const { builder } = context;
  const start = attribute(list, 'start');
  if (start === null && !builder.isInside('td', 'th')) return false;
  const first = Number.parseInt(start ?? '1', 10);
  const items = childrenOf(list).filter((child) => !isBlank(child));
  if (items.length > maxBareItems || !items.every((item) => item.name === 'li' && isEmptyItem(item)))
    return false;
  for (let at = 0; at < items.length; at++) {
    builder.text(`${(Number.isNaN(first) ? 1 : first) + at}.`);
    builder.addBreak();
  }
  return items.length > 0;
}

/** A number of a list or item, which may be zero. */
function readNumber(node: SourceNode, name: string, otherwise: number): number {
  const number = Number.parseInt(attribute(node, name) ?? '', 10);
  return Number.isNaN(number) ? otherwise : number;
}

/** Gives an item below an empty one, which is not published, the number that browsers show. */
function numberAfterGaps(list: SourceNode): void {
  if (attribute(list, 'reversed') !== null) return;
  let number = readNumber(list, 'start', 1);
  let isGap = false;
  for (const item of childrenOf(list)) {
    // Browsers count no hidden items.
    if (item.name !== 'li' || isHidden(item)) continue;
    number = readNumber(item, 'value', number);
    const isEmpty = isEmptyItem(item);
    if (isGap && !isEmpty) setAttribute(item, 'value', String(number));
    isGap = isEmpty;
    number++;
  }
}

/** Whether an item contains only white space, line breaks and inline elements without text. */
function isEmptyItem(item: SourceNode): boolean {
  return childrenOf(item).every(({ name, text, first }) =>
    name === '#text' ? foldSpace(text).trim() === '' : name === 'br' || (name === 'span' && first === null),
  );
}

/** Elements whose text is bold by default. */
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;
const boldElements = [...headings, 'th', 'b', 'strong'] as const;

/** Publishes the emphasis in the style of an element as elements inside it; counts colour and underline, which are not published. */
export function emphasise(node: SourceNode, context: CleanContext): void {
  const { builder, droppedStyles } = context;
  const facts = styleOf(node);
  const color = node.name === 'font' ? attribute(node, 'color') : null;
  if (facts === null && color === null) return;
  const isLink = builder.isInside('a');
  if (!isLink && (facts?.isColoured || isColour(color?.trim().toLowerCase() ?? ''))) droppedStyles.coloured++;
  if (facts === null) return;
  if (!isLink && facts.isUnderlined) droppedStyles.underlined++;
  if (node.name === 'pre' || builder.isInside('code')) return;
  const add = (tag: string): void => void enter(node, context, tag);
  if (facts.isBold && !builder.isInside(...boldElements)) add('strong');
  if (facts.isItalic && !builder.isInside('em', 'i')) add('em');
  if (facts.isStruck && !builder.isInside('s', 'del')) add('s');
  const isSpan = node.name === 'span' || node.name === 'font';
  // A paragraph that is written in such a font from start to end is text.
  if (facts.isMonospaced && isSpan && !isAlone(node) && !builder.isInside(...headings)) add('code');
  if (facts.script !== null && (isSpan || node.kind.isText) && !builder.isInside('sup', 'sub'))
    add(facts.script);
}

/** Whether the style of an element cancels its meaning: editors paste `<b style="font-weight:normal">`. */
function isRevoked(node: SourceNode, tag: string): boolean {
  if (tag === 'b' || tag === 'strong') return styleOf(node)?.isBold === false;
  return (tag === 'em' || tag === 'i') && styleOf(node)?.isItalic === false;
}

function enterCallout(
  node: SourceNode,
  kind: CalloutKind,
  id: string | null,
  context: CleanContext,
): boolean {
  return enter(node, context, 'div', calloutAttributes(kind), { kind: 'callout', callout: kind }, id);
}

/** Kind of callout the classes of a block make of it, or `null`. */
function calloutOf(node: SourceNode, context: CleanContext): CalloutKind | null {
  const names = attribute(node, 'class');
  return names === null ? null : calloutKind(names, context.settings.policy.callouts);
}

function isTableRegion(node: SourceNode): boolean {
  const names = attribute(node, 'class');
  return names !== null && classNames(names).includes(tableRegionClass);
}

function cellDetail(node: SourceNode): Detail {
  const scope = /^\s*(col|row)(?:group)?\s*$/i.exec(attribute(node, 'scope') ?? '')?.[1]?.toLowerCase();
  return {
    kind: 'cell',
    colspan: Math.max(1, span(node, 'colspan')),
    rowspan: span(node, 'rowspan'),
    shade: shade(node) ?? (node.parent?.name === 'tr' ? shade(node.parent) : null),
    scope: scope === 'col' || scope === 'row' ? scope : null,
  };
}

function shade(node: SourceNode): string | null {
  const color = attribute(node, 'bgcolor');
  return styleOf(node)?.shade ?? (color === null ? null : shadeOf(color.trim().toLowerCase()));
}

function span(node: SourceNode, name: string): number {
  const raw = attribute(node, name);
  return raw === null ? 1 : Number(/^\s*(\d{1,6})/.exec(raw)?.[1] ?? 1);
}

/** Whether an element is in a link, or has one in it; only nodes near it count. */
function isLinked(element: SourceNode): boolean {
  return elementsAround(element).some(isLink) || findBelow(element, isLink, 64) !== null;
}

type SpecialRule = (node: SourceNode, context: CleanContext) => boolean;

/** The rule of an element whose children are not visited. */
function leaf(add: (node: SourceNode, context: CleanContext) => void): SpecialRule {
  return (node, context) => {
    anchor(node, context);
    add(node, context);
    return false;
  };
}

/** Elements that have their own function, which returns whether to visit the children. */
export const specialElements: Readonly<Record<SpecialElement, SpecialRule>> = {
  link(node, context) {
    anchor(node, context);
    const link = publishLink(node, context);
    if (link !== null) enter(node, context, 'a', link.attributes, link.detail);
    return true;
  },
  image: leaf(addImage),
  iframe: leaf(addIframe),
  media: leaf(addMedia),
  code(node, context) {
    anchor(node, context);
    const kind = /callout/i.test(attribute(node, 'class') ?? '')
      ? (calloutOf(node, context) ?? 'note')
      : null;
    if (kind === null) {
      addCode(node, context);
      return false;
    }
    if (enterCallout(node, kind, null, context)) context.setLines(node, true);
    return true;
  },
  math: leaf((node, context) => {
    if (!addMath(node, context)) context.drop(node);
  }),
  input: leaf((node, context) => {
    const isBox = attribute(node, 'type')?.toLowerCase() === 'checkbox';
    if (isBox) context.builder.text(attribute(node, 'checked') === null ? '☐ ' : '☑ ');
    else context.drop(node);
  }),
  break: leaf((_node, { builder }) => builder.addBreak()),
  rule: leaf((_node, { builder }) => void builder.addBlock(new CleanElement('hr'))),
  button(node, context) {
    const isLabel = attribute(node, 'aria-controls') !== null || attribute(node, 'aria-expanded') !== null;
    // In a link, or around one, it is only the look of the link.
    if (isLabel || context.builder.isInside('summary') || isLinked(node)) return unwrap(node, context);
    context.drop(node);
    return false;
  },
};

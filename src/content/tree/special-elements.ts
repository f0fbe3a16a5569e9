import { attribute, type SourceNode } from '../parse/source-tree.ts';
import type { SpecialElement } from '../policy/elements.ts';
import { safeId } from '../policy/ids.ts';
import type { CleanContext } from './clean-context.ts';
import { CleanElement } from './clean-tree.ts';
import { addCode } from './code-blocks.ts';
import { addFrame, addMedia } from './embeds.ts';
import { anchor, enter, reportDropped, unwrap } from './enter-element.ts';
import { addImage } from './images.ts';
import { calloutOf, calloutOpening } from './keep-element.ts';
import { publishLink } from './links.ts';

/** Elements with a rule of their own; each tells whether the children are to be visited. */
export const specialElements: Readonly<
  Record<SpecialElement, (node: SourceNode, context: CleanContext) => boolean>
> = {
  link(node, context) {
    anchor(node, context);
    const name = safeId(attribute(node, 'name'));
    if (name !== null) context.builder.addAnchor(name);
    const link = publishLink(node, context);
    if (link !== null) enter(node, { tag: 'a', ...link, id: null }, context);
    return true;
  },
  image(node, context) {
    anchor(node, context);
    addImage(node, context);
    return false;
  },
  frame(node, context) {
    anchor(node, context);
    addFrame(node, context);
    return false;
  },
  media(node, context) {
    anchor(node, context);
    addMedia(node, context);
    return false;
  },
  code(node, context) {
    anchor(node, context);
    const kind = /callout/i.test(attribute(node, 'class') ?? '')
      ? (calloutOf(node, context) ?? 'note')
      : null;
    if (kind === null) {
      addCode(node, context);
      return false;
    }
    if (enter(node, calloutOpening(kind, null), context)) {
      context.preformatted++;
    }
    return true;
  },
  input(node, context) {
    if (attribute(node, 'type')?.toLowerCase() === 'checkbox') {
      context.builder.text(attribute(node, 'checked') === null ? '☐ ' : '☑ ');
    }
    return false;
  },
  break(node, context) {
    anchor(node, context);
    context.builder.addBreak();
    return false;
  },
  rule(node, context) {
    anchor(node, context);
    context.builder.addBlock(new CleanElement('hr', '', null));
    return false;
  },
  button(node, context) {
    const isLabel = attribute(node, 'aria-controls') !== null || attribute(node, 'aria-expanded') !== null;
    if (isLabel || context.builder.isInside('summary')) return unwrap(node, context);
    reportDropped(node, context);
    return false;
  },
};

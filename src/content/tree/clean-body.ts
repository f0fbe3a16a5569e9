import { escapeHtml } from '../../core/html.ts';
import type { ContentSettings } from '../document.ts';
import { mayHaveEditorMarkup, rewriteEditors } from '../editors/rewrite-editors.ts';
import { countSource, describeLoss } from '../ledger.ts';
import { mayHaveDisclosures, rewriteDisclosures } from '../parse/disclosures.ts';
import { findBelow, isBlank, styleOf, visitSource } from '../parse/edit-tree.ts';
import { parseBody } from '../parse/parse-body.ts';
import { redactSource } from '../parse/redact.ts';
import { attribute, htmlNamespace, type SourceNode } from '../parse/source-tree.ts';
import type { Treatment } from '../policy/elements.ts';
import { foldSpace } from '../text.ts';
import { detectCallout } from './callouts.ts';
import { CleanContext } from './clean-context.ts';
import { type CleanElement, type CleanNode, childElements, oneLine } from './clean-tree.ts';
import { listCounts, removeHidden } from './hidden.ts';
import { markBlockImage } from './images.ts';
import { isHeading } from './open-elements.ts';
import { repairTable } from './tables.ts';
import { anchor, emphasise, keep, specialElements, unwrap } from './treat-element.ts';
import { TreeBuilder } from './tree-builder.ts';

/** A sanitised body before headings and anchors get their ids. */
interface CleanBody {
  readonly root: CleanElement;
  /** Elements with an id from the author, in document order. */
  readonly anchored: readonly CleanElement[];
  /** Headings, links, images and problems found on the way. */
  readonly context: CleanContext;
}

/** Parses and sanitises one body. */
export function cleanBody(body: string, settings: ContentSettings): CleanBody {
  const source = parseBody(body);
  const builder = new TreeBuilder((element) => {
    if (isHeading(element.tag)) context.headings.push(element);
    finishers[element.tag]?.(element, context);
  });
  const context: CleanContext = new CleanContext(settings, builder);
  const before = countSource(source);
  const unwrap = (node: SourceNode): void => context.removed.tally.addElement(node);
  if (mayHaveEditorMarkup(body))
    rewriteEditors(source, {
      report: (message) => context.report('ELEMENT_DROPPED', message),
      remove: (node) => context.remove(node),
      unwrap,
    });
  if (mayHaveDisclosures(body)) rewriteDisclosures(source, unwrap);
  let isRedacted = false;
  if (settings.redaction !== undefined) {
    redactSource(source, settings.redaction, ({ code, message }) => {
      isRedacted = true;
      context.report(code, message);
    });
  }
  visitSource(
    source,
    (node) => {
      const isEntered = visit(node, context);
      if (!isEntered) leave(node, context);
      return isEntered;
    },
    (node) => leave(node, context),
  );
  const root = builder.finish();
  const { coloured, underlined } = context.droppedStyles;
  const styles = listCounts({ 'coloured passage': coloured, 'underlined passage': underlined });
  const verb = coloured + underlined === 1 ? 'is' : 'are';
  if (styles !== '') context.report('ELEMENT_DROPPED', `${styles} ${verb} published without that style`);
  const { items, cells } = builder.flattened;
  context.removed.tally.items += items;
  context.removed.tally.cells += cells;
  const parts = listCounts({ 'list item': items, 'table cell': cells });
  if (parts !== '')
    context.report('ELEMENT_DROPPED', `${parts} where HTML allows none: only the text is published`);
  const loss = isRedacted
    ? null
    : describeLoss(body, source, before, context.removed, root, settings.isThorough ?? false);
  if (loss !== null) context.report('CONTENT_LOST', loss);
  if (builder.isTooDeep) context.report('TEXT_TOO_COMPLEX', 'the body nests more than 256 elements');
  return { root, anchored: builder.anchored, context };
}

/** Steps that complete an element, by tag. */
const finishers: Readonly<Record<string, (element: CleanElement, context: CleanContext) => void>> = {
  a: (link, context) => {
    if (link.detail?.kind === 'link') context.linkDetails.add(link.detail);
  },
  aside: labelAside,
  blockquote: (quotation, context) => {
    const marker = detectCallout(quotation);
    if (marker !== null) context.removeText(marker);
  },
  details: repairDetails,
  dl: repairTerms,
  figure: (figure) => {
    repairFigure(figure);
    markBlockImage(figure);
  },
  p: markBlockImage,
  table: (table, context) => {
    // A table of one cell is layout: its cell is a block.
    if (isSingleCell(table)) context.removed.tally.cells++;
    repairTable(table, context);
  },
};

function isSingleCell(table: CleanElement): boolean {
  const cellsOf = (element: CleanElement): number =>
    childElements(element).reduce((sum, child) => sum + (/^t[dh]$/.test(child.tag) ? 1 : cellsOf(child)), 0);
  return childElements(table).every(({ tag }) => tag !== 'caption') && cellsOf(table) === 1;
}

/**
 * Labels an aside with its first heading, else the heading above it, else its first words. Inside another landmark (an aside, the region of
 * a table) it becomes a plain block, because landmarks must not be nested.
 */
function labelAside(aside: CleanElement, context: CleanContext): void {
  if (context.builder.isInside('aside', 'table')) {
    aside.rename('div');
    return;
  }
  const heading = firstHeading(aside);
  const name = (heading === null ? context.nearestHeading() : oneLine(heading)) || oneLine(aside);
  if (name !== '') aside.attributes += ` aria-label="${escapeHtml(context.uniqueLabel(name))}"`;
}

/** The depth limit of the tree bounds the recursion. */
function firstHeading(element: CleanElement): CleanElement | null {
  for (const child of childElements(element)) {
    const found = isHeading(child.tag) ? child : firstHeading(child);
    if (found !== null) return found;
  }
  return null;
}

/** Handles a node. Returns whether to visit its children. */
function visit(node: SourceNode, context: CleanContext): boolean {
  if (node.name === '#text') {
    addText(node.text, context);
    return false;
  }
  const { treatment } = node.kind;
  if (node.namespace !== htmlNamespace && node.name !== 'math') {
    context.drop(node);
    return false;
  }
  if (treatment?.kind === 'drop') {
    if (treatment.isReported) context.drop(node);
    return false;
  }
  if (removeHidden(node, context)) {
    if (isMovedTarget(node)) anchor(node, context);
    return false;
  }
  const isEntered = treat(node, treatment, context);
  if (!isEntered || node.attributes.length === 0) return isEntered;
  emphasise(node, context);
  const keepsLines = styleOf(node)?.keepsLines ?? null;
  if (keepsLines !== null) context.setLines(node, keepsLines);
  return true;
}

/** Whether an element only is a target of links, which its style moves up, so that no header covers what is below it. */
function isMovedTarget(node: SourceNode): boolean {
  const isGone =
    attribute(node, 'hidden') !== null || /display\s*:\s*none/i.test(attribute(node, 'style') ?? '');
  return targets.has(node.name) && !isGone && findBelow(node, (part) => !isBlank(part)) === null;
}

const targets = new Set(['a', 'div', 'p', 'span']);

/** Publishes a node by its treatment. Returns whether to visit its children. */
function treat(node: SourceNode, treatment: Treatment | undefined, context: CleanContext): boolean {
  switch (treatment?.kind) {
    case 'keep':
      return keep(node, treatment.as, context);
    case 'special':
      return specialElements[treatment.rule](node, context);
    default:
      if (isEmptyWidget(node))
        context.report('ELEMENT_DROPPED', `<${node.name}> is not allowed. It was removed.`);
      return unwrap(node, context);
  }
}

/** Elements of HTML that show nothing but their content. */
const unwrapped = new Set(
  'basefont bgsound big blink data font label map marquee nobr output picture rb rp rt rtc ruby slot time wbr'.split(
    ' ',
  ),
);

/** Whether an element of a script shows something that its attributes name, such as a video, or is a text in angle brackets. */
function isEmptyWidget({ name, first, attributes }: SourceNode): boolean {
  const isUnknown = !/[-:]/.test(name) && !unwrapped.has(name);
  if (/@|^https?:$/.test(name) || (isUnknown && attributes.every(({ value }) => value === ''))) return true;
  if (first !== null || !/[-:]/.test(name)) return false;
  return attributes.some(
    (one) => /(?:src|url|href|id)$/.test(one.name) && one.name !== 'id' && one.value !== '',
  );
}

function leave(node: SourceNode, context: CleanContext): void {
  for (; node.entered > 0; node.entered--) context.builder.leave();
  const outerLines = context.outerLines.get(node);
  if (outerLines !== undefined) {
    context.keepsLines = outerLines;
    context.outerLines.delete(node);
  }
  // A block that its place does not allow still ends the word before it; others end the line anyway.
  if (node.kind.isBlock || (node.name === 'button' && !node.isHidden)) context.builder.addSpace(' ');
}

function addText(text: string, context: CleanContext): void {
  if (!context.keepsLines) {
    context.builder.text(foldSpace(text));
    return;
  }
  text.split('\n').forEach((line, index) => {
    if (index > 0) context.builder.addBreak();
    context.builder.text(foldSpace(line));
  });
}

/** Moves the summary of `<details>` to the start. Without a summary, `<details>` becomes a plain block. */
function repairDetails(details: CleanElement): void {
  const [summary, ...others] = childElements(details).filter(({ tag }) => tag === 'summary');
  for (const other of others) other.rename('div');
  if (summary === undefined) {
    details.rename('div');
    details.attributes = details.attributes.replace(' open', '');
  } else if (details.children[0] !== summary) {
    details.children = [summary, ...withoutChild(details.children, summary)];
  }
}

/** The children without one of them. Words on both sides of it stay apart. */
function withoutChild(children: readonly CleanNode[], child: CleanNode): readonly CleanNode[] {
  const at = children.indexOf(child);
  const isBetween = isRunning(children[at - 1]) && isRunning(children[at + 1]);
  return isBetween ? children.toSpliced(at, 1, ' ') : children.toSpliced(at, 1);
}

function isRunning(node: CleanNode | undefined): boolean {
  return node !== undefined && (typeof node === 'string' || node.kind.isText);
}

/** Leaves one caption in a figure, as its first or last child. */
function repairFigure(figure: CleanElement): void {
  const [caption, ...others] = childElements(figure).filter(({ tag }) => tag === 'figcaption');
  for (const other of others) other.rename('div');
  if (caption !== undefined && figure.children[0] !== caption && figure.children.at(-1) !== caption) {
    figure.children = [...withoutChild(figure.children, caption), caption];
  }
}

/** A description list must start with a term and end with a description; otherwise it becomes plain blocks. */
function repairTerms(list: CleanElement): void {
  const parts = childElements(list);
  const isRegular = parts.every(({ tag }, index) => {
    const next = parts[index + 1]?.tag;
    return tag === 'dt' ? next !== undefined : index > 0;
  });
  if (isRegular && parts.length > 0) return;
  list.rename('div');
  for (const part of parts) part.rename(part.tag === 'dt' ? 'p' : 'div');
}

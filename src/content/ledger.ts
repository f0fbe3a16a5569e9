import { stripInvisible, stripSoftHyphens } from '../core/invisible.ts';
import { parseBody } from './parse/parse-body.ts';
import { attribute, htmlNamespace, type SourceNode } from './parse/source-tree.ts';
import { contentModels, treatments } from './policy/elements.ts';
import type { StyleFacts } from './policy/styles.ts';
import type { CleanElement } from './tree/clean-tree.ts';

/** What a body holds, counted: before it is cleaned, after that, and what was removed with a problem. */
export class Tally {
  /** Letters and digits, and the sum of their UTF-16 units. */
  letters = 0;
  sum = 0;
  /** Letters and digits in code, struck out, and in superscripts or subscripts. */
  code = 0;
  struck = 0;
  scripts = 0;
  images = 0;
  players = 0;
  links = 0;
  /** Items of lists and cells of tables that have a letter. */
  items = 0;
  cells = 0;

  add(other: Tally): void {
    this.letters += other.letters;
    this.sum += other.sum;
    for (const key of counted) this[key] += other[key];
  }
}

const counted = ['code', 'struck', 'scripts', 'images', 'players', 'links', 'items', 'cells'] as const;

/** Names of counts in messages. */
const names: Readonly<Record<(typeof counted)[number], string>> = {
  code: 'characters of code',
  struck: 'struck characters',
  scripts: 'raised or lowered characters',
  images: 'images',
  players: 'players',
  links: 'links',
  items: 'list items',
  cells: 'table cells',
};

/** Elements whose text no reader sees, or whose text is what they show if a browser cannot play them. */
const silent = new Set(
  'script style template noscript noembed noframes title head base meta link param source track col area math video audio iframe'.split(
    ' ',
  ),
);

/** Settings of Confluence, which are text in its format. A title is shown. */
const settings = new Set(['ac:parameter', 'ac:task-id', 'ac:task-uuid', 'ac:task-status', 'ac:placeholder']);

const players = new Set(['iframe', 'video', 'audio']);
const codes = new Set(['pre', 'listing', 'code', 'tt', 'kbd', 'samp']);

/**
 * Counts what is below a node of an author's body, without recursion.
 * @param styleOf reads the style of an element
 * @param isWhole whether the node itself counts
 */
export function countSource(
  root: SourceNode,
  styleOf: (node: SourceNode) => StyleFacts | null,
  isWhole = false,
): Tally {
  const tally = new Tally();
  const depth = { code: 0, block: 0, struck: 0, scripts: 0 };
  /** Letters before the items, cells and links that are open. In code they are text. */
  const open: number[] = [];
  const enter = (node: SourceNode) => enterSource(node, tally, depth, open, styleOf);
  const leave = (node: SourceNode) => leaveSource(node, tally, depth, open, styleOf);
  if (isWhole && !enter(root)) return tally;
  visitSource(root, enter, leave);
  if (isWhole) leave(root);
  return tally;
}

/** Counts letters, images and players only, which takes a tenth of the time: in every build. */
export function countQuickly(root: SourceNode): Tally {
  const tally = new Tally();
  let node = root.first;
  while (node !== null) {
    if (node.name === '#text') countText(node.text, tally);
    else if (node.name === 'img') tally.images++;
    else if (players.has(node.name) && isAddressed(node)) tally.players++;
    const isEntered = node.first !== null && node.namespace === htmlNamespace && !isSilent(node);
    if (isEntered) {
      node = node.first;
      continue;
    }
    while (node !== null && node.next === null) node = node.parent === root ? null : node.parent;
    node = node?.next ?? null;
  }
  return tally;
}

/** Visits every node below one, without recursion. @param enter returns whether to visit the content, and then `leave` */
function visitSource(
  root: SourceNode,
  enter: (node: SourceNode) => boolean,
  leave: (node: SourceNode) => void,
): void {
  let node = root.first;
  while (node !== null) {
    const isEntered = enter(node);
    if (isEntered && node.first !== null) {
      node = node.first;
      continue;
    }
    if (isEntered) leave(node);
    while (node.next === null) {
      if (node.parent === null || node.parent === root) return;
      node = node.parent;
      leave(node);
    }
    node = node.next;
  }
}

/** How many elements of each kind are open; a block of code has no marks. */
type Depth = Record<'code' | 'block' | 'struck' | 'scripts', number>;

function isSilent(node: SourceNode): boolean {
  if (silent.has(node.name)) return true;
  return settings.has(node.name) && attribute(node, 'ac:name') !== 'title';
}

function enterSource(
  node: SourceNode,
  tally: Tally,
  depth: Depth,
  open: number[],
  styleOf: (node: SourceNode) => StyleFacts | null,
): boolean {
  if (node.name === '#text') {
    const isMarked = depth.block === 0;
    countText(node.text, tally, depth.code, isMarked ? depth.struck : 0, isMarked ? depth.scripts : 0);
    return false;
  }
  if (node.name === 'img') tally.images++;
  if (players.has(node.name) && isAddressed(node)) tally.players++;
  if (node.namespace !== htmlNamespace || isSilent(node)) return false;
  changeDepth(node, depth, styleOf, 1);
  if (isCounted(node) && depth.code === 0) open.push(tally.letters + tally.images);
  return true;
}

function leaveSource(
  node: SourceNode,
  tally: Tally,
  depth: Depth,
  open: number[],
  styleOf: (node: SourceNode) => StyleFacts | null,
): void {
  changeDepth(node, depth, styleOf, -1);
  if (!isCounted(node) || depth.code > 0) return;
  const isFull = tally.letters + tally.images > (open.pop() ?? 0);
  if (!isFull) return;
  if (node.name === 'li') tally.items++;
  else if (node.name === 'a') tally.links++;
  else tally.cells++;
}

/** Whether a block of code is one that a class makes a callout. */
const isCallout = (node: SourceNode): boolean => /callout/i.test(attribute(node, 'class') ?? '');

const isCounted = ({ name, attributes }: SourceNode): boolean =>
  name === 'li' ||
  name === 'td' ||
  name === 'th' ||
  (name === 'a' && attributes.some((one) => one.name === 'href'));

/** Whether a player has an address; one without shows nothing. */
function isAddressed(node: SourceNode): boolean {
  if ((attribute(node, 'src') ?? attribute(node, 'data-src') ?? '') !== '') return true;
  for (let child = node.first; child !== null; child = child.next) if (child.name === 'source') return true;
  return false;
}

function changeDepth(
  node: SourceNode,
  depth: Depth,
  styleOf: (node: SourceNode) => StyleFacts | null,
  by: number,
): void {
  const { name } = node;
  if (codes.has(name) && !isCallout(node)) depth.code += by;
  if ((name === 'pre' || name === 'listing') && !isCallout(node)) depth.block += by;
  if (name === 'del' || name === 's' || name === 'strike') depth.struck += by;
  if (name === 'sup' || name === 'sub') depth.scripts += by;
  if (node.attributes.length === 0) return;
  const style = styleOf(node);
  if (style === null) return;
  const isText = name === 'font' || contentModels.get(name)?.role === 'text';
  if (style.isStruck && depth.code === 0) depth.struck += by;
  if (style.script !== null && isText && depth.code === 0) depth.scripts += by;
}

/** Counts what is in the tree that is published. Its depth limit bounds the recursion. */
export function countClean(
  element: CleanElement,
  tally = new Tally(),
  code = 0,
  struck = 0,
  scripts = 0,
): Tally {
  const { tag, detail } = element;
  if (tag === 'img') tally.images++;
  if (tag === 'iframe' || tag === 'video' || tag === 'audio') tally.players++;
  if (detail?.kind === 'code') countText(detail.text, tally, 1);
  const before = tally.letters + tally.images;
  const isCode = codes.has(tag) ? 1 : 0;
  const isStruck = tag === 'del' || tag === 's' ? 1 : 0;
  const isScript = tag === 'sup' || tag === 'sub' ? 1 : 0;
  for (const child of element.children) {
    if (typeof child === 'string')
      countText(child, tally, code + isCode, struck + isStruck, scripts + isScript);
    else countClean(child, tally, code + isCode, struck + isStruck, scripts + isScript);
  }
  if (tally.letters + tally.images > before) {
    if (tag === 'li') tally.items++;
    else if (tag === 'a') tally.links++;
    else if (tag === 'td' || tag === 'th') tally.cells++;
  }
  return tally;
}

/** 1: a letter or digit, 2: another character; 0: unknown yet. */
const kinds = new Uint8Array(0x10000);

function learn(unit: number): number {
  const isLetter = /[\p{L}\p{N}]/u.test(String.fromCharCode(unit)) || (unit & 0xf800) === 0xd800;
  kinds[unit] = isLetter ? 1 : 2;
  return kinds[unit];
}

export function countText(text: string, tally: Tally, code = 0, struck = 0, scripts = 0): void {
  let letters = 0;
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if ((kinds[unit] || learn(unit)) === 1) {
      letters += 1;
      sum += unit;
    }
  }
  tally.letters += letters;
  tally.sum += sum;
  if (code > 0) tally.code += letters;
  if (struck > 0) tally.struck += letters;
  if (scripts > 0) tally.scripts += letters;
}

/** Words in a message. */
const maxWords = 6;

/**
 * Says what of a body is neither published nor removed with a problem; `null` if nothing is missing.
 * @param removed elements of the body that were removed with a problem
 * @param isThorough whether `before` has all counts, and words are compared even if the numbers of letters agree: they may run together
 */
export function describeLoss(
  body: string,
  before: Tally,
  removed: { readonly tally: Tally; readonly texts: readonly string[] },
  root: CleanElement,
  isThorough: boolean,
): string | null {
  const after = countClean(root);
  after.add(removed.tally);
  const compared = isThorough ? counted : (['images', 'players'] as const);
  const lost = compared.flatMap((key) => {
    // What was removed may be all of an item, or struck by an element around it.
    const isShown = key === 'images' || key === 'players';
    const { letters, images } = removed.tally;
    const count = before[key] - after[key] - (isShown ? 0 : letters + images);
    return count > 0 ? [`${count} ${names[key]}`] : [];
  });
  const isEqual = before.letters === after.letters && before.sum === after.sum;
  const words = isEqual && !isThorough ? [] : lostWords(body, removed.texts, root, isThorough);
  if (words.length > 0) lost.unshift(`the words ${JSON.stringify(words.slice(0, maxWords).join(' '))}`);
  if (lost.length === 0) return null;
  const more = words.length > maxWords ? ` and ${words.length - maxWords} more` : '';
  return `of the body are missing: ${lost.join(', ')}${more}`;
}

const word = /[\p{L}\p{N}]+/gu;

/** Words of the body that are not in the published tree, in order. */
function lostWords(
  body: string,
  removed: readonly string[],
  root: CleanElement,
  isThorough: boolean,
): readonly string[] {
  const counts = new Map<string, number>();
  const source = parseBody(body);
  const published = [...removed, cleanText(root)].join(' ');
  // Labels and titles that the page adds are more letters, and hide what is missing only from the sum.
  if (!isThorough && !lacksLetters(shownText(source), published)) return [];
  for (const [found] of stripSoftHyphens(published).matchAll(word))
    counts.set(found, (counts.get(found) ?? 0) + 1);
  const [one = [], other = one] = [shownText(source), shownText(source, true)].map((text) =>
    without(text, new Map(counts)),
  );
  return one.length < other.length ? one : other;
}

/** Whether a text has a letter or digit more often than another one. */
function lacksLetters(text: string, other: string): boolean {
  const left = new Map<string, number>();
  for (const [letter] of stripSoftHyphens(other).matchAll(/[\p{L}\p{N}]/gu))
    left.set(letter, (left.get(letter) ?? 0) + 1);
  for (const [letter] of text.matchAll(/[\p{L}\p{N}]/gu)) {
    const count = left.get(letter) ?? 0;
    if (count === 0) return true;
    left.set(letter, count - 1);
  }
  return false;
}

/** Words of a text that are not among those counted. */
function without(text: string, counts: Map<string, number>): readonly string[] {
  return [...text.matchAll(word)].flatMap(([found]) => {
    const left = counts.get(found) ?? 0;
    if (left > 0) counts.set(found, left - 1);
    return left > 0 ? [] : [found];
  });
}

/** Elements of Confluence that are blocks, and those that are players if they have an address. */
const macros =
  /^ac:(?:structured-macro|macro|(?:rich|plain)-text-body|task|task-list|layout|layout-section|layout-cell)$/;
const playerElements = /^(?:oembed$|ac:image$|lite-|amp-|wistia-)|-video$/;

/** Whether an element is a part of a word that its text is a part of. Unknown ones are, in browsers. */
function isInline(name: string, hasOwnBlocks: boolean): boolean {
  if (name === 'br' || name === 'img' || players.has(name) || macros.test(name)) return false;
  if (hasOwnBlocks && playerElements.test(name)) return false;
  const treatment = treatments.get(name);
  if (treatment?.kind === 'drop') return !treatment.isReported;
  return (treatment?.kind ?? 'unwrap') === 'unwrap' || contentModels.get(name)?.role === 'text';
}

/** The text below a node as browsers show it, with spaces between blocks. @param hasOwnBlocks whether elements that may be players are blocks */
export function shownText(root: SourceNode, hasOwnBlocks = false): string {
  let text = '';
  const separate = (name: string) => {
    if (!isInline(name, hasOwnBlocks)) text += ' ';
  };
  visitSource(
    root,
    (node) => {
      text += node.text;
      if (node.name === '#text') return false;
      separate(node.name);
      return node.namespace === htmlNamespace && !isSilent(node);
    },
    (node) => separate(node.name),
  );
  return stripSoftHyphens(stripInvisible(text));
}

/** The text of a published tree, with spaces between blocks. */
function cleanText(element: CleanElement): string {
  if (element.detail?.kind === 'code') return ` ${element.detail.text} `;
  const text = element.children
    .map((child) => (typeof child === 'string' ? child : cleanText(child)))
    .join('');
  return isInline(element.tag, false) ? text : ` ${text} `;
}

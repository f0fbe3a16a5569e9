import { countEach } from '../core/group-by.ts';
import { stripInvisible, stripSoftHyphens } from '../core/invisible.ts';
import { isHidden, isLink, styleOf, visitSource } from './parse/edit-tree.ts';
import { iframeAttributes } from './parse/list-urls.ts';
import { parseBody } from './parse/parse-body.ts';
import { attribute, childrenOf, htmlNamespace, type SourceNode } from './parse/source-tree.ts';
import { safeId } from './policy/ids.ts';
import type { CleanElement } from './tree/clean-tree.ts';

/** What a body holds, counted: before it is cleaned, after that, and what was removed with a problem. */
export class Tally {
  /** Letters and digits, and the sum of their UTF-16 units, in 32 bits. */
  letters = 0;
  sum = 0;
  words = 0;
  /** Whether the next letter continues the last word. */
  isInWord = false;
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
  /** Ids that links may lead to, as they are published; none in code. */
  readonly anchors = new Set<string>();

  add(other: Tally): void {
    this.letters += other.letters;
    this.sum = (this.sum + other.sum) | 0;
    this.words += other.words;
    for (const key of counted) this[key] += other[key];
    for (const id of other.anchors) this.anchors.add(id);
  }

  /** Counts an element with content, without its content. */
  addElement(node: SourceNode): void {
    if (node.name === 'li') this.items++;
    else if (isCell(node)) this.cells++;
    else if (isCounted(node)) this.links++;
    addAnchor(node, this);
  }
}

/** Names of counts in messages. */
const names = {
  code: 'characters of code',
  struck: 'struck characters',
  scripts: 'raised or lowered characters',
  images: 'images',
  players: 'players',
  links: 'links',
  items: 'list items',
  cells: 'table cells',
} as const;

const counted = Object.keys(names) as (keyof typeof names)[];

/** Settings of Confluence, which are text in its format. A title is shown. */
const settings = new Set(['ac:parameter', 'ac:task-id', 'ac:task-uuid', 'ac:task-status', 'ac:placeholder']);

/**
 * Counts what is below a node of an author's body, without recursion.
 * @param isWhole whether the node itself counts
 */
export function countSource(root: SourceNode, isWhole = false): Tally {
  const counter = new SourceCounter();
  if (isWhole && !counter.enter(root)) return counter.tally;
  visitSource(
    root,
    (node) => counter.enter(node),
    (node) => counter.leave(node),
  );
  if (isWhole) counter.leave(root);
  return counter.tally;
}

function isSilent(node: SourceNode): boolean {
  if (node.kind.isSilent || !node.name.startsWith('ac:')) return node.kind.isSilent;
  return settings.has(node.name) && attribute(node, 'ac:name') !== 'title';
}

class SourceCounter {
  readonly tally = new Tally();
  /** How many elements of each kind are open; a block of code has no marks. */
  private readonly depth = { code: 0, block: 0, struck: 0, scripts: 0 };
  /** Letters before the items, cells and links that are open. In code they are text. */
  private readonly open: number[] = [];

  /** Counts a node. Returns whether its content counts. */
  enter(node: SourceNode): boolean {
    const { tally, depth } = this;
    if (node.name === '#text') {
      const isMarked = depth.block === 0;
      countText(node.text, tally, depth.code, isMarked ? depth.struck : 0, isMarked ? depth.scripts : 0);
      return false;
    }
    if (node.name === 'img') tally.images++;
    if (node.kind.isPlayer && isAddressed(node)) tally.players++;
    if (node.namespace !== htmlNamespace || isSilent(node)) return false;
    this.changeDepth(node, 1);
    if (!node.kind.isInline) tally.isInWord = false;
    if (isCounted(node) && depth.code === 0) this.open.push(tally.letters + tally.images);
    // A cell without content may be one of a table that is not published.
    if (depth.block === 0 && node.attributes.length > 0 && !isCell(node)) addAnchor(node, tally);
    return true;
  }

  leave(node: SourceNode): void {
    const { tally, depth } = this;
    this.changeDepth(node, -1);
    if (!node.kind.isInline) tally.isInWord = false;
    if (!isCounted(node) || depth.code > 0) return;
    const isFull = tally.letters + tally.images > (this.open.pop() ?? 0);
    if (isFull) tally.addElement(node);
  }

  private changeDepth(node: SourceNode, by: number): void {
    const { name, kind } = node;
    const { depth } = this;
    if (kind.mark === 'code') depth.code += by;
    else if (kind.mark === 'struck') depth.struck += by;
    else if (kind.mark === 'script') depth.scripts += by;
    else if (isCodeBlock(node)) {
      depth.block += by;
      depth.code += by;
    }
    if (node.attributes.length === 0) return;
    const style = styleOf(node);
    if (style === null) return;
    const isText = name === 'font' || kind.isText;
    if (style.isStruck && depth.code === 0) depth.struck += by;
    if (style.script !== null && isText && depth.code === 0) depth.scripts += by;
  }
}

function addAnchor(node: SourceNode, { anchors }: Tally): void {
  const id = safeId(attribute(node, 'id')) ?? (node.name === 'a' ? safeId(attribute(node, 'name')) : null);
  if (id !== null) anchors.add(id);
}

const isCell = ({ name }: SourceNode): boolean => name === 'td' || name === 'th';

/** Whether an element is a block of code, and not one that a class makes a callout. */
function isCodeBlock(node: SourceNode): boolean {
  const isPre = node.name === 'pre' || node.name === 'listing';
  if (node.name === 'ac:plain-text-body') return true;
  if (!isPre && node.name !== 'div') return false;
  const classes = attribute(node, 'class') ?? '';
  return isPre ? !/callout/i.test(classes) : classes.includes('ql-code-block-container');
}

const isCounted = (node: SourceNode): boolean => node.name === 'li' || isCell(node) || isLink(node);

/** Whether a player has an address; one without shows nothing. */
function isAddressed(node: SourceNode): boolean {
  if (iframeAttributes.some((name) => (attribute(node, name) ?? '') !== '')) return true;
  return childrenOf(node).some(({ name }) => name === 'source');
}

/** Counts what is in the tree that is published. Its depth limit bounds the recursion. */
function countClean(element: CleanElement, tally = new Tally(), code = 0, struck = 0, scripts = 0): Tally {
  const { tag, kind, detail, id } = element;
  if (id !== null) tally.anchors.add(safeId(id) ?? id);
  if (tag === 'img') tally.images++;
  if (kind.isPlayer) tally.players++;
  if (detail?.kind === 'code') countText(detail.text, tally, 1);
  if (!kind.isInline) tally.isInWord = false;
  const before = tally.letters + tally.images;
  const inCode = code + (kind.mark === 'code' ? 1 : 0);
  const inStruck = struck + (kind.mark === 'struck' ? 1 : 0);
  const inScripts = scripts + (kind.mark === 'script' ? 1 : 0);
  for (const child of element.children) {
    if (typeof child === 'string') countText(child, tally, inCode, inStruck, inScripts);
    else countClean(child, tally, inCode, inStruck, inScripts);
  }
  if (!kind.isInline) tally.isInWord = false;
  if (tally.letters + tally.images > before) {
    if (tag === 'li') tally.items++;
    else if (tag === 'a') tally.links++;
    else if (tag === 'td' || tag === 'th') tally.cells++;
  }
  return tally;
}

/** 1: a letter or digit, 0: another character, 2: one that nobody sees, which ends no word; -1: unknown yet. */
const kinds = new Int8Array(0x10000).fill(-1);

function learn(unit: number): number {
  const character = String.fromCharCode(unit);
  const isLetter = /[\p{L}\p{N}]/u.test(character) || (unit & 0xf800) === 0xd800;
  const kind = isLetter ? 1 : /\p{Cf}/u.test(character) ? 2 : 0;
  kinds[unit] = kind;
  return kind;
}

/** Counts without a branch for each letter, because no processor foresees where a word ends. */
export function countText(text: string, tally: Tally, code = 0, struck = 0, scripts = 0): void {
  let letters = 0;
  let sum = 0;
  let words = 0;
  let previous = tally.isInWord ? 1 : 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    let kind = kinds[unit] as number;
    if (kind < 0) kind = learn(unit);
    if (kind === 2) continue;
    letters += kind;
    words += kind & (previous ^ 1);
    sum = (sum + (unit & -kind)) | 0;
    previous = kind;
  }
  tally.words += words;
  tally.isInWord = previous === 1;
  tally.letters += letters;
  tally.sum = (tally.sum + sum) | 0;
  if (code > 0) tally.code += letters;
  if (struck > 0) tally.struck += letters;
  if (scripts > 0) tally.scripts += letters;
}

/** Words in a message. */
const maxWords = 6;

/**
 * Says what of a body is neither published nor removed with a problem; `null` if nothing is missing.
 * @param source the parsed body, with what editors write rewritten
 * @param removed elements of the body that were removed with a problem
 * @param isThorough whether words are compared even if the numbers of letters and words agree
 */
export function describeLoss(
  body: string,
  source: SourceNode,
  before: Tally,
  removed: { readonly tally: Tally; readonly texts: readonly string[] },
  root: CleanElement,
  isThorough: boolean,
): string | null {
  const after = countClean(root);
  after.add(removed.tally);
  const lost = counted.flatMap((key) => {
    // What was removed may be all of an item, or struck by an element around it.
    const isShown = key === 'images' || key === 'players';
    const { letters, images } = removed.tally;
    const count = before[key] - after[key] - (isShown ? 0 : letters + images);
    return count > 0 ? [`${count} ${names[key]}`] : [];
  });
  const anchors = [...before.anchors].filter((id) => !after.anchors.has(id));
  if (anchors.length > 0) lost.push(`the anchors ${JSON.stringify(anchors.slice(0, maxWords).join(' '))}`);
  // Fewer words of the same letters run together.
  const isEqual = before.letters === after.letters && before.sum === after.sum && before.words <= after.words;
  const words = isEqual && !isThorough ? [] : lostWords(body, source, removed.texts, root);
  if (words.length > 0) lost.unshift(`the words ${JSON.stringify(words.slice(0, maxWords).join(' '))}`);
  if (lost.length === 0) return null;
  const more = words.length > maxWords ? ` and ${words.length - maxWords} more` : '';
  return `of the body are missing: ${lost.join(', ')}${more}`;
}

/** A letter or digit of a script that has no spaces between words. */
const unspaced =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]';
const word = new RegExp(`${unspaced}|(?:(?!${unspaced})[\\p{L}\\p{N}])+`, 'gu');

/** Words of the body that are not in the published tree, in order. */
function lostWords(
  body: string,
  source: SourceNode,
  removed: readonly string[],
  root: CleanElement,
): readonly string[] {
  const written = shownText(parseBody(body));
  const published = [...removed, cleanText(root)].join(' ');
  const rewritten = shownText(source);
  const pieces = new Set([...removed, rewritten].flatMap((text) => text.match(word) ?? []));
  const lengths = new Set([...pieces].map(({ length }) => length));
  const lost = missingWords(written, published).filter((found) => !isTakenApart(found, pieces, lengths));
  return lost.length > 0 ? lost : missingWords(rewritten, published);
}

/**
 * Whether a word is made of other ones: a caption, a player or the title of a section is a block in the rewritten body, so that it is no
 * part of the word beside it.
 * @param lengths those of the pieces
 */
function isTakenApart(found: string, pieces: ReadonlySet<string>, lengths: ReadonlySet<number>): boolean {
  const ends = new Set([0]);
  for (const from of ends)
    for (const length of lengths)
      if (length < found.length && pieces.has(found.slice(from, from + length))) ends.add(from + length);
  return ends.has(found.length);
}

/** A joiner stays if its neighbours need it, which the two texts may see differently. */
const withoutJoiners = (text: string): string => stripSoftHyphens(text).replace(/[\u200c\u200d]/g, '');

/** Words of a text that another one does not have as often, in order. */
export function missingWords(text: string, other: string): readonly string[] {
  const counts = countEach(withoutJoiners(other).match(word) ?? []);
  return (withoutJoiners(text).match(word) ?? []).filter((found) => {
    const left = counts.get(found) ?? 0;
    if (left > 0) counts.set(found, left - 1);
    return left === 0;
  });
}

/** The text below a node as browsers show it, with spaces between blocks. */
export function shownText(root: SourceNode): string {
  let text = '';
  const separate = (node: SourceNode) => {
    if (!node.kind.isInline) text += ' ';
  };
  visitSource(
    root,
    (node) => {
      text += node.text;
      if (node.name === '#text') return false;
      // The texts on both sides of a hidden element are one word.
      if (isHidden(node) && node.kind.treatment?.kind !== 'drop') {
        if (node.kind.isBlock) text += ' ';
        return false;
      }
      separate(node);
      return node.namespace === htmlNamespace && !isSilent(node);
    },
    separate,
  );
  return stripSoftHyphens(stripInvisible(text));
}

/** The text of a published tree, with spaces between blocks. */
function cleanText(element: CleanElement): string {
  if (element.detail?.kind === 'code') return ` ${element.detail.text} `;
  const text = element.children
    .map((child) => (typeof child === 'string' ? child : cleanText(child)))
    .join('');
  return element.kind.isInline ? text : ` ${text} `;
}

import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment } from 'parse5';
import type { Document } from '../../src/content/document.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** What must survive the way through Markdown, in document order. */
interface Features {
  readonly headings: string[];
  /** Per item: kind and depth of its list, and its number. */
  readonly items: string[];
  /** Per outermost table: rows × columns. */
  readonly tables: string[];
  readonly code: string[];
  /** Addresses; a player is a link to anywhere. */
  readonly links: string[];
  readonly images: string[];
  /** Passages of letters and digits outside of code, each after what emphasises it (bold, italic, struck). */
  readonly marks: string[];
  /** Everything a reader sees, without white space. */
  readonly text: string[];
}

/** One way in which the Markdown says something else than the page. */
export interface Mismatch {
  readonly feature: keyof Features;
  readonly page: string;
  readonly markdown: string;
}

/** Renders the Markdown of a document and compares it with its page. */
export function compareMarkdown(document: Document): Mismatch[] {
  // Formulas are MathML on the page and TeX in Markdown (math.test.ts).
  const hasMath = document.html.includes('<math');
  const html = hasMath ? document.html.replace(/<math[\s\S]*?<\/math>/g, '') : document.html;
  const source = hasMath ? document.markdown.replace(/\$\$?(?:[^$\\\n]|\\.)+\$\$?/g, '') : document.markdown;
  const rendered = micromark(source, {
    // What an author wrote out as text, such as `www.example.com`, is no link of the page.
    extensions: [gfm(), { disable: { null: ['wwwAutolink', 'protocolAutolink', 'emailAutolink'] } }],
    htmlExtensions: [gfmHtml(), showEscapes],
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
  });
  // Markdown has no superscripts: their marks are compared elsewhere (superscripts.test.ts), here only their text.
  const same = /<su[bp]\b/.test(html) ? withoutScriptMarks : (features: Features) => features;
  const page = same(readFeatures(html, false));
  const markdown = same(readFeatures(rendered, true));
  return (Object.keys(page) as (keyof Features)[]).flatMap((feature) => {
    const at = firstDifference(page[feature], markdown[feature]);
    return at < 0
      ? []
      : [{ feature, ...excerpts(page[feature][at] ?? '(nothing)', markdown[feature][at] ?? '(nothing)') }];
  });
}

/** Precedes an escaped bracket: what looks like a callout's marker then is text. */
const escapedBracket = '\ue000[';

const showEscapes: ReturnType<typeof gfmHtml> = {
  exit: {
    characterEscapeValue(token) {
      const value = this.sliceSerialize(token);
      this.raw(value === '[' ? escapedBracket : this.encode(value));
    },
  },
};

function withoutScriptMarks(features: Features): Features {
  const plain = (text: string) =>
    text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[\^_()]/g, '')
      .replaceAll('−', '-')
      .replaceAll('℠', 'sm');
  return { ...features, headings: features.headings.map(plain), marks: [], text: features.text.map(plain) };
}

function firstDifference(page: readonly string[], markdown: readonly string[]): number {
  for (let at = 0; at < Math.max(page.length, markdown.length); at++) {
    if (page[at] !== markdown[at] && page[at] !== 'player') return at;
  }
  return -1;
}

function excerpts(page: string, markdown: string): { page: string; markdown: string } {
  let at = 0;
  while (page[at] === markdown[at]) at++;
  const from = Math.max(0, at - 30);
  return { page: page.slice(from, at + 50), markdown: markdown.slice(from, at + 50) };
}

/** Alternative texts that say nothing: Markdown has none of them. */
const saysPicture =
  /^(?:avatar|icon|image|img|photo|picture|[^\s/]+\.(?:gif|jpe?g|png|svg|webp)(?: > \S+)?)$/i;

const markNames: Readonly<Record<string, string>> = {
  strong: 'bold',
  b: 'bold',
  // Markdown has no labels: they are bold.
  dt: 'bold',
  summary: 'bold',
  em: 'italic',
  i: 'italic',
  del: 'struck',
  s: 'struck',
};

interface Place {
  readonly marks: ReadonlySet<string>;
  readonly listDepth: number;
  readonly isInTable: boolean;
  readonly isInCode: boolean;
}

const topLevel: Place = { marks: new Set(), listDepth: 0, isInTable: false, isInCode: false };

function readFeatures(html: string, isRendered: boolean): Features {
  const features: Features = {
    headings: [],
    items: [],
    tables: [],
    code: [],
    links: [],
    images: [],
    marks: [],
    text: [],
  };
  let text = '';
  const marked: { marks: string; text: string }[] = [];
  const addMarked = (value: string, { marks, isInTable, isInCode }: Place): void => {
    const letters = value.replace(/[^\p{L}\p{N}]+/gu, '');
    if (letters === '' || isInCode) return;
    // Headings in cells are bold in Markdown.
    const names = [...marks].filter((name) => !(isInTable && name === 'bold')).sort();
    const last = marked.at(-1);
    if (last?.marks === names.join(' ')) last.text += letters;
    else marked.push({ marks: names.join(' '), text: letters });
  };
  const visit = (node: Node, place: Place): void => {
    if (defaultTreeAdapter.isTextNode(node)) {
      text += node.value;
      addMarked(node.value, place);
      return;
    }
    if (!defaultTreeAdapter.isElementNode(node)) return;
    let inner = place;
    const { tagName } = node;
    const mark = markNames[tagName] ?? (tagName === 'th' && !place.isInTable ? 'bold' : undefined);
    // A heading in a summary is a heading in Markdown, too.
    const isLabel = tagName === 'dt' || tagName === 'summary';
    // In code, nothing is marked, the alternative text of an image neither.
    if (mark !== undefined && !place.isInCode && !(isLabel && holdsHeading(node)))
      inner = { ...place, marks: new Set([...place.marks, mark]) };
    if (/^(?:code|kbd|samp|pre)$/.test(tagName)) inner = { ...inner, isInCode: true };
    if (/^h[1-6]$/.test(tagName) && !place.isInTable)
      features.headings.push(`${tagName} ${squeeze(shownText(node))}`);
    else if (tagName === 'ul' || tagName === 'ol') inner = { ...inner, listDepth: place.listDepth + 1 };
    else if (tagName === 'li' && !place.isInTable) {
      const { kind, marker } = itemOf(node, isRendered);
      features.items.push(`${kind} ${place.listDepth}`);
      text += marker;
      addMarked(marker, place);
    } else if (tagName === 'li' && !isRendered && squeeze(textOf(node)) !== '') {
      const { marker, kind } = itemOf(node, false);
      const label = marker || (kind === 'ul' ? '-' : `${kind.slice(3)}.`);
      text += label;
      addMarked(label, inner);
    } else if (tagName === 'table') {
      if (place.isInTable || !arrangesCode(node)) {
        if (!place.isInTable && tableSize(node) !== null) features.tables.push(tableSize(node) as string);
        if (!isRendered) repeatSpans(node);
        inner = { ...inner, isInTable: true };
      } else orderCells(node);
    } else if (tagName === 'pre' && !place.isInTable) features.code.push(textOf(node).replace(/\n$/, ''));
    else if (tagName === 'a') {
      // The way from a footnote back to the text.
      if (!isRendered && /^[↩↵⏎]\ufe0e?\d*$/.test(textOf(node))) return;
      features.links.push(plainAddress(attribute(node, 'href')));
      // A URL that is a link is no code in Markdown.
      if (
        !isRendered &&
        place.isInCode &&
        plainAddress(textOf(node)) === plainAddress(attribute(node, 'href'))
      )
        addMarked(textOf(node), { ...place, isInCode: false });
    } else if (tagName === 'img') {
      // Markdown has the alternative text, or the image if it has none.
      if (isRendered || attribute(node, 'alt') === '')
        features.images.push(plainAddress(attribute(node, 'src')));
      else if (!saysPicture.test(attribute(node, 'alt'))) {
        // Others say nothing.
        text += attribute(node, 'alt');
        addMarked(attribute(node, 'alt'), { ...inner, isInCode: false });
      }
    } else if (/^t[dh]$/.test(tagName) && !isRendered && isLaterNestedCell(node)) text += '|';
    else if (isPlayer(node)) {
      features.links.push('player');
      text += playerText(node);
      addMarked(playerText(node), { ...place, isInCode: false });
      return;
    }
    if (tagName === 'blockquote' && isRendered) dropMarker(node);
    // Browsers draw the marks of a quotation; code has none.
    const quote = tagName === 'q' && !isRendered && !inner.isInCode ? '"' : '';
    text += quote;
    for (const child of node.childNodes) visit(child, inner);
    text += quote;
  };
  for (const node of parseFragment(html).childNodes) visit(node, topLevel);
  features.marks.push(...marked.map(({ marks, text }) => `${marks}: ${text}`));
  features.text.push(squeeze(text));
  return features;
}

/** An item's kind of list with its number. Numbers that Markdown does not have are the text of a bullet. */
function itemOf(item: Element, isRendered: boolean): { readonly kind: string; readonly marker: string } {
  const list = item.parentNode;
  if (list === null || !('tagName' in list) || list.tagName !== 'ol')
    return { kind: parentName(item), marker: '' };
  const items = list.childNodes.filter((child): child is Element => 'tagName' in child);
  const isReversed = list.attrs.some(({ name }) => name === 'reversed');
  let next = Number(attribute(list, 'start') || (isReversed ? items.length : 1));
  const numbers = items.map((one) => {
    const number = Number(attribute(one, 'value') || next);
    next = number + (isReversed ? -1 : 1);
    return number;
  });
  const type = /list-(\S+)/.exec(attribute(list, 'class'))?.[1] ?? attribute(list, 'type');
  const labels = numbers.map((number) => labelOf(number, type));
  const number = items.indexOf(item);
  const isPlain = labels.every((label) => /^\d{1,9}$/.test(label));
  return isPlain || isRendered
    ? { kind: `ol ${labels[number]}`, marker: '' }
    : { kind: 'ul', marker: `${labels[number]}.` };
}

function labelOf(number: number, type: string): string {
  const isLetter = type.toLowerCase() === 'a' || type.endsWith('alpha');
  if (number < 1 || !(isLetter || type.toLowerCase() === 'i' || type.endsWith('roman')))
    return String(number);
  const label = isLetter ? lettersOf(number) : romanOf(number);
  return /^[AI]$|^upper/.test(type) ? label.toUpperCase() : label;
}

const numerals = Object.entries({
  m: 1000,
  cm: 900,
  d: 500,
  cd: 400,
  c: 100,
  xc: 90,
  l: 50,
  xl: 40,
  x: 10,
  ix: 9,
  v: 5,
  iv: 4,
});

function romanOf(number: number): string {
  return numerals.reduce(
    (text, [numeral, value]) => text.replace(new RegExp(`i{${value}}`, 'g'), numeral),
    'i'.repeat(number),
  );
}

function lettersOf(number: number): string {
  const last = String.fromCharCode(96 + ((number - 1) % 26) + 1);
  return number > 26 ? lettersOf(Math.floor((number - 1) / 26)) + last : last;
}

const marker = /^\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\](?=\n|$)/;

/** Takes `[!NOTE]` off a quotation: on the page a callout tells its kind by its class. */
function dropMarker(quotation: Element): void {
  let host = quotation;
  for (
    let child = firstChild(host);
    child !== undefined && 'tagName' in child && child.tagName === 'p';
    child = firstChild(host)
  ) {
    host = child;
  }
  const first = firstChild(host);
  if (first !== undefined && defaultTreeAdapter.isTextNode(first))
    first.value = first.value.replace(marker, '');
}

function firstChild(element: Element): Node | undefined {
  return element.childNodes.find(
    (child) => !defaultTreeAdapter.isTextNode(child) || child.value.trim() !== '',
  );
}

/** Rows × columns, without rows that show nothing; `null` if there are no others. */
function tableSize(table: Element): string | null {
  const rows = below(table, 'tr').filter(showsSomething);
  if (rows.length === 0) return null;
  const columns = rows.map((row) =>
    row.childNodes.reduce(
      (sum, cell) =>
        sum + (defaultTreeAdapter.isElementNode(cell) ? Number(attribute(cell, 'colspan') || 1) : 0),
      0,
    ),
  );
  return `${rows.length} × ${Math.max(0, ...columns)}`;
}

/** Whether a row has a text, or an image that Markdown writes. */
function showsSomething(row: Element): boolean {
  const hasImage = below(row, 'img').some((image) => !saysPicture.test(attribute(image, 'alt')));
  return squeeze(textOf(row)) !== '' || hasImage || belowAny(row, isPlayer);
}

function belowAny(element: Element, test: (element: Element) => boolean): boolean {
  return element.childNodes.some((child) => 'tagName' in child && (test(child) || belowAny(child, test)));
}

function cellsOf(row: Element | undefined): Element[] {
  return row?.childNodes.filter((cell): cell is Element => defaultTreeAdapter.isElementNode(cell)) ?? [];
}

/** Whether the first row is a header: of header cells, or of nothing but headings. */
function hasHeaderRow(table: Element): boolean {
  if (below(table, 'thead').length > 0) return true;
  const rows = below(table, 'tr');
  const first = cellsOf(rows[0]);
  return first.every(({ tagName }) => tagName === 'th') || (rows.length > 1 && areHeadings(first));
}

const isHeading = ({ tagName }: Element) => /^h[1-6]$/.test(tagName);

function areHeadings(cells: readonly Element[]): boolean {
  const outside = (node: Node): string =>
    'tagName' in node && isHeading(node)
      ? ''
      : 'childNodes' in node
        ? node.childNodes.map(outside).join('')
        : textOf(node);
  const hasOther = (element: Element): boolean =>
    element.childNodes.some(
      (child) => 'tagName' in child && !isHeading(child) && (child.tagName !== 'div' || hasOther(child)),
    );
  return cells.some(holdsHeading) && cells.every((cell) => !hasOther(cell) && outside(cell).trim() === '');
}

function holdsHeading(element: Element): boolean {
  return element.childNodes.some(
    (child) => 'tagName' in child && (isHeading(child) || child.tagName === 'aside' || holdsHeading(child)),
  );
}

/** Whether Markdown writes the cells of a table as blocks: it has code of several lines and is no table of data. */
function arrangesCode(table: Element): boolean {
  const holdsCode = (node: Node): boolean =>
    'tagName' in node &&
    (node.tagName === 'pre'
      ? textOf(node)
          .split('\n')
          .filter((line) => line.trim() !== '').length > 1
      : node.childNodes.some(holdsCode));
  if (!holdsCode(table)) return false;
  const rows = below(table, 'tr');
  const isOneColumn = Number(tableSize(table)?.split(' × ')[1]) === 1;
  if (!hasHeaderRow(table) || isOneColumn) return true;
  return rows.length <= 2 && rows.filter((row) => cellsOf(row).some(holdsHeading)).length < 2;
}

/** Puts each header cell before the cell below it. */
function orderCells(table: Element): void {
  if (!hasHeaderRow(table)) return;
  const columns: Element[][] = [];
  const taken = new Set<string>();
  below(table, 'tr').forEach((row, at) => {
    let column = 0;
    for (const cell of cellsOf(row)) {
      while (taken.has(`${at} ${column}`)) column++;
      columns[column] = [...(columns[column] ?? []), cell];
      const width = Number(attribute(cell, 'colspan') || 1);
      for (let down = at; down < at + Number(attribute(cell, 'rowspan') || 1); down++)
        for (let across = column; across < column + width; across++) taken.add(`${down} ${across}`);
      column += width;
    }
  });
  const caption = table.childNodes.filter((child) => 'tagName' in child && child.tagName === 'caption');
  table.childNodes = [...caption, ...columns.flat()];
}

/** Longest cell that Markdown repeats in the rows it reaches down to. */
const maxRepeatedChars = 120;

/** Puts short cells with a `rowspan` into each row they reach down to, as Markdown does. */
function repeatSpans(table: Element): void {
  const pending = new Map<number, { readonly cell: Element; rowsLeft: number; readonly width: number }>();
  for (const row of below(table, 'tr')) {
    const own = row.childNodes.filter((cell): cell is Element => defaultTreeAdapter.isElementNode(cell));
    const shown: Element[] = [];
    let column = 0;
    const addPending = () => {
      for (let span = pending.get(column); span !== undefined; span = pending.get(column)) {
        if (textOf(span.cell).replace(/\s+/g, ' ').trim().length <= maxRepeatedChars) shown.push(span.cell);
        span.rowsLeft--;
        if (span.rowsLeft === 0) pending.delete(column);
        column += span.width;
      }
    };
    for (const cell of own) {
      addPending();
      shown.push(cell);
      const width = Number(attribute(cell, 'colspan') || 1);
      const height = Number(attribute(cell, 'rowspan') || 1);
      if (height > 1) pending.set(column, { cell, rowsLeft: height, width });
      column += width;
    }
    addPending();
    for (const [at, span] of pending)
      if (own.includes(span.cell)) pending.set(at, { ...span, rowsLeft: span.rowsLeft - 1 });
    row.childNodes = shown;
  }
}

/** Elements of this name below, not within another table. */
function below(element: Element, name: string): Element[] {
  return element.childNodes.flatMap((child) => {
    if (!defaultTreeAdapter.isElementNode(child) || child.tagName === 'table') return [];
    return child.tagName === name ? [child] : below(child, name);
  });
}

function parentName(element: Element): string {
  const { parentNode } = element;
  return parentNode !== null && 'tagName' in parentNode ? parentNode.tagName : '';
}

function attribute(element: Element, name: string): string {
  return element.attrs.find((candidate) => candidate.name === name)?.value ?? '';
}

function textOf(node: Node): string {
  if (defaultTreeAdapter.isTextNode(node)) return node.value;
  if (!defaultTreeAdapter.isElementNode(node)) return '';
  return isPlayer(node) ? playerText(node) : node.childNodes.map(textOf).join('');
}

/** The text of a node with the alternative texts of its images, and the marks of its quotations. */
function shownText(node: Node, isInCode = false): string {
  if (!defaultTreeAdapter.isElementNode(node) || isPlayer(node)) return textOf(node);
  if (node.tagName === 'img') return attribute(node, 'alt');
  const isCode = isInCode || /^(?:code|kbd|samp)$/.test(node.tagName);
  const text = node.childNodes.map((child) => shownText(child, isCode)).join('');
  return node.tagName === 'q' && !isCode ? `"${text}"` : text;
}

/** Whether a cell of a table in a cell follows another one, in a row with content. */
function isLaterNestedCell(cell: Element): boolean {
  const row = cell.parentNode as Element;
  const cells = row.childNodes.filter((node) => defaultTreeAdapter.isElementNode(node));
  let tables = 0;
  for (let at: unknown = row; at !== null && at !== undefined; at = (at as Element).parentNode)
    if ((at as Element).tagName === 'table') tables++;
  return tables > 1 && cells[0] !== cell && cells.some((one) => squeeze(shownText(one)) !== '');
}

function isPlayer({ tagName }: Element): boolean {
  return tagName === 'iframe' || tagName === 'video' || tagName === 'audio';
}

/** What Markdown calls a player: its title, else its file name. */
function playerText(player: Element): string {
  const fileName = attribute(player, 'src').split(/[?#]/)[0]?.split('/').pop() ?? '';
  return attribute(player, 'title') || plainAddress(fileName);
}

/** `https://a.test` and `https://a.test/` are one URL. */
function plainAddress(address: string): string {
  try {
    return decodeURIComponent(address.replace(/^(https?:\/\/[^/?#]+)\/$/, '$1'));
  } catch {
    return address;
  }
}

function squeeze(text: string): string {
  return text.replace(/[\s\ue000]+/g, '');
}

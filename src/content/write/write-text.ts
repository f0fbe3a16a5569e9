import type { Heading, Section } from '../document.ts';
import { visitSource } from '../parse/edit-tree.ts';
import { parseBody } from '../parse/parse-body.ts';
import type { SourceNode } from '../parse/source-tree.ts';
import { endOf } from '../text.ts';
import {
  type CleanElement,
  type CleanNode,
  childElements,
  runningText,
  type TableDetail,
} from '../tree/clean-tree.ts';
import { cellsInOrder } from '../tree/tables.ts';
import { itemMarkers } from './list-markers.ts';

/** Plain text and its sections. */
interface WrittenText {
  readonly text: string;
  readonly sections: readonly Section[];
}

/**
 * Writes the sanitised tree, whose headings have their ids, as plain text: one block per line, list markers, table rows as `a | b`, deleted
 * text as `~~a~~`. Images are omitted, except in a row of a table, where an icon may be all that a cell says.
 */
export function writeText(root: CleanElement): WrittenText {
  const writer = new TextWriter();
  writer.blocks(root.children, '', '');
  const text = writer.lines.join('\n');
  return { text, sections: cutSections(text, writer) };
}

/** A heading and its lines in the text. */
interface HeadingPlace {
  readonly heading: Heading;
  readonly firstLine: number;
  readonly endLine: number;
}

/** How running text is written in each place. The text of a heading is its name elsewhere, too, which has no marks. */
const forms = {
  flow: { hasAlt: false, marksDeleted: true },
  heading: { hasAlt: false, marksDeleted: false },
  cell: { hasAlt: true, marksDeleted: true },
} as const;

type TextPlace = keyof typeof forms;

/** Writes line by line. The depth limit of the sanitised tree bounds the recursion. */
class TextWriter {
  readonly lines: string[] = [];
  readonly headings: HeadingPlace[] = [];
  private place: TextPlace;

  constructor(place: TextPlace = 'flow') {
    this.place = place;
  }

  /** Adds the lines of a flow container: `first` is the prefix of its first line, `rest` of the others. */
  blocks(children: readonly CleanNode[], first: string, rest: string): void {
    const { lines } = this;
    const start = lines.length;
    let run = '';
    let before = '';
    const add = (text: string): void => {
      if (text.includes('\n')) for (const line of text.split('\n')) addLine(line);
      else addLine(text);
    };
    const addLine = (line: string): void => {
      const trimmed = line.trim();
      if (trimmed !== '') lines.push((lines.length === start ? first : rest) + trimmed);
    };
    for (const child of children) {
      if (typeof child === 'string' || child.kind.isText) {
        const text = typeof child === 'string' ? child : runningText(child, before, forms[this.place]);
        run += text;
        before = endOf(before, text);
      } else {
        add(run);
        run = '';
        before = '';
        this.block(child, lines.length === start ? first : rest, rest);
      }
    }
    add(run);
  }

  private block(element: CleanElement, first: string, rest: string): void {
    const { detail } = element;
    if (detail?.kind === 'code') this.lines.push(detail.text.replace(/\n+$/, ''));
    else if (detail?.kind === 'table' && detail.arrangesCode && this.place !== 'cell') {
      const { caption } = detail;
      for (const part of [...(caption === null ? [] : [caption]), ...cellsInOrder(detail)])
        this.blocks(part.children, rest, rest);
    } else if (detail?.kind === 'table') for (const line of tableLines(detail)) this.lines.push(rest + line);
    else if (element.tag === 'ul' || element.tag === 'ol') this.list(element, rest);
    else if (detail?.kind === 'heading') this.heading(detail.heading, element, first, rest);
    else this.blocks(element.children, first, rest);
  }

  private heading(heading: Heading, element: CleanElement, first: string, rest: string): void {
    const firstLine = this.lines.length;
    const { place } = this;
    if (place === 'flow') this.place = 'heading';
    this.blocks(element.children, first, rest);
    this.place = place;
    if (heading.text !== '') this.headings.push({ heading, firstLine, endLine: this.lines.length });
  }

  private list(list: CleanElement, indent: string): void {
    const markers = list.tag === 'ol' ? itemMarkers(list).map(({ label }) => `${label} `) : [];
    for (const [index, item] of childElements(list).entries()) {
      const marker = markers[index] ?? '- ';
      // Flattens deep nesting: otherwise lines would have more indentation than text.
      this.blocks(item.children, indent + marker, indent.length < 64 ? `${indent}  ` : indent);
    }
  }
}

/** Sections of a text, from the lines of its headings. */
function cutSections(text: string, { lines, headings }: TextWriter): readonly Section[] {
  const sections: Section[] = [];
  let line = 0;
  let offset = 0;
  const startOf = (wanted: number): number => {
    for (; line < wanted; line++) offset += (lines[line] as string).length + 1;
    return offset;
  };
  let heading: Heading | null = null;
  let start = 0;
  for (const next of headings) {
    sections.push({ heading, start, end: Math.max(start, startOf(next.firstLine) - 1) });
    heading = next.heading;
    start = Math.min(startOf(next.endLine), text.length);
  }
  sections.push({ heading, start, end: text.length });
  return sections;
}

function tableLines(table: TableDetail): string[] {
  const caption = table.caption === null ? [] : [oneLine(table.caption)];
  const rows = table.rows.map((row) => row.map((cell) => (cell === null ? '' : oneLine(cell))).join(' | '));
  return [...caption, ...rows.filter((row) => /[^ |]/.test(row))];
}

function oneLine(element: CleanElement): string {
  const writer = new TextWriter('cell');
  writer.blocks(element.children, '', '');
  return writer.lines.map((line) => line.trim()).join(' ');
}

/**
 * Plain text of an HTML body, one block per line, for the search of the service. Much faster than `transform`. Not a sanitiser: escape the
 * result before using it in HTML.
 */
export function htmlToText(html: string): string {
  let text = '';
  const separate = (node: SourceNode): void => {
    if (node.kind.isBlock || node.name === 'br') text += '\n';
  };
  const enter = (node: SourceNode): boolean => {
    // The content of a player is what browsers show that cannot play it; that of an iframe is parsed as text, with its tags.
    const isDropped = node.kind.treatment?.kind === 'drop' || node.kind.isPlayer;
    text += isDropped ? ' ' : node.text;
    separate(node);
    return !isDropped;
  };
  visitSource(parseBody(html), enter, separate);
  return text
    .replaceAll('\u00ad', '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\n ]*/g, '\n')
    .trim();
}

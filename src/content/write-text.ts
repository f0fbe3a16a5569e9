import type { CleanElement, CleanNode, TableDetail } from './clean-tree.ts';
import { contentModels } from './content-model.ts';

/** Plain text of the sanitised tree: one block per line, list markers, table rows as `a | b`. */
export function writeText(root: CleanElement): string {
  const lines: string[] = [];
  writeBlocks(root.children, '', '', lines);
  return lines.join('\n');
}

/**
 * Adds the lines of a flow container; the first one starts with `first`, the others with `rest`.
 * Recursion is bounded by the depth cap of the sanitised tree.
 */
function writeBlocks(children: readonly CleanNode[], first: string, rest: string, lines: string[]): void {
  const start = lines.length;
  let run = '';
  const add = (text: string): void => {
    if (text.includes('\n')) for (const line of text.split('\n')) addLine(line);
    else addLine(text);
  };
  const addLine = (line: string): void => {
    const trimmed = line.trim();
    if (trimmed !== '') lines.push((lines.length === start ? first : rest) + trimmed);
  };
  for (const child of children) {
    if (typeof child === 'string') run += child;
    else if (contentModels.get(child.tag)?.role === 'text') run += inlineText(child);
    else {
      add(run);
      run = '';
      writeBlock(child, lines.length === start ? first : rest, rest, lines);
    }
  }
  add(run);
}

function writeBlock(element: CleanElement, first: string, rest: string, lines: string[]): void {
  const { detail } = element;
  if (detail?.kind === 'code') lines.push(detail.text.replace(/\n+$/, ''));
  else if (detail?.kind === 'table') for (const line of tableLines(detail)) lines.push(rest + line);
  else if (element.tag === 'ul' || element.tag === 'ol') writeList(element, rest, lines);
  else writeBlocks(element.children, first, rest, lines);
}

function writeList(list: CleanElement, indent: string, lines: string[]): void {
  let number = Number(/ start="(-?\d+)"/.exec(list.attributes)?.[1] ?? 1);
  for (const item of list.children) {
    if (typeof item === 'string') continue;
    const marker = list.tag === 'ol' ? `${number++}. ` : '- ';
    // Deep nesting is flattened: a line would be more indent than text.
    writeBlocks(item.children, indent + marker, indent.length < 64 ? `${indent}  ` : indent, lines);
  }
}

function tableLines(table: TableDetail): string[] {
  const caption = table.caption === null ? [] : [oneLine(table.caption)];
  const rows = table.rows.map((row) => row.map((cell) => (cell === null ? '' : oneLine(cell))).join(' | '));
  return [...caption, ...rows.filter((row) => /[^ |]/.test(row))];
}

function oneLine(element: CleanElement): string {
  const lines: string[] = [];
  writeBlocks(element.children, '', '', lines);
  return lines.map((line) => line.trim()).join(' ');
}

function inlineText(element: CleanElement): string {
  if (element.tag === 'br') return '\n';
  if (element.detail?.kind === 'media') return element.detail.title;
  let text = '';
  for (const child of element.children) text += typeof child === 'string' ? child : inlineText(child);
  return text;
}

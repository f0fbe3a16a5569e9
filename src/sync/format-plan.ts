import { type FieldChange, listChanges } from './list-changes.ts';
import type { SyncEntry } from './plan-sync.ts';

/** Longest value and most lines of a text that are shown. */
const shownCharacters = 100;
const shownLines = 4;

/** What will be done to one side, as a diff; `direction` is the side that changes. */
export function formatPlan(entries: readonly SyncEntry[], direction: 'service' | 'folder'): string {
  const lines = entries.flatMap((entry) => formatEntry(entry, direction));
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function formatEntry(entry: SyncEntry, direction: 'service' | 'folder'): string[] {
  const { kind, id, folder, local, remote } = entry;
  const [before, after] = direction === 'service' ? [remote, local] : [local, remote];
  const sign = before === null ? '+' : after === null ? '-' : '~';
  const title = String((after ?? before)?.fields.title ?? '');
  const head = [sign, kind, id ?? '(new)', folder, JSON.stringify(title)]
    .filter((part) => part !== null)
    .join(' ');
  return before === null || after === null
    ? [head]
    : [head, ...listChanges(before, after).flatMap(formatChange)];
}

function formatChange({ language, field, before, after }: FieldChange): string[] {
  const name = language === null ? field : `${language}.${field}`;
  if (typeof before === 'string' && typeof after === 'string' && `${before}${after}`.includes('\n')) {
    return [
      `    ${name}:`,
      ...diffLines(before.split('\n'), after.split('\n')).map((line) => `      ${line}`),
    ];
  }
  return [`    ${name}: ${show(before)} → ${show(after)}`];
}

/** The lines between the common beginning and the common end. */
function diffLines(before: readonly string[], after: readonly string[]): string[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const longest = Math.min(before.length, after.length) - start;
  while (end < longest && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [
    ...shorten(before.slice(start, before.length - end), '-'),
    ...shorten(after.slice(start, after.length - end), '+'),
  ];
}

function shorten(lines: readonly string[], sign: string): string[] {
  const shown = lines.slice(0, shownLines).map((line) => `${sign} ${cut(line)}`);
  return lines.length > shownLines ? [...shown, `${sign} … ${lines.length - shownLines} more lines`] : shown;
}

function show(value: unknown): string {
  return value === undefined ? 'none' : cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

import { countOf } from '../foundation/count-of.ts';
import { diffLines } from '../foundation/diff-lines.ts';
import type { Comparable } from './comparable.ts';
import { type FieldChange, listChanges } from './list-changes.ts';
import { takeFields } from './merge-fields.ts';
import { forFolder, forService, type SyncEntry } from './plan-sync.ts';

/** Longest value and most lines of a text that are shown. */
const shownCharacters = 100;
const shownLines = 4;

/** What will be done to one side, as a diff, and the fields that changed on both (`!`); `direction` is the side that changes. */
export function formatPlan(entries: readonly SyncEntry[], direction: 'service' | 'folder'): string {
  const lines = entries.flatMap((entry) => formatEntry(entry, direction));
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function formatEntry(entry: SyncEntry, direction: 'service' | 'folder'): string[] {
  const { kind, outcome, id, folder } = entry;
  const before = direction === 'service' ? entry.remote : entry.local;
  const after = afterOf(entry, direction);
  const sign = outcome === 'conflict' ? '!' : before === null ? '+' : after === null ? '-' : '~';
  const title = String((after ?? before)?.fields.title ?? '');
  const head = [sign, kind, id ?? '(new)', folder, JSON.stringify(title)]
    .filter((part) => part !== null)
    .join(' ');
  return before === null || after === null
    ? [head]
    : [head, ...listChanges(before, after).flatMap(formatChange)];
}

/** What one side becomes; of a conflict, what it would become if the other side won. */
function afterOf(entry: SyncEntry, direction: 'service' | 'folder'): Comparable | null {
  if (entry.outcome === 'conflict') {
    const { local, remote, fields } = entry;
    const [own, other] = direction === 'service' ? [remote, local] : [local, remote];
    return own === null || other === null ? other : takeFields(own, other, fields, 'both');
  }
  return direction === 'service' ? forService(entry) : forFolder(entry);
}

function formatChange({ language, field, before, after }: FieldChange): string[] {
  const name = language === null ? field : `${language}.${field}`;
  if (typeof before === 'string' && typeof after === 'string' && `${before}${after}`.includes('\n')) {
    const lines = diffLines(before, after, 0);
    return [`    ${name}:`, ...shorten(lines, '-'), ...shorten(lines, '+')];
  }
  return [`    ${name}: ${show(before)} → ${show(after)}`];
}

/** The removed or the added lines of a difference. */
function shorten(lines: readonly string[], sign: '-' | '+'): string[] {
  const own = lines
    .filter((line) => line.startsWith(sign))
    .map((line) => `      ${sign} ${cut(line.slice(1))}`);
  const rest = own.length - shownLines;
  return rest > 0 ? [...own.slice(0, shownLines), `      ${sign} … ${countOf(rest, 'more line')}`] : own;
}

function show(value: unknown): string {
  return value === undefined ? 'none' : cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

import { countOf } from '../core/count-of.ts';
import { diffLines } from '../core/diff-lines.ts';
import { getOrMake } from '../core/group-by.ts';
import type { UnknownRecord } from '../core/unknown-record.ts';
import type { Comparable } from './comparable.ts';
import { takeFields } from './merge-fields.ts';
import { forFolder, forService, type SyncEntry } from './plan-sync.ts';
import type { PulledForms } from './pull.ts';

/** Maximum length of a displayed value, and maximum number of lines of a text. */
const shownCharacters = 100;
const shownLines = 4;
/** Number of characters shown before a difference. */
const shownBefore = 30;

/**
 * Formats the plan for one side as a diff. For fields that changed on both sides (`!`), it shows both values. `direction` is the side that
 * changes.
 */
export function formatPlan(entries: readonly SyncEntry[], direction: 'service' | 'folder'): string {
  const lines = entries.flatMap((entry) => formatEntry(entry, direction));
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** What happens to a record of one side. */
interface PlannedChange {
  readonly change: keyof typeof changeSigns;
  readonly kind: SyncEntry['kind'];
  /** `null`: the service gives it one. */
  readonly id: string | null;
  readonly folder: string | null;
  readonly title: string;
}

/** What a change of a record or file is printed with. */
export const changeSigns = { added: '+', changed: '~', removed: '-', conflict: '!' } as const;

/** The plan for one side as data, without the fields that change. */
export function describePlan(
  entries: readonly SyncEntry[],
  direction: 'service' | 'folder',
): readonly PlannedChange[] {
  return entries.map((entry) => {
    const before = direction === 'service' ? entry.remote : entry.local;
    const after = afterOf(entry, direction);
    const change = before === null ? 'added' : after === null ? 'removed' : 'changed';
    return {
      change: entry.outcome === 'conflict' ? 'conflict' : change,
      kind: entry.kind,
      id: entry.id,
      folder: entry.folder,
      title: String((after ?? before)?.fields.title ?? ''),
    };
  });
}

function formatEntry(entry: SyncEntry, direction: 'service' | 'folder'): string[] {
  const { outcome } = entry;
  const before = direction === 'service' ? entry.remote : entry.local;
  const after = afterOf(entry, direction);
  const head = describePlan([entry], direction)
    .flatMap(({ change, kind, id, folder, title }) => [
      changeSigns[change],
      ...[kind, id ?? '(new)', folder, JSON.stringify(title)],
    ])
    .filter((part) => part !== null)
    .join(' ');
  if (before === null || after === null) return [head];
  const format = (change: FieldChange) =>
    outcome === 'conflict' ? formatConflict(change, entry) : formatChange(change);
  return [head, ...listChanges(before, after).flatMap(format)];
}

/** Formats a field that folder and service changed to different values, with both values. */
function formatConflict({ language, field }: FieldChange, { local, remote }: SyncEntry): string[] {
  const of = (side: Comparable | null) =>
    (language === null ? side?.fields : side?.translations[language])?.[field];
  const [own, other] = [of(local), of(remote)];
  const name = `    ${nameOf(language, field)}:`;
  if (
    typeof own === 'string' &&
    typeof other === 'string' &&
    (field === 'body' || `${own}${other}`.includes('\n'))
  ) {
    const [ours, theirs] = field === 'body' ? differentBlocks(own, other) : differentLines(own, other);
    const show = (side: string, lines: readonly string[], others: readonly string[]) => [
      `      ${side}:`,
      ...(lines.length === 0 ? ['        (not in its text)'] : shorten('        ', lines, others)),
    ];
    return [name, ...show('folder', ours, theirs), ...show('service', theirs, ours)];
  }
  const [here, there] = [jsonOf(own), jsonOf(other)];
  return [name, `      folder: ${cut(here, there)}`, `      service: ${cut(there, here)}`];
}

function jsonOf(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}

/** The blocks that only one of two bodies has. Markdown is rendered with a line feed between blocks, which other HTML need not have. */
function differentBlocks(before: string, after: string): [removed: string[], added: string[]] {
  const toLines = (body: string) => body.replace(endOfBlock, '$1\n').trimEnd();
  const [one, other] = [toLines(before), toLines(after)];
  return one === other ? differentLines(before, after) : differentLines(one, other);
}

const endOfBlock =
  /(<\/(?:p|li|h[1-6]|tr|[ou]l|table|div|section|blockquote|pre|figure|details|dl|dd|dt)>)\s*/gi;

/** The lines that only one of two texts has. */
function differentLines(before: string, after: string): [removed: string[], added: string[]] {
  const lines = diffLines(before, after);
  const of = (sign: string) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  return [of('-'), of('+')];
}

function nameOf(language: string | null, field: string): string {
  return language === null ? field : `${language}.${field}`;
}

/** The new state of one side; for a conflict, its state if the other side wins. */
function afterOf(entry: SyncEntry, direction: 'service' | 'folder'): Comparable | null {
  if (entry.outcome === 'conflict') {
    const { local, remote, fields } = entry;
    const [own, other] = direction === 'service' ? [remote, local] : [local, remote];
    return own === null || other === null ? other : takeFields(own, other, fields, 'both');
  }
  return direction === 'service' ? forService(entry) : forFolder(entry);
}

function formatChange({ language, field, before, after }: FieldChange): string[] {
  const name = nameOf(language, field);
  if (typeof before === 'string' && typeof after === 'string' && `${before}${after}`.includes('\n')) {
    const [removed, added] = differentLines(before, after);
    return [`    ${name}:`, ...shorten('      - ', removed, added), ...shorten('      + ', added, removed)];
  }
  const [old, now] = [jsonOf(before), jsonOf(after)];
  return [`    ${name}: ${cut(old, now)} → ${cut(now, old)}`];
}

/** The removed or the added lines of a difference, each shortened around the part that differs from the opposite line. */
function shorten(start: string, own: readonly string[], others: readonly string[]): string[] {
  const shown = own.slice(0, shownLines).map((line, at) => `${start}${cut(line, others[at])}`);
  const rest = own.length - shownLines;
  return rest > 0 ? [...shown, `${start}… ${countOf(rest, 'more line')}`] : shown;
}

/** A text; if it is long, only the part around its first difference from another text. */
function cut(text = '', other = ''): string {
  let same = 0;
  while (same < text.length && text[same] === other[same]) same += 1;
  // From the start, if that shows the difference.
  const start = same < shownCharacters / 2 || text.length <= shownCharacters ? 0 : same - shownBefore;
  const end = start + shownCharacters;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

/** How many texts a pull wrote as Markdown, and how many stay HTML for which reasons; `''` if it wrote none. */
export function formatForms({ markdown, html }: PulledForms): string {
  const reasons = [...html].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const sum = reasons.reduce((total, [, count]) => total + count, 0);
  if (markdown + sum === 0) return '';
  const written = `${countOf(markdown, 'text')} written as Markdown`;
  if (sum === 0) return written;
  const list = reasons.map(([reason, count]) => `${reason} ${count.toLocaleString('en')}`).join(', ');
  return `${written}; ${countOf(sum, 'text')} ${sum === 1 ? 'stays' : 'stay'} HTML: ${list}`;
}

/** One field that differs. */
interface FieldChange {
  /** `null` for the record itself. */
  readonly language: string | null;
  readonly field: string;
  /** `undefined` if there is none. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Every field that differs between two versions of a record, own fields first, then by language. */
export function listChanges(before: Comparable | null, after: Comparable | null): readonly FieldChange[] {
  const languages = [
    ...new Set([...Object.keys(before?.translations ?? {}), ...Object.keys(after?.translations ?? {})]),
  ].sort();
  return [
    ...compareFields(null, before?.fields, after?.fields),
    ...languages.flatMap((language) =>
      compareFields(language, before?.translations[language], after?.translations[language]),
    ),
  ];
}

function compareFields(
  language: string | null,
  before: UnknownRecord = {},
  after: UnknownRecord = {},
): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ language, field, before: before[field], after: after[field] }));
}

const scheduleFields: readonly string[] = ['publish_at', 'unpublish_at'];

/** The body of the partial update that changes a record into another; `null` if they are equal. */
export function toUpdate(from: Comparable | null, wanted: Comparable): UnknownRecord | null {
  const changes = listChanges(from, wanted);
  if (changes.length === 0) return null;
  const update: Record<string, unknown> = {};
  const elements = new Map<string, Record<string, unknown>>();
  for (const { language, field, before, after } of changes) {
    // An extension of the interface: a service that does not know the field may refuse it, and without it there is no schedule.
    if (before === undefined && after === null && scheduleFields.includes(field)) continue;
    if (language === null) {
      update[field] = after;
    } else if (wanted.translations[language] === undefined) {
      elements.set(language, { language_code: language, is_deleted: true });
    } else {
      getOrMake(elements, language, () => ({ language_code: language }))[field] = after;
    }
  }
  return elements.size === 0 ? update : { ...update, multilingual: [...elements.values()] };
}

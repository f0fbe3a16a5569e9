import type { ExportPassage } from '../export/fields.ts';
import { apartKinds } from '../feed/chunks/set-apart.ts';

/** A result is extended up to this size: a short passage often introduces the steps that answer the question. */
const hitChars = 2400;
const separator = '\n\n';

/**
 * The passages of a search result: the whole article if it is short; else the found passage and the following ones, up to one that is
 * already shown.
 * @param passages all passages, by id
 * @param shown ids of the passages of earlier results
 */
export function passagesOf(
  passage: ExportPassage,
  passages: ReadonlyMap<string, ExportPassage>,
  shown: ReadonlySet<string>,
): readonly ExportPassage[] {
  const before = [...neighbours(passage, passages, 'previousId')].reverse();
  const after = [...neighbours(passage, passages, 'nextId')];
  const whole = [...before, passage, ...after].filter((part) => !isApart(part));
  if (charsOf(whole) <= hitChars && !whole.some(({ id }) => shown.has(id))) return whole;
  const parts = [passage];
  for (const next of after) {
    if (shown.has(next.id)) break;
    if (isApart(next)) continue;
    if (charsOf([...parts, next]) > hitChars) break;
    parts.push(next);
  }
  return parts;
}

/** The text of a search result. */
export function textOf(parts: readonly ExportPassage[]): string {
  return parts.map(({ text }) => text).join(separator);
}

/** Whether a passage is a table of contents or list of links: it contains the words of other passages, but no answers. */
export function isApart({ type }: ExportPassage): boolean {
  return (apartKinds as readonly string[]).includes(type);
}

/** The passages of its article after this one, or before it, starting with the nearest. */
function* neighbours(
  passage: ExportPassage,
  passages: ReadonlyMap<string, ExportPassage>,
  side: 'nextId' | 'previousId',
): Generator<ExportPassage> {
  const step = side === 'nextId' ? 1 : -1;
  for (let last = passage; last[side] !== null; ) {
    const next = passages.get(last[side]);
    // The positions must continue, because a feed may be damaged.
    if (next === undefined || (next.seq - last.seq) * step <= 0) return;
    yield next;
    last = next;
  }
}

function charsOf(parts: readonly ExportPassage[]): number {
  return parts.reduce((sum, { text }) => sum + separator.length + text.length, 0);
}

import type { ExclusionReason } from '../../../core/model.ts';
import type { UnknownRecord } from '../../../core/unknown-record.ts';
import { readMoment } from '../../normalise/schedule.ts';
import { hidingStates } from '../../normalise/visibility.ts';
import {
  type FoundKey,
  findVisibilityKey,
  type VisibilityKey,
  visibilityKeyName,
} from './visibility-keys.ts';

/** Visibility of a page, and the field that decides it, for the report. */
export interface PageVisibility {
  readonly reason:
    | 'public'
    | Extract<ExclusionReason, 'draft' | 'private' | 'restricted' | 'visibility-unknown'>;
  readonly field: string | null;
  /** What an author can do; absent if the field is certain. */
  readonly why?: string;
}

const everybody = new Set(['public', 'everyone', 'everybody', 'all', 'published']);

/**
 * Whether a page is public. Pages in these folders are public unless a field says otherwise (see the table of `visibility-keys.ts`). A field
 * with an unknown value hides a page, too, and so does one whose name has a letter too many, too few or wrong, unless its value plainly says
 * that the page is not hidden.
 */
export function readPageVisibility(data: UnknownRecord, nowMs: number): PageVisibility {
  const unknown: PageVisibility[] = [];
  for (const [field, value] of Object.entries(data)) {
    const found = findVisibilityKey(field);
    if (found === null) continue;
    const { key, meant } = found;
    const isSure = key.isDocumented && meant === null;
    const says = readValue(visibilityKeyName(meant ?? field), value, key, nowMs);
    // A template may have empty fields of any name.
    if (says === 'shown' || (!isSure && isEmpty(value))) continue;
    if (says === 'hidden' && isSure) return { reason: privateState(key, value), field };
    unknown.push({ reason: 'visibility-unknown', field, why: describeDoubt(field, value, says, found) });
  }
  return unknown[0] ?? { reason: 'public', field: null };
}

/**
 * The next time, in milliseconds since 1970, at which a date in a field about visibility may show or hide a page; `Infinity` if there is none.
 */
export function nextVisibilityMs(data: UnknownRecord, nowMs: number): number {
  // The kinds of fields read times differently: a field of a schedule may have a zone such as +02.
  const times = Object.entries(data).flatMap(([field, value]) =>
    findVisibilityKey(field) === null ? [] : [readMoment(value), timeOf(value)],
  );
  const coming = times.filter((ms) => ms !== null && ms > nowMs) as number[];
  return Math.min(...coming, Number.POSITIVE_INFINITY);
}

function privateState({ kind, reason }: VisibilityKey, value: unknown): PageVisibility['reason'] {
  return kind === 'state' && String(value).trim().toLowerCase() === 'private' ? 'private' : reason;
}

function describeDoubt(field: string, value: unknown, says: Says, { key, meant }: FoundKey): string {
  const written = `${field}: ${JSON.stringify(value)?.slice(0, 60)}`;
  if (meant !== null) return `${written} is probably meant to be ${meant}; correct or remove the field`;
  const form = key.kind === 'schedule' ? '2026-01-31T09:00:00Z' : '2026-01-31';
  if (says === 'unknown' && /^(?:from|until|schedule)$/.test(key.kind))
    return `${written} cannot be read as a time, and may hide the page now; write it in the form ${form}, or remove it`;
  return says === 'unknown'
    ? `${written} is not a value that the field can have; correct or remove it`
    : `${written} seems to hide the page; write draft: true to hide it, or remove the field to publish it`;
}

type Says = 'hidden' | 'shown' | 'unknown';

function readValue(field: string, value: unknown, key: VisibilityKey, nowMs: number): Says {
  switch (key.kind) {
    case 'hides':
    case 'publishes': {
      // In some generators, `published: 2026-01-31` is a date.
      const timeMs = timeOf(value);
      if (timeMs !== null) return key.kind === 'publishes' && timeMs <= nowMs ? 'shown' : 'hidden';
      const flag = readFlag(value);
      if (flag === null) return key.isOnlyBoolean ? 'shown' : 'unknown';
      return flag === (key.kind === 'hides') ? 'hidden' : 'shown';
    }
    case 'state':
      return [value].flat().some((one) => hidingStates.has(wordsOf(one))) ? 'hidden' : 'shown';
    case 'from':
    case 'until': {
      const timeMs = timeOf(value);
      if (timeMs !== null) return timeMs > nowMs === (key.kind === 'from') ? 'hidden' : 'shown';
      // A text in other fields with dates says nothing about the page, unless it is a time to come.
      if (key.kind === 'from') return mayBeLater(value, nowMs) ? 'unknown' : 'shown';
      return isEmpty(value) || readFlag(value) === false || value === 'never' ? 'shown' : 'unknown';
    }
    case 'schedule': {
      if (isEmpty(value)) return 'shown';
      const timeMs = readMoment(value) ?? Number.NaN;
      if (Number.isNaN(timeMs)) return 'unknown';
      return timeMs > nowMs === (field === 'publishat') ? 'hidden' : 'shown';
    }
    case 'readers': {
      const isOpen =
        isEmpty(value) ||
        (Array.isArray(value) && value.length === 0) ||
        (typeof value === 'string' && everybody.has(value.trim().toLowerCase()));
      return isOpen ? 'shown' : 'hidden';
    }
    case 'generator':
      return typeof value === 'object' && value !== null ? 'unknown' : 'shown';
    case 'robots': {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      return /noindex|\bnone\b|"index":false|"noindex":true/i.test(text) ? 'hidden' : 'shown';
    }
  }
}

/** The words of a value without other characters: `🚧 Draft` → `draft`. */
function wordsOf(value: unknown): string {
  return String(value)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** A value that plainly says true or false, also as text, as in YAML 1.1; otherwise `null`. */
function readFlag(value: unknown): boolean | null {
  if (!['boolean', 'string', 'number'].includes(typeof value)) return null;
  const text = String(value).trim();
  if (/^(?:true|yes|on|y|1)$/i.test(text)) return true;
  return /^(?:false|no|off|n|0)$/i.test(text) ? false : null;
}

/** Whether a value in another form than `2026-01-31` may be a time to come: `2030-1-5`, `5.1.2030`, `Jan 5, 2030`, `2030`, `20300105`. */
function mayBeLater(value: unknown, nowMs: number): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const text = String(value).trim();
  const [, first, second, year] = /^(\d\d?)[./-](\d\d?)[./-](\d{4})/.exec(text) ?? [];
  const forms = [
    text,
    text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
    // Day and month may be in either order.
    ...(year === undefined ? [] : [`${year}/${first}/${second}`, `${year}/${second}/${first}`]),
  ];
  const thisYear = new Date(nowMs).getUTCFullYear();
  const years = [...text.matchAll(/(?<!\d)\d{4}(?!\d)/g)].map(Number);
  return forms.some((form) => Date.parse(form) > nowMs) || years.some((one) => one > thisYear);
}

function timeOf(value: unknown): number | null {
  const text = typeof value === 'string' ? value.trim() : '';
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return null;
  const ms = Date.parse(text.replace(' ', 'T'));
  return Number.isNaN(ms) ? Date.parse(`${text.slice(0, 10)}T00:00:00Z`) : ms;
}

import { decodeEntities } from '../../core/html.ts';
import { stripInvisible } from '../../core/invisible.ts';
import type { ProblemCode } from '../../core/problems.ts';
import type { UnknownRecord } from '../../core/unknown-record.ts';

/** Reports a problem; the caller adds the record. */
export type Report = (code: ProblemCode, message: string) => void;

/** One-line text (see `plainText`), or `null` if there is none. Numbers count as text. */
export function readText(record: UnknownRecord, field: string, report: Report): string | null {
  const value = readString(record, field, report);
  return value === null ? null : plainText(value) || null;
}

/** A string unchanged, or `null` if it is missing or blank. */
export function readString(record: UnknownRecord, field: string, report: Report): string | null {
  const value = record[field];
  if (typeof value === 'string') return /\S/.test(value) ? value : null;
  if (typeof value === 'number') return String(value);
  if (value !== undefined && value !== null) reportType(field, 'a string', value, report);
  return null;
}

export function readFlag(record: UnknownRecord, field: string, fallback: boolean, report: Report): boolean {
  const value = record[field];
  if (typeof value === 'boolean') return value;
  if (value !== undefined && value !== null) reportType(field, 'true or false', value, report);
  return fallback;
}

/** The first of some fields with a finite number, or `null`. */
export function readNumber(record: UnknownRecord, fields: readonly string[], report: Report): number | null {
  for (const field of fields) {
    const value = record[field];
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (value !== undefined && value !== null) reportType(field, 'a number', value, report);
  }
  return null;
}

const isoTime = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

const firstMs = Date.parse('0001-01-01T00:00:00Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

/** ISO 8601 in UTC, or `null`. A time without a zone counts as UTC, so that every machine reads the same time. */
export function readTime(record: UnknownRecord, field: string, report: Report): string | null {
  const value = record[field];
  if (value === undefined || value === null || value === '') return null;
  const match = typeof value === 'string' ? isoTime.exec(value.trim()) : null;
  if (match !== null) {
    const [text, zone = ''] = match;
    const local = text
      .slice(0, text.length - zone.length)
      .replace(' ', 'T')
      .replace(',', '.');
    const offset = zone.replace(
      /^([+-]\d\d):?(\d\d)?$/,
      (_zone, hours: string, minutes = '00') => `${hours}:${minutes}`,
    );
    const ms = Date.parse(local.length === 10 ? `${local}T00:00Z` : `${local}${offset.toUpperCase() || 'Z'}`);
    // JavaScript reads 30 February as 1 March, and accepts six-digit years, which feeds and sitemaps must not contain.
    const isDay = new Date(`${local.slice(0, 10)}T00:00Z`).getUTCDate() === Number(local.slice(8, 10));
    if (isDay && ms >= firstMs && ms <= lastMs) return new Date(ms).toISOString();
  }
  reportType(field, 'an ISO 8601 date', value, report);
  return null;
}

/** Distinct one-line texts of a list, in order. */
export function readTexts(record: UnknownRecord, field: string, report: Report): readonly string[] {
  const value = record[field];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    reportType(field, 'a list of strings', value, report);
    return [];
  }
  const texts = new Set<string>();
  for (const element of value as unknown[]) {
    if (typeof element === 'string' || typeof element === 'number') texts.add(plainText(String(element)));
    else report('FIELD_INVALID', `${field} must be a list of strings, but contains ${typeOf(element)}`);
  }
  texts.delete('');
  return [...texts];
}

/** The list in a field; other values are reported and read as empty. */
export function readList(record: UnknownRecord, field: string, report: Report): readonly unknown[] {
  const value = record[field];
  if (Array.isArray(value)) return value;
  if (value !== undefined && value !== null) reportType(field, 'a list', value, report);
  return [];
}

function reportType(field: string, expected: string, value: unknown, report: Report): void {
  report(
    'FIELD_INVALID',
    `${field} must be ${expected}, but is ${typeof value === 'string' ? 'another string' : typeOf(value)}`,
  );
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return value === null ? 'null' : `a value of type ${typeof value}`;
}

/** Control characters, line and paragraph separators, direction overrides, byte order marks, non-characters and half surrogate pairs. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\u202d\u202e\ufeff\ufff9-\uffff]+/gu;

/**
 * A one-line text of the API, ready to be shown: no control or invisible characters, and white space folded. Entities are decoded only if
 * the text is certainly escaped: it contains entities, and no character that escaping would have replaced. `''` if nothing is left.
 */
export function plainText(value: string): string {
  const decoded = isEscaped(value) ? decodeEntities(value) : value;
  const visible = stripInvisible(decoded.replaceAll(unprintable, ' '));
  return visible.replaceAll(/\s+/g, ' ').trim();
}

function isEscaped(value: string): boolean {
  return (
    value.includes('&') &&
    !/[<>]|&(?!(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)/.test(value)
  );
}

/**
 * Whether a text of a JSON value contains U+FFFD. A decoder puts it in the place of bytes that are not UTF-8: ours, or one that the text went
 * through earlier.
 */
export function hasDamagedText(value: unknown): boolean {
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string' && next.includes('\uFFFD')) return true;
    if (typeof next === 'object' && next !== null) open.push(...Object.values(next));
  }
  return false;
}

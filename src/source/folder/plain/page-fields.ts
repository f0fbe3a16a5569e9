import type { UnknownRecord } from '../../../core/unknown-record.ts';
import { readTime } from '../../normalise/fields.ts';

/** The first field that is a text or number, as text. */
export function textField(data: UnknownRecord, ...fields: readonly string[]): string | null {
  for (const field of fields) {
    const value = data[field];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return null;
}

/** Names of dates in front matter, the preferred one first: of the last edit, and of the publication. */
export const updatedFields = ['updated_at', 'updated', 'lastmod', 'lastUpdated', 'date'] as const;
export const createdFields = ['created_at', 'date', 'pubDate', 'publishDate'] as const;

/** The first field that is a date. */
export function dateField(data: UnknownRecord, ...fields: readonly string[]): string | null {
  return fields.map((field) => readDate(data, field)).find((date) => date !== null) ?? null;
}

function readDate(data: UnknownRecord, field: string): string | null {
  const text = textField(data, field);
  if (text === null || !/^\d{4}-\d\d-\d\d/.test(text)) return null;
  const date = isoDate(text);
  return readTime({ date }, 'date', () => {}) === null ? null : date;
}

function isoDate(text: string): string {
  // Ruby and YAML write `2026-01-31 09:30:00 +0100`.
  return text
    .replace(
      /^(\S{10}) +(\d\d?:\d\d)/,
      (_all, day: string, time: string) => `${day}T${time.padStart(5, '0')}`,
    )
    .replace(/ *([+-]\d\d):?(\d\d)$/, '$1:$2')
    .replace(/ *(?:UTC|GMT)$/, 'Z');
}

/** Position among siblings, under the names that it commonly has. */
export function orderField(data: UnknownRecord): number | null {
  const { sort_order, order, position, weight, nav_order, sidebar_position } = data;
  for (const value of [sort_order, order, position, weight, nav_order, sidebar_position])
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  return null;
}

/** Tags, or else keywords, as a list, as `a, b`, or as objects with a label. */
export function tagFields({ tags, keywords }: UnknownRecord): readonly string[] {
  const given = tags ?? keywords;
  const list: readonly unknown[] = Array.isArray(given)
    ? given.flat()
    : typeof given === 'string'
      ? given.split(',')
      : [];
  return list.flatMap((tag) => {
    const label = typeof tag === 'object' && tag !== null ? (tag as UnknownRecord).label : tag;
    return ['string', 'number', 'boolean'].includes(typeof label) ? [String(label).trim()] : [];
  });
}

/** Fields of front matter that pages can do without, what each must be, and whether it is. */
const optionalFields: readonly (readonly [
  fields: readonly string[],
  what: string,
  isRight: (value: unknown, data: UnknownRecord, field: string) => boolean,
])[] = [
  [
    [...new Set([...updatedFields, ...createdFields])],
    'a date such as 2025-02-28',
    // Generators take a setting for the date of the last change in version control.
    (value, data, field) => typeof value === 'boolean' || readDate(data, field) !== null,
  ],
  [
    ['title', 'description', 'summary', 'slug'],
    'a text',
    (_, data, field) => textField(data, field) !== null,
  ],
  [
    ['tags', 'keywords'],
    'a list of texts',
    (tags) => (Array.isArray(tags) && tags.length === 0) || tagFields({ tags }).length > 0,
  ],
  [
    ['sort_order', 'order', 'weight', 'nav_order', 'sidebar_position'],
    'a number',
    (value) => typeof value === 'number' && Number.isFinite(value),
  ],
];

/** Says which fields of the front matter of a page cannot be read, as their authors wrote them. The page is published without them. */
export function describeUnreadable(data: UnknownRecord): readonly string[] {
  return optionalFields.flatMap(([fields, what, isRight]) =>
    fields
      .filter(
        (field) =>
          ![undefined, null, ''].includes(data[field] as string) && !isRight(data[field], data, field),
      )
      .map(
        (field) =>
          `the value of "${field}:" in the front matter, ${JSON.stringify(data[field])?.slice(0, 60)}, is not ${what}`,
      ),
  );
}

import type { UnknownRecord } from '../../../core/unknown-record.ts';

/** The first field that is a text or number, as text. */
export function textField(data: UnknownRecord, ...fields: readonly string[]): string | null {
  for (const field of fields) {
    const value = data[field];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return null;
}

/** The first field that is a date. */
export function dateField(data: UnknownRecord, ...fields: readonly string[]): string | null {
  const text = textField(data, ...fields);
  if (text === null || !/^\d{4}-\d\d-\d\d/.test(text)) return null;
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

/** Tags as a list, as `a, b`, or as objects with a label. */
export function tagFields({ tags }: UnknownRecord): readonly string[] {
  const list: readonly unknown[] = Array.isArray(tags)
    ? tags
    : typeof tags === 'string'
      ? tags.split(',')
      : [];
  return list.flatMap((tag) => {
    const label = typeof tag === 'object' && tag !== null ? (tag as UnknownRecord).label : tag;
    return typeof label === 'string' || typeof label === 'number' ? [String(label).trim()] : [];
  });
}

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

/** The first field that is a date; `last_update: { date }` is Docusaurus's, `date: { created }` of Material's blog. */
export function dateField(data: UnknownRecord, ...fields: readonly string[]): string | null {
  const nested = { ...nestedDate(data, 'last_update', 'date'), ...nestedDate(data, 'date', 'created') };
  const text = textField({ ...data, ...nested }, ...fields);
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

function nestedDate(data: UnknownRecord, field: string, name: string): UnknownRecord {
  const value = data[field];
  const date = typeof value === 'object' && value !== null ? (value as UnknownRecord)[name] : undefined;
  return date === undefined ? {} : { [field]: date };
}

/** Position among siblings: `sidebar_position`, `weight` and others, `sidebar: { order }` of Starlight. */
export function orderField(data: UnknownRecord): number | null {
  const { sidebar } = data;
  const nested =
    typeof sidebar === 'object' && sidebar !== null ? (sidebar as UnknownRecord).order : undefined;
  for (const value of [
    data.sidebar_position,
    data.weight,
    nested,
    data.sort_order,
    data.nav_order,
    data.order,
    data.position,
    menuWeight(data.menus ?? data.menu),
  ]) {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  }
  return null;
}

/** The weight of a page in a menu of Hugo: `menus: { docs: { weight: 20 } }`. */
function menuWeight(menus: unknown): unknown {
  if (typeof menus !== 'object' || menus === null) return null;
  return Object.values(menus)
    .map((menu) => (typeof menu === 'object' && menu !== null ? (menu as UnknownRecord).weight : null))
    .find((weight) => typeof weight === 'number');
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

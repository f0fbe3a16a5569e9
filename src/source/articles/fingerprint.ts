import { hash } from 'node:crypto';
import { isRecord, type UnknownRecord } from '../normalise/fields.ts';

/** Everything that is published or decides about it, but bodies; what else a record holds may change at will (views). */
const recordFields = [
  'article_id',
  'title',
  'slug',
  'description',
  'category_id',
  'tags',
  'keywords',
  'is_published',
  'is_private',
  'permission_groups',
  'status',
  'created_at',
  'updated_at',
  'is_featured',
  'sort_order',
  'order',
  'show_toc',
  'version_number',
] as const;

const translationFields = ['language_code', 'title', 'slug', 'description', 'is_live', 'updated_at'] as const;

/** Hash of what a list says of an article, the same whether the list was asked for with bodies or without. */
export function fingerprintRecord(record: UnknownRecord): string {
  const { multilingual } = record;
  const translations: unknown = Array.isArray(multilingual)
    ? multilingual.map((element: unknown) => (isRecord(element) ? pick(element, translationFields) : element))
    : multilingual;
  return hash('sha256', JSON.stringify([pick(record, recordFields), translations ?? null])).slice(0, 32);
}

/** Values in the order of the fields: the order of a record's own fields says nothing. */
function pick(record: UnknownRecord, fields: readonly string[]): readonly unknown[] {
  return fields.map((field) => record[field] ?? null);
}

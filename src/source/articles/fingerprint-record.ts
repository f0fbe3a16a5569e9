import { hash } from 'node:crypto';
import { isRecord, type UnknownRecord } from '../../core/unknown-record.ts';
import { readLive } from '../normalise/visibility.ts';

/** Fields that are published or decide about publication, except bodies. Other fields, such as views, may change without effect. */
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
  'publish_at',
  'unpublish_at',
  'created_at',
  'updated_at',
  'is_featured',
  'sort_order',
  'order',
  'show_toc',
  'version_number',
] as const;

const translationFields = [
  'language_code',
  'title',
  'slug',
  'description',
  'publish_at',
  'unpublish_at',
  'updated_at',
] as const;

/** Hash of what a list says about an article. It is the same with and without bodies in the list. */
export function fingerprintRecord(record: UnknownRecord): string {
  const { multilingual } = record;
  const translations: unknown = Array.isArray(multilingual)
    ? multilingual.map((element: unknown) =>
        isRecord(element) ? [readLive(element), ...pick(element, translationFields)] : element,
      )
    : multilingual;
  return hash('sha256', JSON.stringify([pick(record, recordFields), translations ?? null])).slice(0, 32);
}

/** Values in the order of `fields`, whatever the order within the record. */
function pick(record: UnknownRecord, fields: readonly string[]): readonly unknown[] {
  return fields.map((field) => record[field] ?? null);
}

import { hash } from 'node:crypto';
import type { ArticleCreate, ArticleMultilingualChange, ArticleRecord } from '../core/api/article.ts';
import type { CategoryCreate, CategoryMultilingualChange, CategoryRecord } from '../core/api/category.ts';
import { isSameLanguage } from '../core/language.ts';
import type { UnknownRecord } from '../core/unknown-record.ts';
import type { RecordKind } from '../source/folder/record-ids.ts';

/** The fields of a record that are compared between two sides: those a push can set, with defaults filled in. */
export interface Comparable {
  readonly fields: UnknownRecord;
  /** Translations by language tag, without the record's own language, which only fills missing fields of the record. */
  readonly translations: Readonly<Record<string, UnknownRecord>>;
}

/** The records of a service by kind and id, which a push adds to. */
export interface ServiceRecords {
  readonly article: Map<string, ArticleRecord>;
  readonly category: Map<string, CategoryRecord>;
}

/** The comparable part of a record. A missing slug is `undefined`, because the service generates it. */
export function comparableOf(
  kind: RecordKind,
  record: ArticleRecord | ArticleCreate | CategoryRecord | CategoryCreate,
  ownLanguage: string,
): Comparable {
  return kind === 'article'
    ? comparableArticle(record as ArticleRecord, ownLanguage)
    : comparableCategory(record as CategoryRecord, ownLanguage);
}

function comparableArticle(article: ArticleRecord | ArticleCreate, ownLanguage: string): Comparable {
  return {
    fields: {
      category_id: article.category_id || null,
      ...textsOf(article),
      short_version: article.short_version ?? null,
      tags: [...new Set(article.tags ?? [])],
      is_published: article.is_published ?? false,
      is_private: article.is_private ?? false,
      permission_groups: article.permission_groups ?? null,
      publish_at: moment(article.publish_at),
      unpublish_at: moment(article.unpublish_at),
      is_featured: article.is_featured ?? false,
      show_toc: article.show_toc ?? true,
      sort_order: article.sort_order ?? null,
      body: article.body ?? '',
    },
    translations: byLanguage<ArticleMultilingualChange>(
      article.multilingual ?? [],
      ownLanguage,
      (element) => ({
        ...textsOf(element),
        body: element.body ?? null,
        is_live: element.is_live ?? true,
        publish_at: moment(element.publish_at),
        unpublish_at: moment(element.unpublish_at),
      }),
    ),
  };
}

/** The texts that records and translations of both kinds have. */
function textsOf({ title, slug, description }: SomeTexts) {
  return { title: title ?? null, slug: slug || undefined, description: description ?? null };
}

type SomeTexts = Partial<Pick<CategoryMultilingualChange, 'title' | 'slug' | 'description'>>;

/** A time as the service writes it, so that the same time in another zone is no difference. */
function moment(time: string | null | undefined): string | null {
  const ms = Date.parse(time ?? '');
  return Number.isNaN(ms) ? (time ?? null) : new Date(ms).toISOString();
}

function comparableCategory(category: CategoryRecord | CategoryCreate, ownLanguage: string): Comparable {
  return {
    fields: {
      ...textsOf(category),
      parent_category_id: category.parent_category_id || null,
      sort_order: category.sort_order ?? null,
      icon: category.icon ?? null,
    },
    translations: byLanguage<CategoryMultilingualChange>(category.multilingual ?? [], ownLanguage, textsOf),
  };
}

/** Language (`''`: the record itself) → field → hash of its value. A field without a value is absent. */
export type Fingerprint = Record<string, Record<string, string>>;

/** One short hash per field, so that later changes can be found without the old texts. */
export function hashFieldsOf({ fields, translations }: Comparable): Fingerprint {
  const entries = Object.entries(translations).map(([language, own]) => [language, hashFields(own)]);
  return { '': hashFields(fields), ...Object.fromEntries(entries) };
}

function hashFields(fields: UnknownRecord): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) =>
      value === null || value === undefined ? [] : [[field, hashValue(JSON.stringify(value))]],
    ),
  );
}

/** The hash of a value by its JSON text: short values such as `true` and `[]` unchanged, else 72 bits of SHA-256. */
function hashValue(json: string): string {
  return json.length <= 5 ? json : hash('sha256', json, 'base64url').slice(0, 12);
}

/** The local record with missing slugs copied from the remote record. */
export function copyMissingSlugs(local: Comparable, remote: Comparable): Comparable {
  return completeTexts(local, remote, (own, other) =>
    own.slug === undefined && other !== undefined ? { ...own, slug: other.slug } : own,
  );
}

/**
 * The local record with the fields that `complete` makes of its own and those of the remote record, and so for each translation.
 * @param complete its third argument is the language of a translation; `null`: that of the record
 */
export function completeTexts(
  local: Comparable,
  remote: Comparable,
  complete: (own: UnknownRecord, other: UnknownRecord | undefined, language: string | null) => UnknownRecord,
): Comparable {
  const translations = Object.entries(local.translations).map(
    ([language, own]) => [language, complete(own, remote.translations[language], language)] as const,
  );
  return {
    fields: complete(local.fields, remote.fields, null),
    translations: Object.fromEntries(translations),
  };
}

function byLanguage<T extends { readonly language_code: string; readonly is_deleted?: true | undefined }>(
  elements: readonly T[],
  ownLanguage: string,
  toFields: (element: T) => UnknownRecord,
): Comparable['translations'] {
  const sorted = elements
    .filter(({ language_code: code, is_deleted }) => !isSameLanguage(code, ownLanguage) && !is_deleted)
    .sort((a, b) => (a.language_code < b.language_code ? -1 : 1));
  return Object.fromEntries(sorted.map((element) => [element.language_code, toFields(element)]));
}

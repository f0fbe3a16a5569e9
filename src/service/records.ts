import { randomInt } from 'node:crypto';
import type {
  ArticleCreate,
  ArticleMultilingual,
  ArticleRecord,
  ArticleStatus,
  ArticleUpdate,
} from '../core/api/article.ts';
import type {
  CategoryCreate,
  CategoryMultilingual,
  CategoryRecord,
  CategoryUpdate,
} from '../core/api/category.ts';
import { limits } from '../core/api/record-text.ts';
import { languageKey } from '../core/language.ts';
import { slugify } from '../core/slug.ts';

/** An article as stored: with all bodies, without the URLs, which depend on settings of the service. */
export interface FullArticle extends Omit<ArticleRecord, 'url' | 'relative_url' | 'body' | 'multilingual'> {
  readonly body: string;
  readonly multilingual: ArticleMultilingual[];
}

/** Creates the record of a new article. Missing fields are empty, and it is a draft unless published explicitly. */
export function newArticle(input: ArticleCreate, origin: RecordOrigin): FullArticle {
  const createdAt = input.created_at === undefined ? origin.now : toMoment(input.created_at);
  return {
    article_id: origin.id,
    account_id: origin.accountId,
    category_id: input.category_id ?? null,
    title: input.title,
    slug: input.slug || slugify(input.title),
    description: input.description ?? null,
    short_version: input.short_version ?? null,
    tags: [...new Set(input.tags ?? [])],
    is_published: input.is_published ?? false,
    is_private: input.is_private ?? false,
    permission_groups: input.permission_groups ?? null,
    ...scheduleOf(input, none, ''),
    is_featured: input.is_featured ?? false,
    show_toc: input.show_toc ?? true,
    sort_order: input.sort_order ?? null,
    created_at: createdAt,
    updated_at: input.updated_at === undefined ? createdAt : toMoment(input.updated_at),
    body: input.body ?? '',
    multilingual: mergeArticleTranslations([], input.multilingual),
  };
}

/** Applies a partial update: only given fields change; `updated_at` always increases. */
export function applyArticleUpdate(current: FullArticle, change: ArticleUpdate, now: string): FullArticle {
  const title = change.title ?? current.title;
  return {
    article_id: current.article_id,
    account_id: current.account_id,
    category_id: sent(change.category_id, current.category_id),
    title,
    slug: change.slug === undefined ? current.slug : change.slug || slugify(title),
    description: sent(change.description, current.description),
    short_version: sent(change.short_version, current.short_version),
    tags: change.tags === undefined ? current.tags : [...new Set(change.tags)],
    is_published: sent(change.is_published, current.is_published),
    is_private: sent(change.is_private, current.is_private),
    permission_groups: sent(change.permission_groups, current.permission_groups),
    ...scheduleOf(change, current, ''),
    is_featured: sent(change.is_featured, current.is_featured),
    show_toc: sent(change.show_toc, current.show_toc),
    sort_order: sent(change.sort_order, current.sort_order),
    created_at: current.created_at,
    updated_at: laterThan(current.updated_at, now),
    body: sent(change.body, current.body),
    multilingual: mergeArticleTranslations(current.multilingual, change.multilingual),
  };
}

/** The status of an article, derived from two fields; its schedule is not considered. */
export function statusOf(article: Pick<FullArticle, 'is_published' | 'is_private'>) {
  if (!article.is_published) return 'draft';
  return article.is_private ? 'private' : 'published';
}

/**
 * The status of an article at a time: outside of its schedule, it is a draft.
 * @param now ISO 8601 in UTC with milliseconds
 */
export function statusAt(
  article: Pick<FullArticle, 'is_published' | 'is_private'> & Schedule,
  now: string,
): ArticleStatus {
  const { publish_at: from, unpublish_at: until } = article;
  return (from !== null && from > now) || (until !== null && until <= now) ? 'draft' : statusOf(article);
}

/** When an article or translation is public. Both times are ISO 8601 in UTC with milliseconds. */
interface Schedule {
  readonly publish_at: string | null;
  /** The first moment at which it is not public any more. */
  readonly unpublish_at: string | null;
}

const none: Schedule = { publish_at: null, unpublish_at: null };

/** A change would make a record that the API does not allow. Its code and message are those of the response. */
export class RecordInvalid extends Error {
  readonly code: 'invalid_field' | 'too_many_translations';

  constructor(code: RecordInvalid['code'], message: string) {
    super(message);
    this.name = 'RecordInvalid';
    this.code = code;
  }
}

function scheduleOf(
  change: { readonly [Field in keyof Schedule]?: string | null | undefined },
  current: Schedule,
  path: string,
): Schedule {
  const read = (sentTime: string | null | undefined, known: string | null): string | null =>
    sentTime === undefined ? known : sentTime && toMoment(sentTime);
  const from = read(change.publish_at, current.publish_at);
  const until = read(change.unpublish_at, current.unpublish_at);
  if (from !== null && until !== null && until <= from) {
    const message = `The field ${path}unpublish_at must be later than publish_at, ${from}.`;
    throw new RecordInvalid('invalid_field', message);
  }
  return { publish_at: from, unpublish_at: until };
}

/** A record as in lists, without bodies. */
export function withoutBodies(article: FullArticle) {
  const { body: _, multilingual, ...meta } = article;
  return { ...meta, multilingual: multilingual.map(({ body: _body, ...translation }) => translation) };
}

function mergeArticleTranslations(
  current: readonly ArticleMultilingual[],
  changes: ArticleUpdate['multilingual'],
): ArticleMultilingual[] {
  return mergeTranslations(current, changes, (before, change) => {
    const title = sent(change.title, before?.title ?? null);
    return {
      language_code: before?.language_code ?? change.language_code,
      title,
      slug: slugOf(change.slug, before?.slug ?? null, title),
      description: sent(change.description, before?.description ?? null),
      body: sent(change.body, before?.body ?? null),
      is_live: change.is_live ?? before?.is_live ?? true,
      ...scheduleOf(change, before ?? none, `multilingual.${change.language_code}.`),
    };
  });
}

/** Makes the record of a new category. */
export function newCategory(input: CategoryCreate, origin: RecordOrigin): CategoryRecord {
  const createdAt = input.created_at === undefined ? origin.now : toMoment(input.created_at);
  return {
    category_id: origin.id,
    account_id: origin.accountId,
    title: input.title,
    slug: input.slug || slugify(input.title),
    description: input.description ?? null,
    parent_category_id: input.parent_category_id ?? null,
    sort_order: input.sort_order ?? null,
    icon: input.icon ?? null,
    created_at: createdAt,
    updated_at: input.updated_at === undefined ? createdAt : toMoment(input.updated_at),
    multilingual: mergeCategoryTranslations([], input.multilingual),
  };
}

/** Applies a partial update: only given fields change; `updated_at` always increases. */
export function applyCategoryUpdate(
  current: CategoryRecord,
  change: CategoryUpdate,
  now: string,
): CategoryRecord {
  const title = change.title ?? current.title;
  return {
    category_id: current.category_id,
    account_id: current.account_id,
    title,
    slug: change.slug === undefined ? current.slug : change.slug || slugify(title),
    description: sent(change.description, current.description),
    parent_category_id: sent(change.parent_category_id, current.parent_category_id),
    sort_order: sent(change.sort_order, current.sort_order),
    icon: sent(change.icon, current.icon),
    created_at: current.created_at,
    updated_at: laterThan(current.updated_at, now),
    multilingual: mergeCategoryTranslations(current.multilingual, change.multilingual),
  };
}

function mergeCategoryTranslations(
  current: readonly CategoryMultilingual[],
  changes: CategoryUpdate['multilingual'],
): CategoryMultilingual[] {
  return mergeTranslations(current, changes, (before, change) => {
    const title = sent(change.title, before?.title ?? null);
    return {
      language_code: before?.language_code ?? change.language_code,
      title,
      description: sent(change.description ?? change.body, before?.description ?? null),
      slug: slugOf(change.slug, before?.slug ?? null, title),
    };
  });
}

interface Translation {
  readonly language_code: string;
}

/**
 * Applies the `multilingual` part of an update (rules 2 and 3 for partial updates in the interface document). Each element changes only its
 * language; a new language is added at the end; an element with `is_deleted` removes one. Languages are compared by {@link languageKey};
 * the spelling of an existing translation and the order do not change. Throws {@link RecordInvalid}.
 */
function mergeTranslations<
  T extends Translation,
  C extends Translation & { readonly is_deleted?: true | undefined },
>(
  current: readonly T[],
  changes: readonly C[] | undefined,
  merge: (before: T | undefined, change: C) => T,
): T[] {
  const byLanguage = new Map(current.map((element) => [languageKey(element.language_code), element]));
  for (const change of changes ?? []) {
    const language = languageKey(change.language_code);
    if (change.is_deleted) byLanguage.delete(language);
    else byLanguage.set(language, merge(byLanguage.get(language), change));
  }
  // A record created before this limit can still be changed.
  if (byLanguage.size > Math.max(limits.translations, current.length)) {
    const message = `A record may have at most ${limits.translations} translations.`;
    throw new RecordInvalid('too_many_translations', message);
  }
  return [...byLanguage.values()];
}

/** Converts an ISO 8601 date or time to the form in responses: UTC with milliseconds. */
function toMoment(timestamp: string): string {
  return new Date(timestamp).toISOString();
}

/** `now`, or one millisecond after `previous` if the clock has not advanced since then. */
function laterThan(previous: string, now: string): string {
  return now > previous ? now : new Date(Date.parse(previous) + 1).toISOString();
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A new id: ten letters or digits from a cryptographic random source (about 60 bits). */
export function makeId(): string {
  let id = '';
  for (let length = 0; length < 10; length++) id += alphabet.charAt(randomInt(alphabet.length));
  return id;
}

/** Fields of a new record that the service sets. */
interface RecordOrigin {
  readonly id: string;
  readonly accountId: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly now: string;
}

/** Slug of a translation: the new one, else the current one, else one made from the title. */
function slugOf(change: string | null | undefined, before: string | null, title: string | null) {
  if (change) return change;
  if (change === undefined && before !== null) return before;
  return title === null ? null : slugify(title);
}

/** The new value, else the current one. `null` is a value, `undefined` means not given. */
function sent<T>(change: T | undefined, current: T): T {
  return change === undefined ? current : change;
}

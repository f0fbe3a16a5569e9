import type { Article, ArticleCreate, ArticleMultilingual, ArticleUpdate } from '../../api/article.ts';
import { makeSlug } from './make-slug.ts';
import { mergeTranslations } from './merge-translations.ts';
import { laterThan, toMoment } from './moment.ts';

/** An article as it is stored: whole, and without the addresses that depend on where the service runs. */
export interface StoredArticle extends Omit<Article, 'url' | 'relative_url' | 'body' | 'multilingual'> {
  readonly body: string;
  readonly multilingual: ArticleMultilingual[];
}

/** What the service itself gives a new record. */
export interface RecordOrigin {
  readonly id: string;
  readonly accountId: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly now: string;
}

/** Makes the record of a new article: everything that is not said is empty, and nothing is public unless it says so. */
export function newArticle(input: ArticleCreate, origin: RecordOrigin): StoredArticle {
  const createdAt = input.created_at === undefined ? origin.now : toMoment(input.created_at);
  return {
    article_id: origin.id,
    account_id: origin.accountId,
    category_id: input.category_id ?? null,
    title: input.title,
    slug: input.slug || makeSlug(input.title),
    description: input.description ?? null,
    short_version: input.short_version ?? null,
    tags: [...new Set(input.tags ?? [])],
    is_published: input.is_published ?? false,
    is_private: input.is_private ?? false,
    permission_groups: input.permission_groups ?? null,
    is_featured: input.is_featured ?? false,
    show_toc: input.show_toc ?? true,
    sort_order: input.sort_order ?? null,
    created_at: createdAt,
    updated_at: input.updated_at === undefined ? createdAt : toMoment(input.updated_at),
    body: input.body ?? '',
    multilingual: mergeArticleTranslations([], input.multilingual),
  };
}

/** Applies a partial update: only what is sent changes; `updated_at` always moves forward. */
export function updateArticle(current: StoredArticle, change: ArticleUpdate, now: string): StoredArticle {
  const title = change.title ?? current.title;
  return {
    article_id: current.article_id,
    account_id: current.account_id,
    category_id: sent(change.category_id, current.category_id),
    title,
    slug: change.slug === undefined ? current.slug : change.slug || makeSlug(title),
    description: sent(change.description, current.description),
    short_version: sent(change.short_version, current.short_version),
    tags: change.tags === undefined ? current.tags : [...new Set(change.tags)],
    is_published: sent(change.is_published, current.is_published),
    is_private: sent(change.is_private, current.is_private),
    permission_groups: sent(change.permission_groups, current.permission_groups),
    is_featured: sent(change.is_featured, current.is_featured),
    show_toc: sent(change.show_toc, current.show_toc),
    sort_order: sent(change.sort_order, current.sort_order),
    created_at: current.created_at,
    updated_at: laterThan(current.updated_at, now),
    body: sent(change.body, current.body),
    multilingual: mergeArticleTranslations(current.multilingual, change.multilingual),
  };
}

/** The status of an article, which no record carries: it follows from two fields. */
export function statusOf(article: Pick<StoredArticle, 'is_published' | 'is_private'>) {
  if (!article.is_published) return 'draft';
  return article.is_private ? 'private' : 'published';
}

function mergeArticleTranslations(
  current: readonly ArticleMultilingual[],
  changes: ArticleUpdate['multilingual'],
): ArticleMultilingual[] {
  return mergeTranslations(current, changes, (before, change) => {
    const title = sent(change.title, before?.title ?? null);
    return {
      language_code: change.language_code,
      title,
      slug: slugOf(change.slug, before?.slug ?? null, title),
      description: sent(change.description, before?.description ?? null),
      body: sent(change.body, before?.body ?? null),
      is_live: change.is_live ?? before?.is_live ?? true,
    };
  });
}

/** A translation's slug: as sent, else as it was, else made from the title. */
export function slugOf(change: string | null | undefined, before: string | null, title: string | null) {
  if (change) return change;
  if (change === undefined && before !== null) return before;
  return title === null ? null : makeSlug(title);
}

/** The value that is sent, else the one that is there. `null` is a value, `undefined` is none. */
export function sent<T>(change: T | undefined, current: T): T {
  return change === undefined ? current : change;
}

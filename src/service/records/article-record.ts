import type { Article, ArticleCreate, ArticleMultilingual, ArticleUpdate } from '../../api/article.ts';
import { slugify } from '../../foundation/slug.ts';
import { laterThan, mergeTranslations, type RecordOrigin, sent, slugOf, toMoment } from './record-rules.ts';

/** An article as it is stored: with all bodies, without the URLs, which depend on settings of the service. */
export interface FullArticle extends Omit<Article, 'url' | 'relative_url' | 'body' | 'multilingual'> {
  readonly body: string;
  readonly multilingual: ArticleMultilingual[];
}

/** The record of a new article: absent fields are empty, and it is a draft unless it is published explicitly. */
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
    is_featured: sent(change.is_featured, current.is_featured),
    show_toc: sent(change.show_toc, current.show_toc),
    sort_order: sent(change.sort_order, current.sort_order),
    created_at: current.created_at,
    updated_at: laterThan(current.updated_at, now),
    body: sent(change.body, current.body),
    multilingual: mergeArticleTranslations(current.multilingual, change.multilingual),
  };
}

/** The status of an article, from two fields. */
export function statusOf(article: Pick<FullArticle, 'is_published' | 'is_private'>) {
  if (!article.is_published) return 'draft';
  return article.is_private ? 'private' : 'published';
}

/** A record as lists give it. */
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
    };
  });
}

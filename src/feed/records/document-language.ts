import type { LanguageTag } from '../../foundation/model.ts';

/** The pages of every article that is published, the language it was written in first: a plan, or a part of one. */
export interface PublishedArticles {
  get(id: string): { readonly pages: PublishedPages } | undefined;
}

type PublishedPages = Pick<ReadonlyMap<LanguageTag, { readonly language: LanguageTag }>, 'get' | 'values'>;

/**
 * In which language readers of `readerLanguage` get an article: theirs, where it has it, or else the one it was written in.
 * `null`: it is not published.
 */
export function documentLanguage(
  articles: PublishedArticles,
  articleId: string,
  readerLanguage: LanguageTag,
): LanguageTag | null {
  const pages = articles.get(articleId)?.pages;
  const page = pages?.get(readerLanguage) ?? pages?.values().next().value;
  return page?.language ?? null;
}

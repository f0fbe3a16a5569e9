import { hash } from 'node:crypto';
import type { LinkResolution } from '../content/document.ts';
import type { LanguageTag } from '../model.ts';
import type { ArticleTask, PreparedArticle, PrepareSettings } from './prepare-article.ts';

/** Names everything an article is prepared from, but for where its links lead. */
export function cacheKey(
  { id, pages, media }: ArticleTask,
  { hosts, policy, chunks }: Pick<PrepareSettings, 'hosts' | 'policy' | 'chunks'>,
): string {
  const bodies = pages.map(({ language, title, body, search }) => [
    language,
    title,
    hash('sha256', body),
    search,
  ]);
  return hash('sha256', JSON.stringify([id, bodies, [...media], hosts, policy, chunks]));
}

/** Whether every link of a remembered article still leads where it led. */
export function leadsTheSame(
  { resolutions }: PreparedArticle,
  resolverFor: (language: LanguageTag) => (href: string) => LinkResolution,
): boolean {
  return resolutions.every(
    ({ language, href, resolution }) => JSON.stringify(resolverFor(language)(href)) === resolution,
  );
}

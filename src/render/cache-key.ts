import { hash } from 'node:crypto';
import type { LinkResolution } from '../content/document.ts';
import type { LanguageTag } from '../model.ts';
import type { ArticleHead } from '../site/describe-article.ts';
import type { ArticleOutline } from './article-task.ts';
import type { RenderSettings } from './make-article.ts';
import type { LinkRecord } from './make-documents.ts';

/** Names everything an article is made from, but for where its links lead and for what is re-hosted. */
export type CacheKey = (outline: ArticleOutline) => string;

/** @param others everything else that what is published depends on */
export function createCacheKey(settings: RenderSettings, others: unknown): CacheKey {
  const { hosts, policy, chunks, theme } = settings;
  const languages = [...theme.languages];
  const locales = [...theme.locales];
  const shared = hash(
    'sha256',
    JSON.stringify([others, hosts, policy, chunks, { ...theme, languages, locales }]),
  );
  return (outline) => hash('sha256', shared + JSON.stringify(withoutTrees(outline)));
}

/** The outline with the hash of a tree in place of the tree: some kilobytes that many pages share. */
function withoutTrees({ id, pages }: ArticleOutline): unknown {
  const bare = (head: ArticleHead) => {
    const { shared, currentHref } = head.frame.tree;
    return { ...head, frame: { ...head.frame, tree: [shared.sha256, currentHref] } };
  };
  return { id, pages: pages.map((page) => ({ ...page, heads: page.heads.map(bare) })) };
}

/** Whether every link of a remembered article still leads where it led. */
export function leadsTheSame(
  resolutions: readonly LinkRecord[],
  resolverFor: (language: LanguageTag) => (href: string) => LinkResolution,
): boolean {
  return resolutions.every(
    ({ language, href, resolution }) => JSON.stringify(resolverFor(language)(href)) === resolution,
  );
}

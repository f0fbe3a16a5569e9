import { hash } from 'node:crypto';
import type { LinkResolution } from '../content/document.ts';
import type { LanguageTag } from '../core/model.ts';
import type { MediaTable } from '../site/media/media-table.ts';
import type { ArticleMetadata } from '../site/pages/describe-article.ts';
import type { PlannedArticle } from '../site/plan/plan.ts';
import type { ArticleInput, LinkDependencies } from './rendered-article.ts';

/**
 * The build key of an article: a hash of everything its pages show. An article with the same key has the same pages and texts.
 * @param settings hash of program, settings and templates (`hashInputs`)
 * @param links hash of the targets of its links ({@link hashLinks})
 */
export function buildKey(settings: string, input: ArticleInput, links: string): string {
  return hash('sha256', `${settings} ${links} ${JSON.stringify(withoutTrees(input))}`);
}

/** Hash of the data of an article that only its own pages show, or that do not affect other pages' keys: its bodies and edit dates. */
export function hashArticle({ id, updatedAt, pages }: PlannedArticle): string {
  const versions = Array.from(pages.values(), (page) => [page.updatedAt, page.bodyHash]);
  return hash('sha256', [id, updatedAt, ...versions.flat()].join(' '));
}

/** SHA-256 of the current link targets, and of which names are hidden. */
export function hashLinks(
  { hrefs, names }: Omit<LinkDependencies, 'hash'>,
  resolverFor: (language: LanguageTag) => (href: string) => LinkResolution,
  isHidden: (name: string) => boolean,
): string {
  const resolutions = hrefs.map(([language, href]) => JSON.stringify(resolverFor(language)(href)));
  return hashResolutions(resolutions, names.filter(isHidden));
}

/** The same hash, from link targets as JSON and the hidden names. */
export function hashResolutions(resolutions: readonly string[], hidden: readonly string[]): string {
  return hash('sha256', [...resolutions, ...hidden].join('\n'));
}

/** SHA-256 of the copies of an article's media from other servers. Excludes the reason of a refusal, which no page shows. */
export function hashMedia(table: MediaTable | null): string {
  const remote = [...(table ?? [])]
    .filter(([key]) => !key.startsWith('data:'))
    .map(([key, media]) => [key, media.kind === 'refused' ? media.kind : media] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify(remote));
}

/** Replaces trees by their hashes: a tree has several kilobytes, and many pages share it. */
function withoutTrees({ id, pages }: ArticleInput): unknown {
  const bare = (head: ArticleMetadata) => ({
    ...head,
    chrome: { ...head.chrome, tree: head.chrome.tree.sha256 },
  });
  return {
    id,
    // The version depends only on the bodies, on the dates and on the continued feed.
    pages: pages.map(({ version: _, ...page }) => ({ ...page, heads: page.heads.map(bare) })),
  };
}

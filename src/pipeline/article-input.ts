import { type DocumentState, versionOfPage } from '../feed/history/track-changes.ts';
import { makeDocumentMeta, type SharedTexts, sharedBlocks } from '../feed/records/document-meta.ts';
import { documentId } from '../feed/records/record-schemas.ts';
import type { Site } from '../site/pages/site.ts';
import { twinAddress } from '../site/plan/page-url.ts';
import type { Plan, PlannedArticle } from '../site/plan/plan.ts';
import type { ArticleInput } from './rendered-article.ts';

/** Describes everything the pages of an article show, except the bodies and which versions they are. Pure. */
export function makeArticleInput(
  plan: Plan,
  site: Pick<Site, 'describeArticle' | 'searchMetadata'> | null,
  shared: SharedTexts,
  article: PlannedArticle,
): ArticleInput {
  const { id } = article;
  return {
    id,
    pages: Array.from(article.pages.values(), (page) => {
      const { language, bodyHash } = page;
      return {
        language,
        bodyHash,
        twinPath: twinAddress(plan, page).path,
        search: site?.searchMetadata(id, language) ?? null,
        feed: makeDocumentMeta(plan, article, page, shared),
        version: {},
        sharedBlocks: sharedBlocks(shared, page),
        heads: site?.describeArticle(id, language) ?? [],
      };
    }),
  };
}

/**
 * Adds which version each page is, according to the bodies and the previous feed. Pure.
 * @param previous documents of the previous feed, by document id; `null` if there is none
 */
export function addVersions(
  article: PlannedArticle,
  input: ArticleInput,
  previous: ReadonlyMap<string, DocumentState> | null,
): ArticleInput {
  return {
    ...input,
    pages: input.pages.map((page) => {
      const before = previous === null ? null : previous.get(documentId(input.id, page.language));
      return { ...page, version: versionOfPage(article, page.language, before) };
    }),
  };
}

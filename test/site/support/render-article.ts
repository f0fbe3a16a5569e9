import type { Document } from '../../../src/content/document.ts';
import type { LanguageTag } from '../../../src/core/model.ts';
import type { RenderedFile } from '../../../src/site/pages/assets.ts';
import { createArticleRenderer } from '../../../src/site/pages/render-article.ts';
import type { Site } from '../../../src/site/pages/site.ts';

/** All pages that show this translation: its own first, then pages with a notice. */
export function renderPages(
  site: Site,
  id: string,
  language: LanguageTag,
  document: Document,
): readonly RenderedFile[] {
  const render = createArticleRenderer(site.theme);
  // Cloned, as for a thread.
  const heads = structuredClone(site.describeArticle(id, language));
  return heads.map((head) => render(head, document));
}

/** The page of an article in a language it is translated into. */
export function renderArticle(
  site: Site,
  id: string,
  language: LanguageTag,
  document: Document,
): RenderedFile {
  const [page] = renderPages(site, id, language, document);
  if (page === undefined) throw new Error(`${id} has no page in ${language}`);
  return page;
}

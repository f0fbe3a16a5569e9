import { hash } from 'node:crypto';
import { describeAnchors } from '../anchor-check.ts';
import type { ChunkSettings } from '../feed/chunk-settings.ts';
import { documentLanguage } from '../feed/document-language.ts';
import type { FeedEntry } from '../feed/feed-entry.ts';
import { createEntryMaker } from '../feed/make-feed-entry.ts';
import { loadTokenCounter } from '../feed/tokens.ts';
import { type MediaTable, mediaAddresses } from '../media/media-table.ts';
import { type ArticleTheme, createArticleRenderer } from '../site/render-article.ts';
import { createSearchEntryMaker } from '../site/search/search-entry.ts';
import { loadTokens } from '../site/search/tokens.ts';
import type { MadeFile, PageFacts } from './article-facts.ts';
import type { ArticleTask } from './article-task.ts';
import { type LinkTable, openLinkTable } from './link-table.ts';
import { createDocumentMaker, type DocumentSettings } from './make-documents.ts';
import { packArticle } from './packed-article.ts';
import { createTextBlock } from './text-block.ts';

/** The same for all articles of a run. Plain data: every thread gets it. */
export interface RenderSettings extends Omit<DocumentSettings, 'links'> {
  readonly links: LinkTable;
  readonly chunks: ChunkSettings;
  readonly theme: ArticleTheme;
  /** Folder of the built-in theme, where the search's tokenizer lies. */
  readonly templates: string;
}

/** The texts of a page in the feed, in the order they are packed. */
export const feedTexts = [
  'document',
  'chunks',
  'sourceJson',
  'sourceText',
  'fullText',
] as const satisfies readonly (keyof FeedEntry)[];

/** Makes everything that is published of one article alone, packed. Pure: in whatever thread, the same. */
export type MakeArticle = (task: ArticleTask) => Uint8Array;

/** Loads what it takes (parser, tokenizers, templates), once per thread. */
export async function createArticleMaker(settings: RenderSettings): Promise<MakeArticle> {
  const links = openLinkTable(settings.links);
  const makeDocuments = createDocumentMaker({ ...settings, links });
  const renderPage = createArticleRenderer(settings.theme);
  const makeSearchEntry = createSearchEntryMaker(await loadTokens(settings.templates));
  const makeEntry = createEntryMaker({
    chunks: settings.chunks,
    countTokens: await loadTokenCounter(),
    documentLanguage: (articleId, reader) => documentLanguage(links.articles, articleId, reader),
  });
  const texts = createTextBlock();
  return ({ id, pages, bodies, media }) => {
    const { documents, resolutions } = makeDocuments({
      bodies: pages.map(({ language }, at) => [language, bodies[at] ?? '']),
      media,
    });
    texts.clear();
    const file = (path: string, content: string | Uint8Array): MadeFile => {
      return { path, sha256: hash('sha256', texts.add(content)) };
    };
    const facts = documents.map((document, at): PageFacts => {
      const page = pages[at];
      if (page === undefined) throw new Error(`${id} has more documents than pages`);
      const entry = makeEntry(page.feed, document);
      const files = page.heads.map((head) => {
        const { path, content } = renderPage(head, document);
        return file(path, content);
      });
      files.push(file(page.twinPath, entry.twin));
      for (const name of feedTexts) texts.add(entry[name]);
      return {
        language: page.language,
        files,
        feed: entry.facts,
        search: makeSearchEntry(page.search, document),
        anchors: describeAnchors(document),
        media: mediaAddresses(document),
        problems: document.problems,
      };
    });
    return packArticle({ id, pages: facts, resolutions, media: writeMediaTable(media) }, texts);
  };
}

/** A media table in one string, to be compared. */
export function writeMediaTable(media: MediaTable | null): string | null {
  return media === null ? null : JSON.stringify([...media]);
}

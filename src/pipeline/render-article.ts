import { hash } from 'node:crypto';
import { serialize } from 'node:v8';
import type { Document } from '../content/document.ts';
import { introductionOf } from '../content/introduction.ts';
import { once } from '../core/concurrency.ts';
import * as searchTokens from '../core/search/language-words.ts';
import type { ChunkSettings } from '../feed/chunks/split-sections.ts';
import type { DocumentState } from '../feed/history/track-changes.ts';
import { createEntryMaker } from '../feed/records/make-feed-entry.ts';
import { loadTokenCounter } from '../feed/tokens/count-tokens.ts';
import { keepAside } from '../output/aside.ts';
import { openWorkspace, type Workspace, type WorkspaceOutput } from '../output/staging.ts';
import { describeAnchors } from '../site/links/anchors.ts';
import { countImageHosts } from '../site/media/image-hosts.ts';
import { mediaAddresses } from '../site/media/media-table.ts';
import { diagramLibrary } from '../site/pages/read-assets.ts';
import { type ArticleTheme, createArticleRenderer } from '../site/pages/render-article.ts';
import type { SiteView } from '../site/pages/views.ts';
import {
  createSearchEntryMaker,
  type SearchEntry,
  type SearchMetadata,
} from '../site/search/search-entry.ts';
import { hashResolutions } from './build-key.ts';
import { createDocumentMaker, type DocumentSettings, type LinkRecord } from './make-documents.ts';
import type {
  ArticleTask,
  PageInput,
  RenderedArticle,
  RenderedPage,
  RenderResult,
  RenderTask,
} from './rendered-article.ts';

/** Settings of all articles of a run. Plain data: every thread gets it. */
export interface RenderSettings extends DocumentSettings {
  readonly chunks: ChunkSettings;
  /** `null`: no page is rendered. */
  readonly theme: ArticleTheme | null;
  readonly workspace: Workspace;
}

/** Renders articles and writes their pages to the staging folder. The result is the same in every thread. */
export type RenderArticles = (task: RenderTask) => Promise<RenderResult>;

/** Loads parser, tokenizers and templates, once per thread. */
export async function createArticlesRenderer(settings: RenderSettings): Promise<RenderArticles> {
  const makeDocuments = createDocumentMaker(settings);
  const { theme } = settings;
  const renderPage = theme === null ? renderNothing : createArticleRenderer(theme);
  const makeSearchEntry = createSearchEntryMaker(searchTokens);
  const makeEntry = createEntryMaker({
    chunks: settings.chunks,
    countTokens: await loadTokenCounter(),
  });

  async function renderArticle(
    { id, pages: inputs, bodies, media: table }: ArticleTask,
    { write }: Pick<WorkspaceOutput, 'write'>,
  ): Promise<RenderedArticle> {
    const made = makeDocuments({
      bodies: inputs.map(({ language, feed }, at) => [language, bodies[at] ?? '', feed.url]),
      media: table,
    });
    const links = new Map<string, LinkRecord>();
    for (const link of made.resolutions) links.set(`${link.language} ${link.href}`, link);
    const pages: RenderedPage[] = [];
    const states: DocumentState[] = [];
    const texts: Uint8Array[] = [];
    const searchEntries: Uint8Array[] = [];
    for (const [at, document] of made.documents.entries()) {
      const { language, heads, twinPath, feed, version, search, sharedBlocks } = inputs[at] as PageInput;
      const { many, most } = sharedBlocks;
      const introduction = once(() => introductionOf(document, '', many));
      const introduce = (repeated: string) =>
        repeated === '' ? introduction() : introductionOf(document, repeated, many);
      const files: string[] = [];
      for (const head of heads) {
        const { path, content } = renderPage(head, document, introduce);
        write(path, content);
        files.push(path);
      }
      const { facts, twin, encoded } = makeEntry({ ...feed, ...version }, document, most, introduction);
      write(twinPath, twin);
      files.push(twinPath);
      const searchEntry = search === null ? null : makeSearchEntry(search, document, language);
      const problems = [
        ...document.problems,
        ...facts.flags.map(({ rule, excerpt }) => ({
          code: 'INJECTION_SUSPECTED' as const,
          message: `has a sign of a prompt injection (${rule}): "${excerpt}"`,
        })),
        ...(theme === null ? [] : describeDiagrams(document, theme.languages.get(language)?.site)),
      ];
      const { state, description, chunks, tokens } = facts;
      pages.push({
        ...{ articleId: id, language, chunks, tokens },
        hash: state.hash,
        bytes: encoded.bytes,
        files,
        anchors: describeAnchors(document),
        description,
        imageHosts: countImageHosts(document),
        problems,
        searchHash: searchEntry === null || search === null ? '' : hashSearch(searchEntry, search, document),
      });
      states.push(state);
      texts.push(encoded.joined);
      if (searchEntry !== null) searchEntries.push(serialize(searchEntry));
    }
    const kept = keepAside(settings.workspace, [...texts, ...searchEntries]);
    return {
      id,
      pages,
      documents: states,
      texts: kept.slice(0, texts.length),
      search: kept.slice(texts.length),
      links: {
        hrefs: [...links.values()].map(({ language, href }) => [language, href]),
        names: made.names,
        hash: hashResolutions(
          [...links.values()].map(({ resolution }) => resolution),
          made.hiddenNames,
        ),
      },
      linked: [...links.values()].flatMap(({ articleId }) => articleId ?? []),
      media: made.documents.map(mediaAddresses),
    };
  }

  return async ({ articles, previousFiles }) => {
    const output = openWorkspace(settings.workspace, previousFiles);
    const rendered: RenderedArticle[] = [];
    for (const article of articles) rendered.push(await renderArticle(article, output));
    return { articles: rendered, files: [...output.files()] };
  };
}

/** For articles without `heads`. */
function renderNothing(): never {
  throw new Error('a page is rendered, and there is no theme');
}

/** Reports Mermaid blocks on a site that cannot draw them. */
function describeDiagrams({ markdown }: Document, site: SiteView | undefined): RenderedPage['problems'] {
  if (site?.assets[diagramLibrary] !== undefined || !markdown.includes('```mermaid')) return [];
  if (!/^\s*(?:>\s*)*`{3,}mermaid$/m.test(markdown)) return [];
  return [{ code: 'DIAGRAM_AS_CODE', message: 'a Mermaid diagram is shown as its source' }];
}

/** Hashes what an entry is made of: its terms are those of the title, the tags, the headings and the text. */
function hashSearch(
  { article, lengths, topCategory }: SearchEntry,
  { tags }: SearchMetadata,
  { text }: Document,
): string {
  return hash('sha256', [article, lengths, topCategory, ...tags, text].join('\0'));
}

import type { ContentPolicy, ContentSettings, Document, LinkResolution } from '../content/document.ts';
import { transform } from '../content/transform.ts';
import type { ChunkSettings } from '../feed/chunk-settings.ts';
import { contentBase, createLinkResolver } from '../links.ts';
import { type MediaTable, resolveFile, resolveImage } from '../media/media-table.ts';
import type { ExclusionReason, LanguageTag } from '../model.ts';
import { makeSearchEntry, type SearchEntry, type SearchHead } from '../site/search/search-entry.ts';
import { loadTokens } from '../site/search/tokens.ts';
import { type LinkTable, openLinkTable } from './link-table.ts';

/** One article on its way through the content stage. Plain data: it may cross a thread. */
export interface ArticleTask {
  readonly id: string;
  /** The source language first, so that its heading ids are known to the translations. */
  readonly pages: readonly PageTask[];
  /** Images and files of the bodies that are re-hosted. */
  readonly media: MediaTable;
}

export interface PageTask {
  readonly language: LanguageTag;
  readonly title: string;
  /** HTML as the author wrote it. */
  readonly body: string;
  readonly search: SearchHead;
}

/** What one parse of every body of an article gives to site, search and feed. */
export interface PreparedArticle {
  readonly id: string;
  readonly pages: readonly PreparedPage[];
  /** Where its links were found to lead; as long as that holds, the rest does. */
  readonly resolutions: readonly LinkRecord[];
}

/** One answer of the link resolver. */
export interface LinkRecord {
  readonly language: LanguageTag;
  /** As it was asked for. */
  readonly href: string;
  /** The `LinkResolution`, as JSON. */
  readonly resolution: string;
}

export interface PreparedPage {
  readonly language: LanguageTag;
  readonly document: Document;
  readonly search: SearchEntry;
}

/** The same for all articles of a run. Plain data. */
export interface PrepareSettings {
  readonly links: LinkTable;
  /** Origins the help centre is known under. */
  readonly hosts: readonly string[];
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
  readonly policy: ContentPolicy;
  readonly chunks: ChunkSettings;
  /** Folder of the built-in theme, where the search's tokenizer lies. */
  readonly templates: string;
}

/** Pure: the same task gives the same result, in whatever thread. */
export type PrepareArticle = (task: ArticleTask) => PreparedArticle;

/** Loads what preparing needs (parser, tokenizers), once per thread. */
export async function createPreparer(settings: PrepareSettings): Promise<PrepareArticle> {
  const { hosts, excluded, policy } = settings;
  const tokens = await loadTokens(settings.templates);
  const resolverFor = createLinkResolver(openLinkTable(settings.links), { hosts, excluded });
  const shared = { baseUrl: contentBase(hosts), policy };
  return ({ id, pages, media }) => {
    let sourceHeadingIds: readonly string[] | null = null;
    const resolutions: LinkRecord[] = [];
    const prepared = pages.map(({ language, body, search }): PreparedPage => {
      const content: ContentSettings = {
        ...shared,
        language,
        resolveLink: withFiles(recorded(language, resolverFor(language), resolutions), media, shared.baseUrl),
        resolveImage: (src) => resolveImage(media, src),
        sourceHeadingIds,
      };
      const document = transform(body, content);
      sourceHeadingIds ??= document.headings.map((heading) => heading.id);
      return {
        language,
        document,
        search: makeSearchEntry(tokens, search, document),
      };
    });
    return { id, pages: prepared, resolutions };
  };
}

function recorded(
  language: LanguageTag,
  resolveLink: (href: string) => LinkResolution,
  resolutions: LinkRecord[],
): (href: string) => LinkResolution {
  return (href) => {
    const resolution = resolveLink(href);
    resolutions.push({ language, href, resolution: JSON.stringify(resolution) });
    return resolution;
  };
}

/** Leads links to re-hosted files to their copies. */
function withFiles(
  resolveLink: (href: string) => LinkResolution,
  media: MediaTable,
  baseUrl: string,
): (href: string) => LinkResolution {
  return (href) => {
    const resolution = resolveLink(href);
    return resolution.kind === 'external' ? (resolveFile(media, href, baseUrl) ?? resolution) : resolution;
  };
}

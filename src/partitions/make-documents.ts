import type { ContentPolicy, ContentSettings, Document, LinkResolution } from '../content/document.ts';
import { transform } from '../content/transform.ts';
import type { LanguageTag } from '../foundation/model.ts';
import {
  contentBase,
  createLinkResolver,
  type LinkSettings,
  type LinkTargets,
} from '../links/resolve-links.ts';
import { type MediaTable, resolveFile, resolveImage } from '../media/media-table.ts';

/** Settings for reading the bodies of all articles. Plain data, except for the link targets. */
export interface DocumentSettings extends LinkSettings {
  readonly links: LinkTargets;
  readonly policy: ContentPolicy;
}

/** The bodies of one article, the source language first, with their copied media (`null`: none). */
export interface ArticleText {
  readonly bodies: readonly (readonly [language: LanguageTag, html: string])[];
  readonly media: MediaTable | null;
}

/** One result of the link resolver. */
export interface LinkRecord {
  readonly language: LanguageTag;
  /** The URL as passed to the resolver. */
  readonly href: string;
  /** The `LinkResolution`, as JSON. */
  readonly resolution: string;
}

/** Result of the content stage for one article. */
export interface ArticleDocuments {
  /** In the order of the bodies. */
  readonly documents: readonly Document[];
  /** Targets of its links, except links to other sites, which do not depend on the plan. */
  readonly resolutions: readonly LinkRecord[];
}

/** Creates the function that makes the documents of one article; headings of translations get the ids of the source language's. Pure. */
export function createDocumentMaker({
  links,
  policy,
  ...linkSettings
}: DocumentSettings): (text: ArticleText) => ArticleDocuments {
  const resolverFor = createLinkResolver(links, linkSettings);
  const baseUrl = contentBase(linkSettings.hosts);
  return ({ bodies, media: table }) => {
    const media = table ?? noMedia;
    let sourceHeadingIds: readonly string[] | null = null;
    const resolutions: LinkRecord[] = [];
    const documents = bodies.map(([language, body]) => {
      const settings: ContentSettings = {
        baseUrl,
        policy,
        language,
        resolveLink: withFiles(recorded(language, resolverFor(language), resolutions), media, baseUrl),
        resolveImage: (src) => resolveImage(media, src),
        sourceHeadingIds,
      };
      const document = transform(body, settings);
      sourceHeadingIds ??= document.headings.map((heading) => heading.id);
      return document;
    });
    return { documents, resolutions };
  };
}

const noMedia: MediaTable = new Map();

function recorded(
  language: LanguageTag,
  resolveLink: (href: string) => LinkResolution,
  resolutions: LinkRecord[],
): (href: string) => LinkResolution {
  return (href) => {
    const resolution = resolveLink(href);
    if (resolution.kind !== 'external') {
      resolutions.push({ language, href, resolution: JSON.stringify(resolution) });
    }
    return resolution;
  };
}

/** Replaces links to copied files by links to the copies. */
function withFiles(
  resolveLink: (href: string) => LinkResolution,
  media: MediaTable,
  baseUrl: string | null,
): (href: string) => LinkResolution {
  return (href) => {
    const resolution = resolveLink(href);
    return resolution.kind === 'external' ? (resolveFile(media, href, baseUrl) ?? resolution) : resolution;
  };
}

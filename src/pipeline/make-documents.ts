import type {
  ContentPolicy,
  ContentSettings,
  Document,
  LinkResolution,
  Redaction,
} from '../content/document.ts';
import { transform } from '../content/transform.ts';
import {
  describeSecret,
  type LocatedSecret,
  locateParts,
  locateSecrets,
  redactText,
} from '../feed/guard/secrets.ts';
import { bodyText } from '../feed/records/make-feed-entry.ts';
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
  /** Fingerprints of strings that only look like credentials (`feed.allowSecrets`). */
  readonly allowSecrets: readonly string[];
}

/** The bodies of one article, the source language first, with their copied media (`null`: none). */
interface ArticleSource {
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
interface ArticleDocuments {
  /** In the order of the bodies. */
  readonly documents: readonly Document[];
  /** Targets of its links, except links to other sites, which do not depend on the plan. */
  readonly resolutions: readonly LinkRecord[];
}

/** Creates the function that makes the documents of one article; headings of translations get the ids of the source language's. Pure. */
export function createDocumentMaker({
  links,
  policy,
  allowSecrets,
  ...linkSettings
}: DocumentSettings): (text: ArticleSource) => ArticleDocuments {
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
      const linksBefore = resolutions.length;
      let document = transform(body, settings);
      const find = (text: string) => locateSecrets(text, allowSecrets);
      if (find(bodyText(document)).length > 0) {
        document = redactBody(find, (findMore) => {
          resolutions.length = linksBefore;
          return transform(body, { ...settings, redaction: redactionFor(media, baseUrl, findMore) });
        });
      }
      sourceHeadingIds ??= document.headings.map((heading) => heading.id);
      return document;
    });
    return { documents, resolutions };
  };
}

/** Characters that the replaced part of a credential has at least: first long ones, so that other text stays. */
const partSizes = [8, 4, 1];

/**
 * Makes a document without credentials. A credential may be only in the published text, because what stood in the middle of it is not
 * published. Then its parts are replaced, at last every character of it.
 */
function redactBody(
  find: (text: string) => readonly LocatedSecret[],
  transformWith: (find: Redaction['find']) => Document,
): Document {
  let document = transformWith(find);
  const values: (readonly [value: string, secret: LocatedSecret])[] = [];
  for (const size of partSizes) {
    const published = bodyText(document);
    const joined = find(published).filter(({ isSample }) => !isSample);
    if (joined.length === 0) break;
    values.push(...joined.map((one) => [published.slice(one.start, one.end), one] as const));
    document = transformWith((text) => {
      const found = find(text);
      const parts = locateParts(text, values, size).filter(
        (part) =>
          !found.some(({ start, end, isSample }) => !isSample && start < part.end && part.start < end),
      );
      const others = found.filter(
        ({ start, end, isSample }) =>
          !(isSample && parts.some((part) => start < part.end && part.start < end)),
      );
      return [...parts, ...others].sort((a, b) => a.start - b.start);
    });
  }
  return document;
}

const noMedia: MediaTable = new Map();

/** Replaces credentials in a body. */
function redactionFor(media: MediaTable, baseUrl: string | null, find: Redaction['find']): Redaction {
  return {
    find,
    replace: (text, found) => redactText(text, found as readonly LocatedSecret[]),
    describe: (found, place) => describeSecret(found as LocatedSecret, place),
    isCopied: (url) => media.size > 0 && resolveFile(media, url, baseUrl)?.kind === 'internal',
  };
}

function recorded(
  language: LanguageTag,
  resolveLink: (href: string) => LinkResolution,
  resolutions: LinkRecord[],
): (href: string) => LinkResolution {
  return (href) => {
    const resolution = resolveLink(href);
    if (resolution.kind !== 'external' || resolution.mayChange) {
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

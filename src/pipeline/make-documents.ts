import type {
  ContentPolicy,
  ContentProblem,
  ContentSettings,
  Document,
  LinkResolution,
  Redaction,
} from '../content/document.ts';
import { transform } from '../content/transform.ts';
import { siteHost } from '../core/addresses.ts';
import type { LanguageTag } from '../core/model.ts';
import { replaceSpans } from '../core/replace-spans.ts';
import { feedUrl } from '../feed/guard/feed-url.ts';
import {
  describeSecret,
  describeWithheld,
  type LocatedSecret,
  locateSecrets,
  redacted,
} from '../feed/guard/secrets.ts';
import { bodyTexts } from '../feed/records/make-feed-entry.ts';
import {
  createHiddenFinder,
  cutWord,
  type HiddenFinder,
  type HiddenWord,
} from '../site/links/hidden-records.ts';
import { createLinkResolver, type LinkSettings, type LinkTargets } from '../site/links/resolve-links.ts';
import { type MediaTable, resolveFile, resolveImage } from '../site/media/media-table.ts';

/** Settings for reading the bodies of all articles. Plain data, except for the link targets. */
export interface DocumentSettings extends LinkSettings {
  readonly links: LinkTargets;
  readonly policy: ContentPolicy;
  /** As in `ContentSettings`. */
  readonly hasGitHubIds?: boolean;
  /** Fingerprints of strings that only look like credentials (`feed.allowSecrets`). */
  readonly allowSecrets: readonly string[];
}

/** The bodies of one article, the source language first, with their copied media (`null`: none). */
interface ArticleSource {
  readonly bodies: readonly (readonly [language: LanguageTag, html: string, pageUrl: string])[];
  readonly media: MediaTable | null;
}

/** One result of the link resolver. */
export interface LinkRecord {
  readonly language: LanguageTag;
  /** The URL as passed to the resolver. */
  readonly href: string;
  /** The `LinkResolution`, as JSON. */
  readonly resolution: string;
  /** The article that it leads to; `null` if it leads elsewhere. */
  readonly articleId: string | null;
}

/** Result of the content stage for one article. */
interface ArticleDocuments {
  /** In the order of the bodies. */
  readonly documents: readonly Document[];
  /** Targets of its links, except links to other sites, which do not depend on the plan. */
  readonly resolutions: readonly LinkRecord[];
  /** Words that name records, or would if there were such records; a page changes when one of them is hidden or shown. */
  readonly names: readonly string[];
  /** Those of them that name a hidden record. */
  readonly hiddenNames: readonly string[];
}

/** Creates the function that makes the documents of one article; headings of translations get the ids of the source language's. Pure. */
export function createDocumentMaker({
  links,
  policy,
  hasGitHubIds = false,
  allowSecrets,
  ...linkSettings
}: DocumentSettings): (text: ArticleSource) => ArticleDocuments {
  const resolverFor = createLinkResolver(links, linkSettings);
  const baseUrl = linkSettings.hosts[0] ?? null;
  const { siteUrl } = linkSettings;
  const ownHost = siteUrl === null ? null : siteHost(new URL(siteUrl));
  const hidden = createHiddenFinder(linkSettings);
  const isHidden = (name: string): boolean => hidden.nameIn(name) !== null;
  return ({ bodies, media: table }) => {
    const media = table ?? noMedia;
    let sourceHeadingIds: readonly string[] | null = null;
    const resolutions: LinkRecord[] = [];
    const names = new Set<string>();
    const hiddenNames = new Set<string>();
    const documents = bodies.map(([language, body, pageUrl]) => {
      const settings: ContentSettings = {
        baseUrl,
        policy,
        language,
        resolveLink: withFiles(recorded(language, resolverFor(language), resolutions), media, baseUrl),
        resolveImage: (src) => resolveImage(media, src),
        // A passage is read without its page.
        feedUrl: (url) => feedUrl(url.startsWith('#') ? pageUrl + url : url, ownHost),
        sourceHeadingIds,
        keepsIds: linkSettings.keepsIds ?? false,
        hasGitHubIds,
      };
      const linksBefore = resolutions.length;
      let document = transform(body, settings);
      const find = (text: string) => locateSecrets(text, allowSecrets);
      const findAll = (made: Document) => bodyTexts(made).flatMap(find);
      const listed = listNames(document, hidden);
      const named = listed.filter(isHidden);
      for (const name of listed) names.add(name);
      for (const name of named) hiddenNames.add(name);
      if (named.length > 0 || findAll(document).length > 0) {
        resolutions.length = linksBefore;
        const redaction = redactionFor(media, baseUrl, find, hidden);
        document = transform(body, { ...settings, redaction });
        const left = findAll(document).find(({ isSample }) => !isSample);
        if (left !== undefined) {
          document = withoutBody(document, settings, describeWithheld(left));
        } else if (listNames(document, hidden).some(isHidden)) {
          document = withoutBody(document, settings, uncutName);
        }
      }
      sourceHeadingIds ??= document.headings.map((heading) => heading.id);
      return document;
    });
    return { documents, resolutions, names: [...names], hiddenNames: [...hiddenNames] };
  };
}

/** Words of what is published of a body that may name records. The Markdown has nothing that is not in the page, too. */
function listNames(
  { html, text, anchors, headings }: Document,
  hidden: Pick<HiddenFinder, 'listNames'>,
): readonly string[] {
  // The content stage writes the characters of a URL in an id as their codes.
  const ids = [...anchors, ...headings.map(({ id }) => id)]
    .join(' ')
    .replace(/-(2[3-6f]|3[df]|40|5c)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return [
    ...hidden.listNames(text, 'words'),
    ...hidden.listNames(html, 'address'),
    ...hidden.listNames(ids, 'address'),
  ];
}

/** The last resort, if what must not be published is in several parts of a body, which only its rendering joins. */
function withoutBody({ problems }: Document, settings: ContentSettings, why: ContentProblem): Document {
  const others = problems.filter(({ code }) => code !== 'FEED_URL_CHANGED');
  return { ...transform('', settings), problems: [...others, why] };
}

const uncutName: ContentProblem = {
  code: 'LINK_TO_HIDDEN',
  message:
    'the text names an article that is not public and was left out, because the name cannot be cut from it',
};

const noMedia: MediaTable = new Map();

/** A word of a body that names a hidden record. */
interface FoundName extends HiddenWord {
  readonly isSample: false;
  readonly removesUrl: true;
}

/** Texts of attributes that readers see; other attributes contain URLs, ids and names of classes. */
const textAttributes = new Set([null, 'alt', 'title', 'aria-label']);

/** Attributes that the link resolver cuts and reports, unless the URL is no page. */
const resolvedAttributes = new Set(['href', 'cite']);
const isOwnScheme = /^[\0- ]*(?:#|mailto:|tel:)/i;

/** Replaces credentials in a body, and cuts what names a hidden record. */
function redactionFor(
  media: MediaTable,
  baseUrl: string | null,
  findSecrets: (text: string) => readonly LocatedSecret[],
  hidden: HiddenFinder,
): Redaction {
  const isName = (found: object): found is FoundName => 'articleId' in found;
  return {
    find(text, attribute) {
      const isResolved = attribute !== null && resolvedAttributes.has(attribute) && !isOwnScheme.test(text);
      const scope = textAttributes.has(attribute) ? 'words' : 'address';
      const names = (isResolved ? [] : hidden.locate(text, scope)).map(
        (word): FoundName => ({ ...word, isSample: false, removesUrl: true }),
      );
      const secrets = findSecrets(text);
      if (names.length === 0) return secrets;
      // A credential inside an address is cut with it.
      const others = secrets.filter(
        (one) => !names.some(({ start, end }) => start < one.end && one.start < end),
      );
      return [...names, ...others].sort((a, b) => a.start - b.start);
    },
    replace(text, found) {
      const real = found.filter(({ isSample }) => !isSample);
      return replaceSpans(text, real, (one) => (isName(one) ? cutWord : redacted));
    },
    describe: (found, place) =>
      isName(found)
        ? { code: 'LINK_TO_HIDDEN', message: `an address in ${place} ${hidden.describe(found.articleId)}` }
        : describeSecret(found as LocatedSecret, place),
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
      const articleId = resolution.kind === 'internal' ? resolution.articleId : null;
      resolutions.push({ language, href, resolution: JSON.stringify(resolution), articleId });
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

import type { LinkResolution } from '../content/document.ts';
import type { ExclusionReason, LanguageTag } from '../foundation/model.ts';
import { recordPathOfZendesk } from '../foundation/zendesk-id.ts';
import type { PageAddress } from '../plan/plan.ts';

/** A page that a link can lead to. */
export interface LinkTarget extends Pick<PageAddress, 'href' | 'url'> {
  readonly language: LanguageTag;
}

/** The pages of one article or category, the source language first. */
export type LinkTargetPages = Pick<ReadonlyMap<LanguageTag, LinkTarget>, 'get' | 'values'>;

/** Every page that a link can lead to, by id: a plan, or the part of it that other threads get. */
export interface LinkTargets {
  readonly articles: { get(id: string): { readonly pages: LinkTargetPages } | undefined };
  readonly categoryPages: { get(id: string): LinkTargetPages | undefined };
}

/** Link settings besides the plan. */
export interface LinkSettings {
  /** Origins of the help centre; relative URLs are resolved against the first. Empty if unknown. */
  readonly hosts: readonly string[];
  /** Ids that exist but are not public. */
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
  /** Whether `/hc/<locale>/articles/<id>` of Zendesk Guide is an article, too. */
  readonly hasZendeskUrls: boolean;
}

/** Known URL forms: `/article/<id>[-<slug>]`, `/category/<id>…`, `/l/<lang>/article/<id>…`, also below a prefix. */
const recordPath = /(?:^|\/)(?:article\/([a-zA-Z0-9]{10})(?:-[^/]*)?|category\/([A-Za-z0-9_-][^/]*))\/?$/;

/** Longest id of a category. */
const maxCategoryIdChars = 64;

/** Only makes relative URLs parseable; the resolver unlinks URLs that still have this origin. */
const placeholderOrigin = 'https://relative.invalid';

/** Base of relative URLs in bodies: the first host of the help centre; `null` if none is known. */
export function contentBase(hosts: readonly string[]): string | null {
  return hosts[0] ?? null;
}

/**
 * Creates the link resolver of the content stage. A link to an article or category leads by id to the page in the reader's language, else
 * in the source language. A link to a record that is not public is unlinked.
 */
export function createLinkResolver(
  targets: LinkTargets,
  settings: LinkSettings,
): (language: LanguageTag) => (href: string) => LinkResolution {
  const hosts = new Set(settings.hosts.map((host) => new URL(host).origin));
  const parsed = new Map<string, Address | null>();
  return (language) => (href) => {
    let url = parsed.get(href);
    if (url === undefined) {
      url = parse(href);
      // Translations have the same links as their source, so a small cache finds most of them.
      if (parsed.size === mostParsed) parsed.clear();
      parsed.set(href, url);
    }
    if (url === null) return unlinked('LINK_BROKEN', href, 'is not a valid URL');
    const isRelative = url.origin === placeholderOrigin;
    if (!isRelative && !hosts.has(url.origin)) return { kind: 'external' };
    const zendeskPath = settings.hasZendeskUrls ? recordPathOfZendesk(url.pathname) : null;
    const match = recordPath.exec(zendeskPath ?? url.pathname);
    if (match === null) {
      if (!isRelative || settings.hosts.length > 0) return { kind: 'external' };
      return unlinked('LINK_RELATIVE', href, 'is relative and names no article or category');
    }
    const [, articleId, named = ''] = match;
    const kind = articleId === undefined ? 'category' : 'article';
    const id =
      articleId ??
      categoryIds(named).find(
        (one) => targets.categoryPages.get(one) !== undefined || settings.excluded.has(one),
      ) ??
      named;
    const pages = kind === 'article' ? targets.articles.get(id)?.pages : targets.categoryPages.get(id);
    const page = pages?.get(language) ?? pages?.values().next().value;
    if (page === undefined) {
      const reason = settings.excluded.get(id);
      return reason === undefined
        ? unlinked(
            'LINK_BROKEN',
            href,
            `points to ${kind === 'article' ? 'an article' : 'a category'} that does not exist`,
          )
        : unlinked('LINK_TO_HIDDEN', href, `points to the ${kind} ${id}, which is not public (${reason})`);
    }
    return internal(page, kind === 'article', id, language, url.hash);
  };
}

/** Possible category ids in `<id>[-<slug>]`, longest first: both parts may contain hyphens. */
function categoryIds(named: string): readonly string[] {
  const [most = ''] = /^[A-Za-z0-9_-]*/.exec(named.slice(0, maxCategoryIdChars + 1)) ?? [];
  const ids: string[] = [];
  for (let end = Math.min(most.length, maxCategoryIdChars); end > 0; end -= 1) {
    if (end === named.length || named[end] === '-') ids.push(named.slice(0, end));
  }
  return ids;
}

function internal(
  page: LinkTarget,
  isArticle: boolean,
  id: string,
  language: LanguageTag,
  fragment: string,
): LinkResolution {
  return {
    kind: 'internal',
    href: page.href + fragment,
    url: page.url + fragment,
    articleId: isArticle ? id : null,
    categoryId: isArticle ? null : id,
    hreflang: page.language === language ? null : page.language,
  };
}

function unlinked(
  problem: 'LINK_BROKEN' | 'LINK_TO_HIDDEN' | 'LINK_RELATIVE',
  href: string,
  what: string,
): LinkResolution {
  return { kind: 'unlinked', problem, message: `the link ${JSON.stringify(href.slice(0, 200))} ${what}` };
}

/** The parts of a URL that the resolver uses. */
type Address = Pick<URL, 'origin' | 'pathname' | 'hash'>;

/** Maximum number of parsed URLs in the cache. */
const mostParsed = 1000;

function parse(href: string): Address | null {
  try {
    const { origin, pathname, hash } = new URL(href, placeholderOrigin);
    return { origin, pathname, hash };
  } catch {
    return null;
  }
}

import type { LinkResolution } from '../../content/document.ts';
import { idOfFragment } from '../../content/policy/ids.ts';
import { splitFragment } from '../../content/policy/url-policy.ts';
import { decodePercent, parseUrl, siteHost } from '../../core/addresses.ts';
import { oncePerKey } from '../../core/concurrency.ts';
import type { LanguageTag } from '../../core/model.ts';
import { recordPathOfZendesk } from '../../core/zendesk-id.ts';
import type { PageAddress } from '../plan/plan.ts';
import { createHiddenFinder, type HiddenSettings, placeholderHost } from './hidden-records.ts';

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
export interface LinkSettings extends HiddenSettings {
  /** Whether fragments are those of pages that exist already; absent: no. */
  readonly keepsIds?: boolean;
  /** URL of the API; `null` if there is none. */
  readonly apiUrl: string | null;
}

/** Known URL forms: `/article/<id>[-<slug>]`, `/category/<id>…`, `/l/<lang>/article/<id>…`, also below a prefix. */
const recordPath =
  /^(?:(.*)\/)?(?:article\/([a-zA-Z0-9]{10})(?:-[^/]*)?|category\/([A-Za-z0-9_-][^/]*))\/?$/s;

/** What precedes the form if a help centre is at the top of its host: nothing, `/l/<lang>` or `/<lang>`. */
const languagePrefix = /^(?:\/l)?(?:\/[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)?$/;

/** A path below an article's URL, e.g. `/article/<id>/edit`. */
const belowArticle = /(?:^|\/)article\/([a-zA-Z0-9]{10})(?:-[^/]*)?\//;

/** File names of the pages of a site, and of their Markdown. */
const fileName = /(?:\/index)?\.html?(?:\.md)?$/;

/** Longest id of a category. */
const maxCategoryIdChars = 64;

/** Only makes relative URLs parseable; the resolver unlinks URLs that still have this origin. */
const placeholderOrigin = `https://${placeholderHost}`;

/**
 * Creates the link resolver of the content stage. A link to an article or category leads by id to the page in the reader's language, else
 * in the source language. A link to a record that is not public is unlinked, also if only a part of it names the record (`createHiddenFinder`). The hosts of the site and the API may serve something else,
 * too: there, a URL with an unknown id is a link to a missing record only if nothing but a language precedes the form on the site.
 */
export function createLinkResolver(
  targets: LinkTargets,
  settings: LinkSettings,
): (language: LanguageTag) => (href: string) => LinkResolution {
  const { hosts, siteUrl, apiUrl, excluded } = settings;
  const knownHosts = new Set([placeholderHost, ...hosts.map((host) => siteHost(new URL(host)))]);
  const site = siteUrl === null ? null : new URL(siteUrl);
  const ownHost = site === null ? null : siteHost(site);
  const sharedHosts = new Set([ownHost, apiUrl === null ? null : siteHost(new URL(apiUrl))]);
  const basePath = decodePercent(site?.pathname.replace(/\/+$/, '') ?? '');
  // Translations have the same links as their source, so a small cache finds most of them.
  const parseOnce = oncePerKey((href: string) => parse(href, hidden.nameIn), 1000);
  const hidden = createHiddenFinder(settings);
  const isArticle = (id: string): boolean => targets.articles.get(id) !== undefined || excluded.has(id);
  const isCategory = (id: string): boolean => targets.categoryPages.get(id) !== undefined || excluded.has(id);

  /** The record that a URL of the help centre names; it may not exist. */
  function findRecord({ host, pathname }: Address): RecordName | null {
    const isOnSite =
      (host === ownHost || host === placeholderHost) && `${pathname}/`.startsWith(`${basePath}/`);
    const path = isOnSite ? pathname.slice(basePath.length) : pathname;
    const legacy = settings.hasZendeskUrls
      ? (recordPathOfZendesk(pathname) ?? recordPathOfZendesk(path))
      : null;
    const page = path.replace(fileName, '');
    const [, prefix = '', articleId, named] = recordPath.exec(legacy ?? page) ?? [];
    const isOnlyHelpCentre = knownHosts.has(host);
    const isForm = isOnlyHelpCentre || languagePrefix.test(prefix);
    const mayBeMissing = isForm && (isOnlyHelpCentre || isOnSite);
    if (articleId !== undefined) {
      return mayBeMissing || isArticle(articleId) ? { kind: 'article', id: articleId } : null;
    }
    if (named !== undefined) {
      const id = isForm ? categoryIds(named).find(isCategory) : undefined;
      return mayBeMissing || id !== undefined ? { kind: 'category', id: id ?? named } : null;
    }
    const [, hidden = ''] = belowArticle.exec(path) ?? [];
    if (excluded.has(hidden)) return { kind: 'article', id: hidden };
    // A URL pattern of the settings may have the id anywhere in the name.
    const [, name = ''] = (isOnSite && /\/([^/.]+)\/?$/.exec(page)) || [];
    const id = name.split(/[^A-Za-z0-9]/).find((part) => part.length === 10 && isArticle(part));
    return id === undefined ? null : { kind: 'article', id };
  }

  return (language) => (href) => {
    const url = parseOnce(href);
    if (url === null) return unlinked('LINK_BROKEN', href, 'is not a valid URL');
    const hide = (id: string) => unlinked('LINK_TO_HIDDEN', href, hidden.describe(id));
    if (url.hidden !== null && excluded.has(url.hidden)) return hide(url.hidden);
    if (!sharedHosts.has(url.host) && !knownHosts.has(url.host)) return { kind: 'external' };
    const record = findRecord(url);
    if (record === null) {
      if (url.hidden !== null) return hide(url.hidden);
      return url.host === placeholderHost && hosts.length === 0
        ? unlinked('URL_RELATIVE', href, 'is relative and names no article or category')
        : { kind: 'external', mayChange: true };
    }
    const { kind, id } = record;
    const pages = kind === 'article' ? targets.articles.get(id)?.pages : targets.categoryPages.get(id);
    const source = pages?.values().next().value;
    // Translations keep the links of their source, which is no choice of a language.
    const isChosen = url.language !== null && (url.hasQuery || url.language !== source?.language);
    const page = (isChosen ? pages?.get(url.language ?? '') : undefined) ?? pages?.get(language) ?? source;
    if (page !== undefined) {
      const fragment = settings.keepsIds ? url.hash : publishedHash(url.hash);
      return {
        kind: 'internal',
        href: page.href + fragment,
        url: page.url + fragment,
        articleId: kind === 'article' ? id : null,
        categoryId: kind === 'article' ? null : id,
        hreflang: page.language === language ? null : page.language,
      };
    }
    if (excluded.has(id)) return hide(id);
    const what =
      kind === 'article'
        ? 'an article that does not exist'
        : 'a category that does not exist or is not public';
    return unlinked('LINK_BROKEN', href, `points to ${what}`);
  };
}

interface RecordName {
  readonly kind: 'article' | 'category';
  readonly id: string;
}

/** Possible category ids in `<id>[-<slug>]`, longest first: both parts may contain hyphens. */
function categoryIds(named: string): readonly string[] {
  const [longest = ''] = /^[A-Za-z0-9_-]*/.exec(named.slice(0, maxCategoryIdChars + 1)) ?? [];
  const ids: string[] = [];
  for (let end = Math.min(longest.length, maxCategoryIdChars); end > 0; end -= 1) {
    if (end === named.length || named[end] === '-') ids.push(named.slice(0, end));
  }
  return ids;
}

/** The hash of a URL with the id as it is published. */
function publishedHash(hash: string): string {
  const { fragment, directive } = splitFragment(hash.slice(1));
  const wanted = decodePercent(fragment);
  const id = idOfFragment(wanted);
  return id === wanted ? hash : `#${encodeURIComponent(id)}${directive}`;
}

function unlinked(
  problem: 'LINK_BROKEN' | 'LINK_TO_HIDDEN' | 'URL_RELATIVE',
  href: string,
  what: string,
): LinkResolution {
  return { kind: 'unlinked', problem, message: `the link ${JSON.stringify(href.slice(0, 200))} ${what}` };
}

/** The parts of a URL that the resolver uses: the host as {@link siteHost} gives it, the path decoded. */
interface Address extends Pick<URL, 'host' | 'pathname' | 'hash'> {
  /** The language that the link names: before the form, or with `?lang=`, which sources of files do; `null`: that of the reader. */
  readonly language: string | null;
  readonly hasQuery: boolean;
  /** The article that it names, or whose translation it names, which is not public. */
  readonly hidden: string | null;
}

function parse(href: string, hiddenIn: (url: string) => string | null): Address | null {
  const url = parseUrl(href, placeholderOrigin);
  if (url === null) return null;
  const { pathname, hash } = url;
  const query = url.host === placeholderHost ? url.searchParams.get('lang') : null;
  const language =
    query ??
    /(?:^|\/)([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\/(?:article|category)\//.exec(url.pathname)?.[1] ??
    null;
  return {
    host: siteHost(url),
    pathname: decodePercent(pathname),
    hash,
    language,
    hasQuery: query !== null,
    hidden: hiddenIn(url.href),
  };
}

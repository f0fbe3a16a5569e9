import { getOrMake, groupBy } from '../../core/group-by.ts';
import { isLanguageTag, isSameLanguage, languageKey } from '../../core/language.ts';
import type { ExclusionReason, LanguageTag } from '../../core/model.ts';
import { deriveId } from '../folder/folder-read.ts';
import type { SitePage } from './read-page.ts';
import { routeKey, type SiteRoutes } from './site-routes.ts';

/** A page with what only the whole site knows of it. */
export interface PlacedPage {
  readonly page: SitePage;
  readonly language: LanguageTag;
  /** As the site has it (`SiteRoutes.pathOf`). */
  readonly path: string;
  /** Its path without the folder of its language, and without what differs between forms of a URL. */
  readonly key: string;
}

/** The translations of one page, or a file that is no article. */
export interface SiteArticle {
  readonly id: string;
  /** The file of its first page, public or not. */
  readonly file: string;
  /** Public ones, the default language first if there is one; none if it is not public in any language. */
  readonly pages: readonly PlacedPage[];
  /** Pages that ask not to be listed. */
  readonly hidden: readonly PlacedPage[];
  /** Files of copies, which lead to the page. */
  readonly copies: readonly SitePage[];
}

interface Grouped {
  readonly articles: readonly SiteArticle[];
  readonly skipped: readonly {
    readonly id: string;
    readonly page: SitePage;
    readonly reason: ExclusionReason;
  }[];
  /** Pages that many others name as their canonical URL although they are no copies. */
  readonly wrongCanonicals: readonly { readonly page: SitePage; readonly count: number }[];
  /** Pages that have the id of another one. */
  readonly equal: readonly { readonly page: SitePage; readonly other: SitePage }[];
}

/** Joins the translations of a page, and its copies, into one article. */
export function groupPages(
  pages: readonly SitePage[],
  routes: SiteRoutes,
  defaultLanguage: LanguageTag,
): Grouped {
  const { kept, copies, wrongCanonicals } = separateCopies(pages, routes);
  const speak = spellLanguages(kept, defaultLanguage);
  const placed = kept.map((page): PlacedPage => {
    const language = speak(page);
    const path = routes.pathOf(page);
    return { page, language, path, key: withoutLanguage(routeKey(path), language) };
  });
  const articles: SiteArticle[] = [];
  const equal: { page: SitePage; other: SitePage }[] = [];
  const byId = new Map<string, SitePage>();
  const idOf = (key: string): string => deriveId('article', key === '' ? 'index' : key);
  for (const group of joinTranslations(placed, routes)) {
    const own = group.find(({ language }) => isSameLanguage(language, defaultLanguage));
    const rest = group.filter((one) => one !== own).sort((a, b) => (a.language < b.language ? -1 : 1));
    const all = own === undefined ? rest : [own, ...rest];
    const [first] = all as [PlacedPage];
    const wanted = [own === undefined ? first.key : routeKey(first.path), routeKey(first.path)].map(idOf);
    const id = wanted.find((one) => !byId.has(one));
    if (id === undefined) {
      equal.push({ page: first.page, other: byId.get(wanted[0] as string) as SitePage });
      continue;
    }
    byId.set(id, first.page);
    const isPublic = ({ page }: PlacedPage): boolean => page.skip === null;
    articles.push({
      id,
      file: first.page.file,
      pages: all.filter(isPublic),
      hidden: all.filter((one) => !isPublic(one)),
      copies: all.flatMap(({ page }) => copies.get(page) ?? []),
    });
  }
  const isCopy = new Set([...copies.values()].flat());
  const skipped = pages.flatMap((page) => {
    const reason = isCopy.has(page) ? 'copy' : isArticle(page.skip) ? null : page.skip;
    const id = idOf(page.file);
    return reason === null || byId.has(id) ? [] : [{ id, page, reason }];
  });
  return { articles: articles.sort((a, b) => (a.id < b.id ? -1 : 1)), skipped, equal, wrongCanonicals };
}

/** Whether a page is an article, public or not. */
function isArticle(skip: SitePage['skip']): boolean {
  return skip === null || skip === 'noindex';
}

/** So many pages with other titles show that a canonical URL is a mistake of a template, such as the home page on every page. */
const minClaims = 5;

/**
 * A page whose canonical URL is another page of the folder is a copy of that, as is a second file for the same URL, and a page that shows the original in place
 * of a translation.
 */
function separateCopies(pages: readonly SitePage[], routes: SiteRoutes) {
  const copies = new Map<SitePage, SitePage[]>();
  const kept: SitePage[] = [];
  const byKey = new Map<string, SitePage>();
  const articles = pages.filter(({ skip }) => isArticle(skip));
  const originals = new Map<SitePage, SitePage>();
  for (const page of articles) {
    const target = page.canonical === null ? null : routes.pageAt(page, page.canonical);
    if (target !== null && target !== page && isArticle(target.skip)) originals.set(page, target);
  }
  const wrongCanonicals: { page: SitePage; count: number }[] = [];
  for (const [page, all] of groupBy(originals.keys(), (one) => originals.get(one) as SitePage)) {
    const others = all.filter(({ title }) => title !== page.title);
    if (all.length < minClaims || others.length * 2 < all.length) continue;
    wrongCanonicals.push({ page, count: all.length });
    for (const one of all) originals.delete(one);
  }
  for (const page of articles) {
    const key = routeKey(page.file);
    const original = originals.get(page) ?? byKey.get(key);
    if (original !== undefined) getOrMake(copies, original, () => []).push(page);
    else {
      kept.push(page);
      byKey.set(key, page);
    }
  }
  return { kept: kept.filter((page) => !isUntranslated(page)), copies, wrongCanonicals };

  /** Whether a page shows the text of an original that the site also has, because it is not translated. */
  function isUntranslated(page: SitePage): boolean {
    const { language, textLanguage } = page;
    if (language === null || textLanguage === null) return false;
    const key = withoutLanguage(routeKey(page.file), language);
    const original = byKey.get(key) ?? byKey.get(`${textLanguage.toLowerCase()}/${key}`);
    if (original === undefined || original === page) return false;
    getOrMake(copies, original, () => []).push(page);
    return true;
  }
}

/** Gives each page its language; a site whose main language is `en-US` may be configured as `en`. */
function spellLanguages(
  pages: readonly SitePage[],
  defaultLanguage: LanguageTag,
): (page: SitePage) => LanguageTag {
  const tagOf = ({ language, textLanguage }: SitePage): LanguageTag => {
    const tag = (textLanguage ?? language)?.replaceAll('_', '-') ?? '';
    return isLanguageTag(tag) ? (Intl.getCanonicalLocales(tag)[0] ?? tag) : defaultLanguage;
  };
  const baseOf = (tag: string): string => languageKey(tag).split('-')[0] ?? '';
  const hasDefault = pages.some((page) => isSameLanguage(tagOf(page), defaultLanguage));
  const related = new Set(pages.map(tagOf).filter((tag) => baseOf(tag) === baseOf(defaultLanguage)));
  return (page) => {
    const tag = tagOf(page);
    const isDefault = !hasDefault && related.size === 1 && related.has(tag);
    return isDefault || isSameLanguage(tag, defaultLanguage) ? defaultLanguage : tag;
  };
}

function withoutLanguage(key: string, language: LanguageTag): string {
  const [first = '', ...rest] = key.split('/');
  const tag = first.replaceAll('_', '-');
  if (!isLanguageTag(tag)) return key;
  const isOwn = isSameLanguage(tag, language) || languageKey(tag) === languageKey(language).split('-')[0];
  return isOwn ? rest.join('/') : key;
}

/** By `hreflang`, if both pages name each other; else by their paths below folders of languages. */
function joinTranslations(
  placed: readonly PlacedPage[],
  routes: SiteRoutes,
): readonly (readonly PlacedPage[])[] {
  const groups = new Map<PlacedPage, PlacedPage[]>(placed.map((one) => [one, [one]]));
  const join = (a: PlacedPage, b: PlacedPage): void => {
    const [of, other] = [groups.get(a), groups.get(b)];
    if (of === undefined || other === undefined || of === other) return;
    if (of.some((one) => other.some(({ language }) => isSameLanguage(language, one.language)))) return;
    of.push(...other);
    for (const one of other) groups.set(one, of);
  };
  const byPage = new Map(placed.map((one) => [one.page, one]));
  const named = new Map(
    placed.map((one) => [
      one,
      new Set(
        one.page.alternates
          .filter(({ language }) => language.toLowerCase() !== 'x-default')
          .flatMap(({ url }) => routes.pageAt(one.page, url) ?? []),
      ),
    ]),
  );
  for (const one of placed) {
    for (const page of named.get(one) ?? []) {
      const other = byPage.get(page);
      if (other !== undefined && named.get(other)?.has(one.page)) join(one, other);
    }
  }
  const byKey = new Map<string, PlacedPage>();
  for (const one of placed) {
    if ((named.get(one)?.size ?? 0) > 1) continue;
    const other = byKey.get(one.key);
    if (other === undefined) byKey.set(one.key, one);
    else join(other, one);
  }
  return [...new Set(groups.values())];
}

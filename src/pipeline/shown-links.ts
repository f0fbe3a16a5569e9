import { hash } from 'node:crypto';
import { getOrMake } from '../core/group-by.ts';
import type { LanguageTag } from '../core/model.ts';
import { type ArticleMetadata, shownArticles } from '../site/pages/describe-article.ts';
import type { Site } from '../site/pages/site.ts';
import type { Plan, PlannedArticle } from '../site/plan/plan.ts';
import type { SharedMetadata } from './hash-source.ts';

/** Which other articles the pages of an article show. Plain data, also as JSON. */
export interface ShownArticles {
  /** Ids of all of them, also of those to which its texts link. */
  readonly articles: readonly string[];
  /** Whether it is a home page, which shows the first articles of every category. */
  readonly isHome: boolean;
  /** Ids of the related ones, in each language that it is in. */
  readonly related: readonly (readonly [language: LanguageTag, ids: readonly string[]])[];
}

/**
 * @param pages of a rendered article, with all metadata that they show
 * @param linked ids of the articles to which its texts link
 */
export function listShown(
  pages: readonly { readonly language: LanguageTag; readonly heads: readonly ArticleMetadata[] }[],
  linked: readonly string[],
): ShownArticles {
  return {
    articles: [...new Set([...linked, ...pages.flatMap(({ heads }) => heads.flatMap(shownArticles))])],
    isHome: pages.some(({ heads }) => heads.some(({ rest }) => rest.topics.length > 0)),
    related: pages.map(({ language, heads: [own] }) => [
      language,
      own?.rest.related.map(({ id }) => id) ?? [],
    ]),
  };
}

/** What pages showed of other articles in a build. Plain data, also as JSON. */
export interface ShownMetadata {
  /** Result of `hashStructure`. */
  readonly structure: string;
  /** Per language the hash of its metadata (`SharedMetadata.languages`), and by article that of what a link to it says. */
  readonly languages: Readonly<
    Record<LanguageTag, { readonly metadata: string; readonly links: Readonly<Record<string, string>> }>
  >;
  /** Hash of the order of the articles of a category in all languages, by category; `''` is for articles without one. */
  readonly orders: Readonly<Record<string, string>>;
}

/**
 * @param structure result of `hashStructure`
 * @param metadata `SharedMetadata.languages`
 * @param site `null`: no page is made, and feeds show nothing of other articles
 * @param before what pages showed in the last build; `null` if unknown
 */
export function describeShown(
  structure: string,
  metadata: SharedMetadata['languages'],
  { articles, languages }: Plan,
  site: Pick<Site, 'describeLink'> | null,
  before: ShownMetadata | null,
): ShownMetadata {
  const hashLink = ({ id, pages }: PlannedArticle, language: LanguageTag): string => {
    const page = pages.get(language);
    const own = page === undefined ? null : [page.path, page.title, page.description, page.listTitle];
    return hash('sha256', JSON.stringify([own, site?.describeLink(id, language)])).slice(0, 16);
  };
  return {
    structure,
    languages: Object.fromEntries(
      languages.map(({ tag }) => {
        const known = before?.languages[tag];
        const own = metadata[tag] ?? '';
        if (known?.metadata === own) return [tag, known];
        const links = Array.from(articles, ([id, article]) => [id, hashLink(article, tag)] as const);
        return [tag, { metadata: own, links: Object.fromEntries(links) }];
      }),
    ),
    orders: Object.fromEntries(
      [...ordersOf(languages)].map(([id, order]) => [id, hash('sha256', order.join()).slice(0, 16)]),
    ),
  };
}

function ordersOf(languages: Plan['languages']): ReadonlyMap<string, readonly string[]> {
  const orders = new Map<string, string[]>();
  const add = (id: string, ...shelves: readonly (readonly string[])[]) =>
    getOrMake(orders, id, () => []).push(...shelves.map((ids) => ids.join(' ')));
  for (const { categoryById, unassignedIds, untranslatedUnassignedIds } of languages) {
    add('', unassignedIds, untranslatedUnassignedIds);
    for (const { id, articleIds, untranslatedIds } of categoryById.values())
      add(id, articleIds, untranslatedIds);
  }
  return orders;
}

/**
 * Finds out whose pages may show something else than in the build before. If only titles, descriptions or URLs of articles changed, these are the pages
 * of those articles, those that link to them, those that have other related articles now, because words of titles relate them, and home pages, and those in or
 * below a category whose articles are in another order, of which pages show a part.
 * @returns whether an article is not one of them
 */
export function createShownCheck(
  before: ShownMetadata | null,
  now: ShownMetadata,
  { languages: planned }: Plan,
  site: Pick<Site, 'relatedArticles'> | null,
): (article: PlannedArticle, shown: ShownArticles) => boolean {
  if (before?.structure !== now.structure) return () => false;
  const edited = new Set<string>();
  const languages = new Set<LanguageTag>();
  for (const [language, { metadata, links }] of Object.entries(now.languages)) {
    const known = before.languages[language];
    if (known?.metadata === metadata) continue;
    for (const [id, link] of Object.entries(links)) {
      if (known?.links[id] === link) continue;
      edited.add(id);
      languages.add(language);
    }
  }
  const reordered = new Set(
    Object.entries(now.orders).flatMap(([id, order]) => (before.orders[id] === order ? [] : [id])),
  );
  const parents = new Map(
    planned.flatMap(({ categoryById }) =>
      Array.from(categoryById.values(), ({ id, parentId }) => [id, parentId] as const),
    ),
  );
  const isReordered = (id: string | null): boolean => {
    if (reordered.has(id ?? '')) return true;
    const parent = parents.get(id ?? '') ?? null;
    return parent !== null && isReordered(parent);
  };
  const hasSame = (id: string, [language, related]: ShownArticles['related'][number]): boolean =>
    !languages.has(language) || site === null || site.relatedArticles(id, language).join() === related.join();
  return ({ id, categoryId }, { articles, isHome, related }) =>
    !isHome &&
    !edited.has(id) &&
    !isReordered(categoryId) &&
    !articles.some((shown) => edited.has(shown)) &&
    related.every((known) => hasSame(id, known));
}

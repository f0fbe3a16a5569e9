import { groupBy } from '../../core/group-by.ts';
import { popularCount } from '../../core/model.ts';
import { fileAddress } from '../plan/page-url.ts';
import type { PageAddress } from '../plan/plan.ts';
import type { RenderedFile } from './assets.ts';
import { baseView, renderView } from './base-view.ts';
import type { LanguageContext, SiteContext } from './context.ts';
import { createIndexLetter, titleOrder } from './index-letter.ts';
import { articleLink, breadcrumbs, topCategories } from './link-views.ts';
import { summarize } from './render-head.ts';
import { sideTree } from './side-tree.ts';
import type { ArticleLinkView, IndexView } from './views.ts';

/** Longer lists of articles are grouped by letter: nobody reads to their end. */
export const maxPlainList = 60;

/** Longer indexes get one page per letter; letters with more articles get several pages. */
const maxOnOnePage = 1000;

/**
 * The index of all articles of a language by first letter, which replaces the search for readers without JavaScript. A long index has a
 * page per letter; the first letter is on the index page.
 */
export function* renderIndex(context: SiteContext, language: LanguageContext): Generator<RenderedFile> {
  const { index } = language.addresses;
  const isLong = language.planned.articleIds.length > maxOnOnePage;
  const articles = language.planned.articleIds.map((id) => articleLink(context, language, id));
  const groups = groupByLetter(language, articles).flatMap(divideGroup);
  const letterPage = (position: number): PageAddress =>
    position === 0
      ? index
      : fileAddress(context.plan, index.path.replace(/index\.html$/, `${position + 1}/index.html`));
  const letters = groups.map((group, position) => {
    const id = `letter-${position + 1}`;
    return { id, href: isLong ? letterPage(position).href : `#${id}`, ...group };
  });
  if (!isLong) {
    yield renderIndexPage(context, language, index, letters);
    return;
  }
  for (const position of groups.keys()) {
    const shown = letters.map((letter, at) => (at === position ? letter : { ...letter, articles: [] }));
    yield renderIndexPage(context, language, letterPage(position), shown);
  }
}

interface LetterGroup {
  readonly letter: string;
  readonly articles: readonly ArticleLinkView[];
}

/** Splits a group with too many articles for a page into numbered groups. */
function divideGroup(group: LetterGroup): readonly LetterGroup[] {
  const { letter, articles } = group;
  if (articles.length <= maxOnOnePage) return [group];
  return Array.from({ length: Math.ceil(articles.length / maxOnOnePage) }, (_none, at) => ({
    letter: `${letter} ${at + 1}`,
    articles: articles.slice(at * maxOnOnePage, (at + 1) * maxOnOnePage),
  }));
}

function renderIndexPage(
  context: SiteContext,
  language: LanguageContext,
  page: PageAddress,
  letters: IndexView['letters'],
): RenderedFile {
  const isFirst = page === language.addresses.index;
  const articles = letters.flatMap((letter) => letter.articles);
  const indexes = inEveryLanguage(context, 'index');
  return renderView(language, {
    ...baseView(context, language, {
      page,
      title: language.texts.text('index'),
      description:
        summarize(articles.map(({ title }) => title).join(' · ')) || language.texts.text('homeLead'),
      isIndexed: isFirst,
      translations: isFirst ? indexes : new Map(),
      fallbackPages: indexes,
      defaultPage: indexes.get(context.plan.defaultLanguage) ?? null,
      schema: isFirst
        ? {
            kind: 'CollectionPage',
            description: null,
            breadcrumbs: breadcrumbs(language, null),
            items: articles,
          }
        : null,
      tree: sideTree(context, language, null),
    }),
    kind: 'index',
    breadcrumbs: breadcrumbs(language, null),
    letters,
    // The page of one letter lists no articles of the others, so there is nothing to fold.
    isFolded: articles.length > maxPlainList && letters.every((letter) => letter.articles.length > 0),
  });
}

/** A page that every language has. */
function inEveryLanguage({ languages }: SiteContext, name: 'index' | 'search' | 'contact') {
  return new Map([...languages].map(([tag, { addresses }]) => [tag, addresses[name]] as const));
}

/** The page of search results. A script fills it; without JavaScript it links to the index. */
export function renderSearch(context: SiteContext, language: LanguageContext): RenderedFile {
  return renderView(language, {
    ...baseView(context, language, {
      page: language.addresses.search,
      title: language.texts.text('search'),
      description: language.texts.text('homeLead'),
      isIndexed: false,
      fallbackPages: inEveryLanguage(context, 'search'),
      tree: sideTree(context, language, null),
    }),
    kind: 'search',
    breadcrumbs: breadcrumbs(language, null),
    popular: language.planned.popularIds.map((id) => articleLink(context, language, id)),
    recent: language.recent.slice(0, popularCount).map(({ id }) => articleLink(context, language, id)),
    categories: topCategories(context, language),
  });
}

/** The page with the contact form. */
export function renderContact(context: SiteContext, language: LanguageContext): RenderedFile {
  return renderView(language, {
    ...baseView(context, language, {
      page: language.addresses.contact,
      title: language.texts.text('contact'),
      description: language.texts.text('contactLead'),
      isIndexed: false,
      fallbackPages: inEveryLanguage(context, 'contact'),
      tree: sideTree(context, language, null),
    }),
    kind: 'contact',
    breadcrumbs: breadcrumbs(language, null),
  });
}

/** Articles in the language's sort order, grouped by first letter; titles that do not start with a letter come last. */
export function groupByLetter(
  language: LanguageContext,
  articles: readonly ArticleLinkView[],
): readonly LetterGroup[] {
  const { tag } = language.planned;
  const compareTitles = titleOrder(tag);
  const letterOf = createIndexLetter(tag);
  const other = language.texts.text('indexOther');
  const sorted = articles.toSorted((a, b) => compareTitles(a.title, b.title) || (a.id < b.id ? -1 : 1));
  return [...groupBy(sorted, ({ title }) => letterOf(title) ?? other)]
    .map(([letter, list]) => ({ letter, articles: list }))
    .sort(
      (a, b) => Number(a.letter === other) - Number(b.letter === other) || compareTitles(a.letter, b.letter),
    );
}

import type { LanguageTag } from '../../core/model.ts';
import { twinAddress } from '../plan/page-url.ts';
import { type ArticlePage, articleOf, type PageAddress, type PlannedArticle, pageOf } from '../plan/plan.ts';
import type { LanguageContext, SiteContext } from './context.ts';
import { hasNotices } from './fallback.ts';
import { articleLink, breadcrumbs, distinctCategory, ownDescription, topicViews } from './link-views.ts';
import { describeChrome, type PageChrome } from './page-chrome.ts';
import { shelfPosition, sideTree } from './side-tree.ts';
import type { ArticleLinkView, ArticleView, BaseView, LinkView } from './views.ts';

/**
 * Everything an article page shows except the text itself. Plain data, because it is passed between threads. Equal metadata and equal
 * bodies give equal pages.
 */
export interface ArticleMetadata {
  readonly chrome: PageChrome;
  /** Whether to show a table of contents. */
  readonly showToc: boolean;
  /** Description that several articles have, which the introduction skips; `''` if there is none. */
  readonly repeatedDescription: string;
  readonly article: Omit<ArticleView['article'], 'html'>;
  readonly rest: Omit<ArticleView, keyof BaseView | 'article' | 'toc'>;
}

/**
 * Metadata of all pages that show one translation of an article: its own page first, then pages with a notice, for languages without a
 * translation (mode `notice` of `site.fallback`).
 */
export function describeArticle(
  context: SiteContext,
  language: LanguageContext,
  articleId: string,
): readonly ArticleMetadata[] {
  const article = articleOf(context.plan, articleId);
  const page = pageOf(article, language.planned.tag);
  return [
    describe(context, language, article, page, page),
    ...(hasNotices(context.settings.fallback) ? describeNotices(context, article, page) : []),
  ];
}

/** The interface is in the reader's language, the text in its own. */
function* describeNotices(
  context: SiteContext,
  article: PlannedArticle,
  shown: ArticlePage,
): Generator<ArticleMetadata> {
  for (const language of context.languages.values()) {
    const fallback = language.fallbackFor(article);
    if (fallback?.mode !== 'notice' || fallback.own === null) continue;
    if (fallback.shown.language !== shown.language) continue;
    yield describe(context, language, article, fallback.own, shown);
  }
}

/** @param page the page @param shown the translation whose text it shows */
function describe(
  context: SiteContext,
  language: LanguageContext,
  article: PlannedArticle,
  page: PageAddress,
  shown: ArticlePage,
): ArticleMetadata {
  const { tag } = language.planned;
  const isNotice = shown.language !== tag;
  const description = ownDescription(context, shown);
  const twin = twinAddress(context.plan, shown);
  const isHome = !isNotice && language.planned.home.articleId === article.id;
  return {
    chrome: describeChrome(context, language, {
      page,
      canonical: isNotice ? shown : page,
      isIndexed: !isNotice,
      title: shown.title,
      titleLanguage: shown.language,
      category: language.repeatedTitles.has(shown.title)
        ? distinctCategory(language, article, shown.title)
        : null,
      kind: 'article',
      translations: article.pages,
      fallbackPages: noticePages(context, article),
      defaultPage: article.pages.get(article.sourceLanguage) ?? null,
      markdown: isNotice ? null : twin,
      tree: sideTree(context, language, article.categoryId, article.id),
    }),
    showToc: article.showToc,
    repeatedDescription: description === null ? (shown.description ?? '') : '',
    article: {
      id: article.id,
      title: shown.title,
      description,
      createdAt: article.createdAt,
      updatedAt: shown.updatedAt ?? article.updatedAt,
      tags: article.tags,
      markdown: twin.href,
      editUrl: editUrl(context.settings.editUrl, article.id, shown),
      lang: isNotice ? shown.language : null,
      dir: context.plan.languageByTag.get(shown.language)?.dir ?? 'ltr',
    },
    rest: {
      kind: 'article',
      breadcrumbs: isHome ? [] : breadcrumbs(language, article.categoryId),
      notice: isNotice
        ? language.texts.text('notTranslated', { source: languageNameIn(tag, shown.language) })
        : null,
      outdated: isNotice ? null : newerOriginal(language, article, shown),
      ...neighbours(context, language, article.categoryId, article.id),
      related: language.related(article.id).map((id) => articleLink(context, language, id)),
      topics: isHome ? topicViews(context, language) : [],
    },
  };
}

/** Days, because a translation is often written hours before the original is published. `null` if a date is unknown. */
function newerOriginal(
  { planned: { tag }, texts }: LanguageContext,
  { pages, sourceLanguage }: PlannedArticle,
  { updatedAt }: ArticlePage,
): LinkView | null {
  const original = pages.get(sourceLanguage);
  if (original === undefined || original.updatedAt === null || updatedAt === null) return null;
  if (updatedAt.slice(0, 10) >= original.updatedAt.slice(0, 10)) return null;
  const title = texts.text('outdated', { source: languageNameIn(tag, sourceLanguage) });
  return { href: original.href, title, lang: sourceLanguage };
}

/** The pattern with its placeholders filled in; `null` if there is no pattern. */
function editUrl(
  pattern: string | undefined,
  id: string,
  { language, path, file }: ArticlePage,
): string | null {
  if (pattern === undefined) return null;
  if (file === null && pattern.includes('{file}')) return null;
  const encode = (one: string) => one.split('/').map(encodeURIComponent).join('/');
  const page = encode(path.replace(/(?:\/index)?\.html?$/, ''));
  const values: Readonly<Record<string, string>> = {
    id,
    lang: language,
    path: page,
    file: encode(file ?? ''),
  };
  return pattern.replace(/\{(id|lang|path|file)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** What the pages of a language show of an article: the link to it on others, and whether its own page has to say more than its title. */
export function describeLink(
  context: SiteContext,
  language: LanguageContext,
  articleId: string,
): { readonly link: ArticleLinkView; readonly isRepeated: boolean } {
  const article = articleOf(context.plan, articleId);
  const shown = language.fallbackFor(article)?.shown ?? article.pages.get(language.planned.tag);
  const isRepeated = shown !== undefined && language.repeatedTitles.has(shown.title);
  return { link: articleLink(context, language, articleId), isRepeated };
}

/** Ids of the other articles whose links a page shows ({@link articleLink}). */
export function shownArticles({ chrome, rest }: ArticleMetadata): readonly string[] {
  const links = [rest.previous, rest.next, ...rest.related].filter((link) => link !== null);
  return [...chrome.tree.articles, ...links.map(({ id }) => id)];
}

function noticePages(context: SiteContext, article: PlannedArticle): ReadonlyMap<LanguageTag, PageAddress> {
  const pages = new Map<LanguageTag, PageAddress>();
  if (!hasNotices(context.settings.fallback)) return pages;
  for (const language of context.languages.values()) {
    const fallback = language.fallbackFor(article);
    if (fallback?.mode === 'notice') pages.set(language.planned.tag, fallback.target);
  }
  return pages;
}

/** Name of a language in the reader's language. */
function languageNameIn(reader: LanguageTag, language: LanguageTag): string {
  const { baseName } = new Intl.Locale(language);
  return new Intl.DisplayNames([reader], { type: 'language' }).of(baseName) ?? language;
}

/** The articles before and after this one in its category. */
function neighbours(
  context: SiteContext,
  language: LanguageContext,
  categoryId: string | null,
  articleId: string,
): { readonly previous: ArticleLinkView | null; readonly next: ArticleLinkView | null } {
  const node = categoryId === null ? undefined : language.planned.categoryById.get(categoryId);
  const shelf = node?.articleIds ?? language.planned.unassignedIds;
  const at = shelfPosition(language.planned, articleId);
  const link = (id: string | undefined) => (id === undefined ? null : articleLink(context, language, id));
  return shelf[at] === articleId
    ? { previous: link(shelf[at - 1]), next: link(shelf[at + 1]) }
    : { previous: null, next: null };
}

import type { Document } from '../content/document.ts';
import type { LanguageTag } from '../model.ts';
import type { ArticlePage, PageAddress, PlannedArticle } from '../plan/plan.ts';
import type { RenderedFile } from './assets.ts';
import { baseView } from './base-view.ts';
import type { LanguageContext, SiteContext } from './context.ts';
import { hasNotices } from './fallback.ts';
import { summarize } from './head.ts';
import { articleLink, breadcrumbs } from './link-views.ts';
import { renderStructuredData } from './structured-data.ts';
import { tableOfContents } from './toc.ts';
import type { ArticleView, LinkView } from './views.ts';

/** The page of one article in one language it is translated into. */
export function renderArticlePage(
  context: SiteContext,
  language: LanguageContext,
  articleId: string,
  document: Document,
): RenderedFile {
  const article = articleOf(context, articleId);
  const page = article.pages.get(language.planned.tag);
  if (page === undefined) {
    throw new Error(`the plan has no page for article "${articleId}" in "${language.planned.tag}"`);
  }
  return render(context, language, { article, page, shown: page, document });
}

/**
 * The pages that show this translation to readers of languages without one of their own, under a notice: interface in
 * the reader's language, text in the language it has.
 */
export function* renderNotices(
  context: SiteContext,
  shownLanguage: LanguageTag,
  articleId: string,
  document: Document,
): Generator<RenderedFile> {
  if (!hasNotices(context.settings.fallback)) return;
  const article = articleOf(context, articleId);
  for (const language of context.languages.values()) {
    const fallback = language.fallbackFor(article);
    if (fallback?.mode !== 'notice' || fallback.shown.language !== shownLanguage || fallback.own === null)
      continue;
    yield render(context, language, { article, page: fallback.own, shown: fallback.shown, document });
  }
}

/** An article page: `shown` is the translation whose text it holds, `page` where it lies. */
interface ArticleParts {
  readonly article: PlannedArticle;
  readonly page: PageAddress;
  readonly shown: ArticlePage;
  readonly document: Document;
}

function render(context: SiteContext, language: LanguageContext, parts: ArticleParts): RenderedFile {
  const { plan } = context;
  const { article, page, shown, document } = parts;
  const { tag } = language.planned;
  const isNotice = shown.language !== tag;
  const description = shown.description ?? (summarize(document.text) || null);
  const trail = breadcrumbs(language, article.categoryId);
  const view: ArticleView = {
    ...baseView(context, language, {
      page,
      canonical: isNotice ? shown : page,
      isIndexed: !isNotice,
      title: shown.title,
      titleLanguage: shown.language,
      description,
      kind: 'article',
      translations: article.pages,
      standIns: noticePages(context, article),
      defaultPage: article.pages.get(article.sourceLanguage) ?? null,
      markdown: isNotice ? null : shown.markdown,
      tree: context.shared.tree(language, article.categoryId, page.href),
      structuredData: isNotice
        ? ''
        : renderStructuredData(plan, {
            page,
            title: shown.title,
            description,
            language: tag,
            kind: 'WebPage',
            breadcrumbs: trail,
            article,
          }),
    }),
    kind: 'article',
    breadcrumbs: trail,
    article: {
      id: article.id,
      title: shown.title,
      description: shown.description,
      createdAt: article.createdAt,
      updatedAt: article.updatedAt,
      tags: article.tags,
      html: focusableCode(document.html),
      markdown: shown.markdown.href,
      lang: isNotice ? shown.language : null,
      dir: plan.languageByTag.get(shown.language)?.dir ?? 'ltr',
    },
    notice: isNotice
      ? language.texts.text('notTranslated', { source: languageNameIn(tag, shown.language) })
      : null,
    toc: article.showToc ? tableOfContents(document.headings) : [],
    ...neighbours(context, language, article.categoryId, article.id),
    related: language.related(article.id).map((id) => articleLink(context, language, id)),
  };
  return { path: page.path, content: language.render('article', view) };
}

/** Code that scrolls sideways must be reachable by keyboard; `<` opens nothing but tags in sanitised HTML. */
function focusableCode(html: string): string {
  return html.replaceAll('<pre', '<pre tabindex="0"');
}

function articleOf(context: SiteContext, articleId: string): PlannedArticle {
  const article = context.plan.articles.get(articleId);
  if (article === undefined) throw new Error(`the plan has no article "${articleId}"`);
  return article;
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

/** Name of a language as readers of another call it. */
function languageNameIn(reader: LanguageTag, language: LanguageTag): string {
  return new Intl.DisplayNames([reader], { type: 'language' }).of(language) ?? language;
}

/** Place of every article on its shelf; shelves may be long, and every article of one asks. */
const shelfPositions = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

/** The articles before and after this one on its shelf. */
function neighbours(
  context: SiteContext,
  language: LanguageContext,
  categoryId: string | null,
  articleId: string,
): { readonly previous: LinkView | null; readonly next: LinkView | null } {
  const node = categoryId === null ? undefined : language.planned.categoryById.get(categoryId);
  const shelf = node?.articleIds ?? language.planned.unassignedIds;
  const positions = shelfPositions.get(shelf) ?? new Map(shelf.map((id, position) => [id, position]));
  shelfPositions.set(shelf, positions);
  const at = positions.get(articleId);
  const link = (id: string | undefined) => (id === undefined ? null : articleLink(context, language, id));
  return at === undefined
    ? { previous: null, next: null }
    : { previous: link(shelf[at - 1]), next: link(shelf[at + 1]) };
}

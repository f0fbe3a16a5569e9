import type { Document } from '../content/document.ts';
import type { LanguageTag } from '../foundation/model.ts';
import type { RenderedFile } from './assets.ts';
import type { ArticleHead } from './describe-article.ts';
import { completeFrame, type SharedFrame } from './frame.ts';
import { summarize } from './head.ts';
import { type DescribedSite, renderStructuredData } from './structured-data.ts';
import { createTemplates, type RenderTemplate } from './templates.ts';
import { createTexts, type Locales } from './texts.ts';
import { tableOfContents } from './toc.ts';
import type { ArticleView, LanguageView, SiteView } from './views.ts';

/** What the pages of all articles share. Plain data: every thread makes its own renderer of it. */
export interface ArticleTheme extends DescribedSite {
  readonly site: SiteView;
  readonly locales: Locales;
  /** Absolute, the site's own first. */
  readonly templateFolders: readonly string[];
  readonly languages: ReadonlyMap<LanguageTag, { readonly view: LanguageView; readonly footer: string }>;
}

/** Makes the page of an article from its head and its text. Pure. @throws TEMPLATE_FAILED */
export type RenderArticle = (head: ArticleHead, document: Document) => RenderedFile;

/** Loads templates and interface texts of every language when they are first needed. */
export function createArticleRenderer(theme: ArticleTheme): RenderArticle {
  const languages = new Map<LanguageTag, ArticleLanguage>();
  return (head, document) => {
    const tag = head.frame.language;
    const language = languages.get(tag) ?? openLanguage(theme, tag);
    languages.set(tag, language);
    const { article, rest, frame, described } = head;
    const description = article.description ?? (summarize(document.text) || null);
    const structuredData = described === null ? '' : renderStructuredData(theme, described, description);
    const view: ArticleView = {
      ...completeFrame(language, frame, { description, structuredData }),
      ...rest,
      article: { ...article, html: focusableCode(document.html) },
      toc: head.showToc ? tableOfContents(document.headings) : [],
    };
    return { path: frame.page.path, content: language.render('article', view) };
  };
}

interface ArticleLanguage extends SharedFrame {
  readonly render: RenderTemplate;
}

function openLanguage(theme: ArticleTheme, tag: LanguageTag): ArticleLanguage {
  const language = theme.languages.get(tag);
  if (language === undefined) throw new Error(`the theme has no language "${tag}"`);
  return {
    siteTitle: theme.siteTitle,
    site: theme.site,
    language: language.view,
    footer: language.footer,
    texts: createTexts(theme.locales, tag),
    render: createTemplates(theme.templateFolders, tag),
  };
}

/** Code that scrolls sideways must be reachable by keyboard; `<` opens nothing but tags in sanitised HTML. */
function focusableCode(html: string): string {
  return html.replaceAll('<pre', '<pre tabindex="0"');
}

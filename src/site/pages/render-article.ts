import type { Document, Heading } from '../../content/document.ts';
import { introductionOf } from '../../content/introduction.ts';
import { oncePerKey } from '../../core/concurrency.ts';
import type { LanguageTag } from '../../core/model.ts';
import type { RenderedFile } from './assets.ts';
import { completeChrome, renderView } from './base-view.ts';
import { completeBody } from './body-parts.ts';
import type { LanguageContext } from './context.ts';
import type { ArticleMetadata } from './describe-article.ts';
import { summarize } from './render-head.ts';
import type { PageSchema } from './structured-data.ts';
import { createTemplates } from './templates.ts';
import { createTexts, type Locales } from './texts.ts';
import type { TocView } from './views.ts';

/** Data that all article pages share. Plain data: every thread creates its own renderer from it. */
export interface ArticleTheme {
  /** `siteUrl` of the plan. */
  readonly siteUrl: string | null;
  readonly locales: Locales;
  /** Absolute, the user's own first. */
  readonly templateFolders: readonly string[];
  readonly languages: ReadonlyMap<LanguageTag, Pick<LanguageContext, 'view' | 'site' | 'footer'>>;
}

/**
 * Renders the page of an article from its metadata and text. Pure.
 * @param introduce `introductionOf` with its second argument, called for an article without a description of its own; absent: no block of the page is shared
 * @throws TEMPLATE_FAILED
 */
export type RenderArticle = (
  metadata: ArticleMetadata,
  document: Document,
  introduce?: (repeated: string) => string,
) => RenderedFile;

/** Loads templates and interface texts of a language on first use. */
export function createArticleRenderer(theme: ArticleTheme): RenderArticle {
  const languageOf = oncePerKey((tag: LanguageTag) => openLanguage(theme, tag));
  return (metadata, document, introduce = (repeated) => introductionOf(document, repeated)) => {
    const language = languageOf(metadata.chrome.language);
    const { article, rest, chrome, repeatedDescription } = metadata;
    const description = article.description ?? (summarize(introduce(repeatedDescription)) || null);
    const { breadcrumbs, notice } = rest;
    // A page that shows a text in another language is not the page of that text.
    const schema: PageSchema | null =
      notice === null ? { kind: 'WebPage', breadcrumbs, description, article } : null;
    return renderView(language, {
      ...completeChrome(theme.siteUrl, language, chrome, description, schema),
      ...rest,
      article: { ...article, html: completeBody(document.html, language.texts) },
      toc: metadata.showToc ? tableOfContents(document.headings) : [],
    });
  };
}

function openLanguage(theme: ArticleTheme, tag: LanguageTag) {
  const language = theme.languages.get(tag);
  if (language === undefined) throw new Error(`the theme has no language "${tag}"`);
  return {
    ...language,
    texts: createTexts(theme.locales, tag),
    render: createTemplates(theme.templateFolders, tag),
  };
}

/** A table of contents needs at least this many entries. */
const minimum = 2;

/** The two topmost levels of headings that the body uses, as a tree; empty if there are too few. */
export function tableOfContents(headings: readonly Heading[]): readonly TocView[] {
  const named = headings.filter(({ text }) => text.trim() !== '');
  // Not Math.min(...levels): an untrusted body may have more headings than a call may have arguments.
  const top = named.reduce((least, { level }) => Math.min(least, level), 6);
  const entries: (TocView & { readonly children: TocView[] })[] = [];
  let count = 0;
  for (const { level, id, text } of named) {
    if (level > top + 1) continue;
    count += 1;
    const parent = entries.at(-1);
    if (level === top || parent === undefined) entries.push({ id, text, children: [] });
    else parent.children.push({ id, text, children: [] });
  }
  return count < minimum ? [] : entries;
}

import type { RenderedFile } from './assets.ts';
import { commonView } from './common-view.ts';
import type { LanguageContext, SiteContext } from './context.ts';
import { describeChrome, type PageChrome, type PageParts } from './page-chrome.ts';
import { renderHead } from './render-head.ts';
import { type PageSchema, renderStructuredData } from './structured-data.ts';
import type { BaseView, PageView } from './views.ts';

/** The fields of a page's view. @param schema what structured data says of the page; absent: it has none */
export function baseView(
  context: SiteContext,
  language: LanguageContext,
  {
    description,
    schema = null,
    ...parts
  }: PageParts & { readonly description: string | null; readonly schema?: PageSchema | null },
): BaseView {
  const chrome = describeChrome(context, language, parts);
  return completeChrome(context.plan.siteUrl, language, chrome, description, schema);
}

/**
 * The fields of a page's view, from its chrome. Pure.
 * @param siteUrl as in the plan
 * @param schema what structured data says of the page; `null`: it has none
 */
export function completeChrome(
  siteUrl: string | null,
  language: Pick<LanguageContext, 'site' | 'view' | 'footer' | 'texts'>,
  chrome: PageChrome,
  description: string | null,
  schema: PageSchema | null,
): BaseView {
  const { site, view, footer } = language;
  const structuredData = schema === null ? '' : renderStructuredData(siteUrl, site, view, chrome, schema);
  const { href, page, languages, tree } = chrome;
  return {
    ...commonView(language),
    page,
    head: renderHead(site, chrome, description, structuredData),
    languages,
    tree: tree.html.replace(`<a href="${href}"`, `<a aria-current="page" href="${href}"`),
    footer,
  };
}

/** The file of a page, from the template of its kind. */
export function renderView({ render }: Pick<LanguageContext, 'render'>, view: PageView): RenderedFile {
  return { path: view.page.path, content: render(view.kind, view) };
}

import type { RenderedFile } from './assets.ts';
import { baseView } from './base-view.ts';
import type { LanguageContext, SiteContext } from './context.ts';
import type { RedirectView } from './views.ts';

/** Pages that lead readers on to another language, in mode `redirect` of `site.fallback`. */
export function* renderRedirects(context: SiteContext, language: LanguageContext): Generator<RenderedFile> {
  for (const article of context.plan.articles.values()) {
    const fallback = language.fallbackFor(article);
    if (fallback?.mode !== 'redirect' || fallback.own === null) continue;
    const { shown, own } = fallback;
    const view: RedirectView = {
      ...baseView(context, language, {
        page: own,
        canonical: shown,
        title: shown.title,
        titleLanguage: shown.language,
        description: null,
        isIndexed: false,
        translations: article.pages,
      }),
      kind: 'redirect',
      target: { href: shown.href, title: shown.title, lang: shown.language },
    };
    yield { path: own.path, content: language.render('redirect', view) };
  }
}

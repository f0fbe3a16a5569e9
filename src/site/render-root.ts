import { fileAddress } from '../plan/page-url.ts';
import type { RenderedFile } from './assets.ts';
import { baseView } from './base-view.ts';
import type { LanguageContext, SiteContext } from './context.ts';
import type { RootView } from './views.ts';

/**
 * `index.html` at the root of the site. With one language it leads there at once; with several it offers them, and a
 * script takes the reader to the first one the browser asks for.
 */
export function renderRoot(context: SiteContext, language: LanguageContext): RenderedFile {
  const { plan } = context;
  const page = fileAddress(plan, 'index.html');
  const isSingle = plan.languages.length === 1;
  const view: RootView = {
    ...baseView(context, language, {
      page,
      title: null,
      description: language.texts.text('homeLead'),
      isIndexed: !isSingle,
      translations: new Map(plan.languages.map(({ tag, home }) => [tag, home])),
      defaultPage: page,
    }),
    kind: 'root',
    redirect: isSingle ? language.planned.home.href : null,
  };
  return { path: page.path, content: language.render('root', view) };
}

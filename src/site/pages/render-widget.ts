import type { RenderedFile } from './assets.ts';
import type { SiteContext } from './context.ts';
import { widgetPath } from './headers-file.ts';
import { accentsOf, ground } from './palettes.ts';

/**
 * The script that shows the site in pages of other origins (`site.widget`): the theme's `help-widget.js` with the texts of all languages.
 * @param source of the theme's script; it names what it is given `config`
 */
export function renderWidget({ plan, settings, languages }: SiteContext, source: string): RenderedFile {
  const config = {
    // Absolute paths: `basePath` is in them.
    languages: Object.fromEntries(
      [...languages.values()].map(({ planned, texts, view }) => [
        planned.tag,
        {
          dir: view.dir,
          home: view.home,
          search: view.search,
          site: planned.siteTitle,
          title: texts.text('homeTitle'),
          close: texts.text('close'),
        },
      ]),
    ),
    first: plan.languages[0]?.tag ?? '',
    accent: accentsOf(settings.theme),
    ground,
  };
  return { path: widgetPath, content: `((config) => {\n${source}})(${JSON.stringify(config)});\n` };
}

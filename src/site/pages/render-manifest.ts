import type { RenderedFile } from './assets.ts';
import { brandPictures } from './brand-pictures.ts';
import type { LanguageContext, SiteContext } from './context.ts';
import { accentsOf } from './palettes.ts';

/** The web app manifest of a language: name, colours and icons of the site on home screens. */
export function renderManifest(
  { settings, plan }: SiteContext,
  { planned, site, view, addresses }: LanguageContext,
): RenderedFile {
  const icons = [
    ...(site.logo !== null
      ? site.touchIcon === null
        ? []
        : [{ src: site.touchIcon }]
      : [...brandPictures(settings.theme, plan.siteTitle).icons].map(([size, path]) => ({
          src: `${plan.basePath}/${path}`,
          sizes: `${size}x${size}`,
          type: 'image/png',
        }))),
    { src: site.assets['favicon.svg'], sizes: 'any', type: 'image/svg+xml' },
  ];
  const manifest = {
    name: planned.siteTitle,
    lang: planned.tag,
    dir: planned.dir,
    start_url: view.home,
    scope: view.home,
    display: 'minimal-ui',
    theme_color: accentsOf(settings.theme).light,
    background_color: site.themeColor.light,
    icons,
  };
  return { path: addresses.manifest.path, content: `${JSON.stringify(manifest, null, 2)}\n` };
}

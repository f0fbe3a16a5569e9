import type { SiteSettings } from '../config/site-settings.ts';
import { ownText, type PerLanguage, textFor } from '../foundation/language.ts';
import type { Plan, PlannedLanguage } from '../plan/plan.ts';
import type { Asset } from './assets.ts';
import { type PublicFiles, resolveFileUrl } from './public-files.ts';
import type { SiteView } from './views.ts';

/**
 * What all pages of one language share.
 * @throws SITE_FILE_MISSING
 */
export function siteView(
  { tag, siteTitle }: PlannedLanguage,
  parts: {
    readonly plan: Plan;
    readonly settings: SiteSettings;
    readonly assets: readonly Asset[];
    readonly publicFiles: PublicFiles;
  },
): SiteView {
  const { plan, settings, assets, publicFiles } = parts;
  const files = {
    basePath: plan.basePath,
    assets: new Map(assets.map((asset) => [asset.name, asset])),
    publicFiles,
  };
  const own = (texts: PerLanguage) => textFor(texts, tag, plan.defaultLanguage);
  const ownOrNull = (texts: PerLanguage | undefined) => (texts === undefined ? null : own(texts));
  const fileUrl = (value: string | null, setting: string) =>
    value === null ? null : resolveFileUrl(value, `site.${setting}`, files);
  const absolute = (href: string | null) =>
    href === null || plan.siteUrl === null ? null : new URL(href, plan.siteUrl).href;
  const links = (list: SiteSettings['headerLinks']) =>
    list.map(({ title, href }) => ({ title: own(title), href: own(href), lang: null }));
  const { announcement, publisher } = settings;
  const announced = announcement === undefined ? null : ownText(announcement.text, tag);
  const logo = fileUrl(settings.logo ?? null, 'logo');
  return {
    title: siteTitle,
    assets: Object.fromEntries(assets.map(({ name, path }) => [name, `${plan.basePath}/${path}`])),
    isMultilingual: plan.languages.length > 1,
    logo,
    logoDark: fileUrl(settings.logoDark ?? null, 'logoDark'),
    headerLinks: links(settings.headerLinks),
    footerLinks: links(settings.footerLinks),
    contact: ownOrNull(settings.contact),
    announcement: announced === null ? null : { text: announced, href: ownOrNull(announcement?.href) },
    feedback: settings.feedback ?? null,
    countViews: settings.statistics?.replace(/\/?\?/, '/stats/article/{id}?') ?? null,
    ogImage: absolute(fileUrl(ownOrNull(settings.ogImage), 'ogImage')),
    publisher: {
      name: ownOrNull(publisher?.name) ?? siteTitle,
      url: publisher?.url ?? plan.siteUrl,
      logo: absolute(logo),
    },
  };
}

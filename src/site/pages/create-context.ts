import { once } from '../../core/concurrency.ts';
import { announcementOf, contactFormOf, type SiteSettings } from '../../core/config/site-settings.ts';
import { countEach } from '../../core/group-by.ts';
import { ownText, type PerLanguage, textFor } from '../../core/language.ts';
import { fileAddress, homeAddress } from '../plan/page-url.ts';
import type { Plan, PlannedLanguage } from '../plan/plan.ts';
import type { UrlPattern } from '../plan/plan-articles.ts';
import type { Asset } from './assets.ts';
import { brandPictures } from './brand-pictures.ts';
import { commonView } from './common-view.ts';
import {
  type LanguageAddresses,
  type LanguageContext,
  maxRecent,
  type RecentArticle,
  type SiteContext,
} from './context.ts';
import { fallbackFor } from './fallback.ts';
import { ground } from './palettes.ts';
import { type PublicFiles, resolveFileUrl } from './public-files.ts';
import { searchScript } from './read-assets.ts';
import { createRelatedArticles, type KnownRelated } from './related.ts';
import { createTemplates } from './templates.ts';
import { createTexts, type Locales } from './texts.ts';
import type { LanguageView, SiteView } from './views.ts';

/** Parts of a context, read and validated. */
interface ContextParts {
  readonly plan: Plan;
  readonly settings: SiteSettings;
  readonly assets: readonly Asset[];
  readonly publicFiles: PublicFiles;
  readonly locales: Locales;
  /** Absolute template folders, the user's own first. */
  readonly templateFolders: readonly string[];
  readonly pattern: UrlPattern;
  readonly noindex: boolean;
  readonly knownRelated: KnownRelated;
}

export function createContext(parts: ContextParts): SiteContext {
  const { plan, settings, assets, noindex } = parts;
  const languages = new Map(
    plan.languages.map((planned) => [planned.tag, createLanguageContext(planned, parts)] as const),
  );
  return { plan, settings, assets, languages, noindex };
}

/**
 * URLs of the pages that each language has besides those of the plan. URLs of articles and categories must not conflict with them.
 * @param language they are in its folder
 */
export function languageAddresses(plan: Plan, language: PlannedLanguage): LanguageAddresses {
  const folder = `${language.tag}/`;
  return {
    index: fileAddress(plan, `${folder}index/index.html`),
    search: fileAddress(plan, `${folder}search/index.html`),
    contact: fileAddress(plan, `${folder}search/contact/index.html`),
    notFound: fileAddress(plan, `${folder}404.html`),
    feed: fileAddress(plan, `${folder}updates.atom`),
    manifest: fileAddress(plan, `${folder}manifest.webmanifest`),
    searchIndex: fileAddress(plan, `${folder}search/index.json`),
  };
}

function createLanguageContext(planned: PlannedLanguage, parts: ContextParts): LanguageContext {
  const { plan } = parts;
  const addresses = languageAddresses(plan, planned);
  const site = siteView(planned, parts);
  const recent = recentIds(plan, planned, maxRecent);
  const repeatedTitles = once(() => {
    const ofCategories = Array.from(planned.categoryById.values(), ({ page }) => page.title);
    return findRepeated(plan, planned, 'title', 2, ofCategories);
  });
  const repeatedDescriptions = once(() => findRepeated(plan, planned, 'description', 3));
  const texts = createTexts(parts.locales, planned.tag);
  const related = createRelatedArticles(plan, planned);
  const render = createTemplates(parts.templateFolders, planned.tag);
  const view: LanguageView = {
    tag: planned.tag,
    dir: planned.dir,
    name: planned.name,
    home: homeAddress(plan, planned).href,
    index: addresses.index.href,
    search: addresses.search.href,
    searchIndex: addresses.searchIndex.href,
    searchScript: site.assets[searchScript(planned.tag)] ?? '',
    manifest: addresses.manifest.href,
    feed: plan.siteUrl !== null && recent.length > 0 ? addresses.feed.href : null,
  };
  return {
    ...{ planned, texts, render, addresses, site, view, recent },
    footer: render('partials/footer', {
      ...commonView({ site, view, texts }),
      kind: 'shared',
      categories: [],
    }),
    get repeatedTitles() {
      return repeatedTitles();
    },
    get repeatedDescriptions() {
      return repeatedDescriptions();
    },
    related: (id) => parts.knownRelated(id, planned.tag) ?? related(id),
    fallbackFor: (article) => fallbackFor(plan, parts.settings.fallback, parts.pattern, article, planned.tag),
  };
}

/** Titles or descriptions that at least `least` articles of a language have. @param others count, too */
function findRepeated(
  plan: Plan,
  { tag, articleIds }: PlannedLanguage,
  field: 'title' | 'description',
  least: number,
  others: readonly string[] = [],
): ReadonlySet<string> {
  const own = articleIds.flatMap((id) => plan.articles.get(id)?.pages.get(tag)?.[field] ?? []);
  return new Set(
    [...countEach([...own, ...others])].filter(([, count]) => count >= least).map(([text]) => text),
  );
}

/** The most recently updated articles of a language, newest first, ties by id; undated ones are skipped. */
export function recentIds(plan: Plan, language: PlannedLanguage, count: number): readonly RecentArticle[] {
  const newest: RecentArticle[] = [];
  for (const id of language.articleIds) {
    const article = plan.articles.get(id);
    const updatedAt = article?.pages.get(language.tag)?.updatedAt ?? article?.updatedAt ?? null;
    const oldest = newest[count - 1];
    if (updatedAt === null || (oldest !== undefined && updatedAt <= oldest.updatedAt)) continue;
    // The ids are sorted, so articles with the same date are, too.
    const at = newest.findIndex((other) => other.updatedAt < updatedAt);
    newest.splice(at < 0 ? newest.length : at, 0, { id, updatedAt });
    if (newest.length > count) newest.pop();
  }
  return newest;
}

/**
 * Creates the view data that all pages of one language share.
 * @throws SITE_FILE_MISSING
 */
function siteView(planned: PlannedLanguage, { plan, settings, assets, publicFiles }: ContextParts): SiteView {
  const { tag, siteTitle } = planned;
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
  const { contact, logo: logos = null } = settings;
  const bar = announcementOf(settings);
  const announced = bar === null ? null : ownText(bar.text, tag);
  const [light, dark] =
    typeof logos === 'string' ? [logos, null] : [logos?.light ?? null, logos?.dark ?? null];
  const logo = fileUrl(light, 'logo');
  const contactForm = contactFormOf(settings) ?? null;
  const pictures = brandPictures(settings.theme, plan.siteTitle);
  const ownIcon = 'apple-touch-icon.png';
  const touchIcon = publicFiles.paths.has(ownIcon) ? `${plan.basePath}/${ownIcon}` : null;
  const rasterLogo = logo !== null && /\.(?:png|jpe?g|webp)$/i.test(logo) ? logo : null;
  return {
    title: siteTitle,
    assets: Object.fromEntries(assets.map(({ name, path }) => [name, `${plan.basePath}/${path}`])),
    isMultilingual: plan.languages.length > 1,
    logo,
    logoDark: fileUrl(dark, 'logo'),
    headerLinks: links(settings.headerLinks),
    footerLinks: links(settings.footerLinks),
    contact:
      contactForm === null
        ? ownOrNull(contact as PerLanguage | undefined)
        : languageAddresses(plan, planned).contact.href,
    contactForm,
    announcement: announced === null ? null : { text: announced, href: ownOrNull(bar?.href) },
    feedback: settings.feedback ?? null,
    answers: settings.answers?.url ?? null,
    countViews: settings.statistics?.replace(/\/?\?/, '/stats/article/{id}?') ?? null,
    countSearches: settings.statistics?.replace(/\/?\?/, '/stats/search?') ?? null,
    themeColor: ground,
    touchIcon:
      touchIcon ?? rasterLogo ?? (logo === null ? `${plan.basePath}/${pictures.icons.get(192)}` : null),
    ogImage: absolute(
      fileUrl(ownOrNull(settings.ogImage), 'ogImage') ?? rasterLogo ?? `${plan.basePath}/${pictures.share}`,
    ),
    logoUrl: absolute(logo),
  };
}

import type { SiteSettings } from '../../core/config/site-settings.ts';
import type { LanguageTag } from '../../core/model.ts';
import type { PageAddress, Plan, PlannedArticle, PlannedLanguage } from '../plan/plan.ts';
import type { Asset } from './assets.ts';
import type { Fallback } from './fallback.ts';
import type { RelatedArticles } from './related.ts';
import type { RenderTemplate } from './templates.ts';
import type { Texts } from './texts.ts';
import type { LanguageView, SiteView } from './views.ts';

/** URLs of the pages that a language has besides those of the plan. */
export interface LanguageAddresses {
  readonly index: PageAddress;
  readonly search: PageAddress;
  /** The contact form, if `site.contact` is a form. */
  readonly contact: PageAddress;
  readonly notFound: PageAddress;
  readonly feed: PageAddress;
  /** The web app manifest. */
  readonly manifest: PageAddress;
  /** The file that the search loads first. */
  readonly searchIndex: PageAddress;
}

/** One language, with the data that its pages share. */
export interface LanguageContext {
  readonly planned: PlannedLanguage;
  readonly texts: Texts;
  readonly render: RenderTemplate;
  readonly view: LanguageView;
  /** View data of the whole site in this language. */
  readonly site: SiteView;
  readonly addresses: LanguageAddresses;
  /** HTML of the footer, the same on all pages of the language. */
  readonly footer: string;
  /** Titles that several articles or categories have. */
  readonly repeatedTitles: ReadonlySet<string>;
  /** Descriptions that three or more articles have: they do not tell the articles apart. */
  readonly repeatedDescriptions: ReadonlySet<string>;
  /** The most recently updated articles, newest first, at most `maxRecent`. */
  readonly recent: readonly RecentArticle[];
  readonly related: RelatedArticles;
  /** Fallback of an article that is not translated; `null` if it is. */
  readonly fallbackFor: (article: PlannedArticle) => Fallback | null;
}

/** An article and when it was last updated (ISO 8601, UTC). */
export interface RecentArticle {
  readonly id: string;
  readonly updatedAt: string;
}

/** Everything that rendering needs besides the page's own content; created once per run. */
export interface SiteContext {
  readonly plan: Plan;
  readonly settings: SiteSettings;
  /** Whether search engines are asked not to list the site. */
  readonly noindex: boolean;
  readonly assets: readonly Asset[];
  readonly languages: ReadonlyMap<LanguageTag, LanguageContext>;
}

/** Maximum number of recently updated articles: the entries of an Atom feed. Feed readers fetch often; older updates are in the sitemap. */
export const maxRecent = 50;

import type { SiteSettings } from '../../core/config/site-settings.ts';
import type { LanguageTag } from '../../core/model.ts';
import { fileAddress } from '../plan/page-url.ts';
import type { ArticlePage, PageAddress, Plan, PlannedArticle } from '../plan/plan.ts';
import {
  fallbackKey,
  fallbackModeOf,
  findFallbackPage,
  type UrlPattern,
  wantedFallbackPath,
} from '../plan/plan-articles.ts';

/** Fallback for an article that is not translated into a language. */
export interface Fallback {
  readonly mode: 'omit' | 'notice' | 'redirect';
  /** The translation (or original) shown instead. */
  readonly shown: ArticlePage;
  /** Target of links in this language: the notice page if there is one, else `shown`. */
  readonly target: PageAddress;
  /** Page of the notice or the redirect; `null` in mode `omit`. */
  readonly own: PageAddress | null;
}

/** Finds the fallback of an article in a language; `null` if it is translated. */
export function fallbackFor(
  plan: Plan,
  settings: SiteSettings['fallback'],
  pattern: UrlPattern,
  article: PlannedArticle,
  language: LanguageTag,
): Fallback | null {
  if (article.pages.has(language)) return null;
  const shown = findFallbackPage(settings, article, language);
  const mode = fallbackModeOf(settings, language);
  if (mode === 'omit') return { mode, shown, target: shown, own: null };
  const isDefault = language === plan.defaultLanguage;
  const path =
    plan.movedFallbacks.get(fallbackKey(article.id, language)) ??
    wantedFallbackPath(pattern, isDefault, article, language, shown);
  const address = fileAddress(plan, path);
  return { mode, shown, target: mode === 'notice' ? address : shown, own: address };
}

/** Whether any language shows articles with a notice. If none does, checking each article would waste time. */
export function hasNotices(settings: SiteSettings['fallback']): boolean {
  return (
    settings.mode === 'notice' || Object.values(settings.languages).some(({ mode }) => mode === 'notice')
  );
}

import type { SiteSettings } from '../config/site-settings.ts';
import type { LanguageTag } from '../model.ts';
import { expandPattern, fileAddress } from '../plan/address.ts';
import type { ArticlePage, PageAddress, Plan, PlannedArticle } from '../plan/plan.ts';
import { slugify } from '../plan/slug.ts';

/** What a reader of a language gets for an article that is not translated into it. */
export interface Fallback {
  readonly mode: 'omit' | 'notice' | 'redirect';
  /** The translation (or original) shown instead. */
  readonly shown: ArticlePage;
  /** Where links of this language lead: the notice page where there is one, else `shown` itself. */
  readonly target: PageAddress;
  /** Where the notice or the redirect lies; `null` in mode `omit`. */
  readonly own: PageAddress | null;
}

/** URL patterns of articles, as configured. */
export interface ArticlePatterns {
  readonly article: string;
  /** Pattern of the default language, where it differs. */
  readonly defaultArticle?: string | undefined;
}

/**
 * What stands in for an article in a language; `null` where the article is translated into it.
 * The configured chain is tried first, then the tag's own prefixes (`pt-BR` → `pt`), then the article's source language.
 */
export function fallbackFor(
  plan: Plan,
  settings: SiteSettings['fallback'],
  patterns: ArticlePatterns,
  article: PlannedArticle,
  language: LanguageTag,
): Fallback | null {
  if (article.pages.has(language)) return null;
  const own = settings.languages[language];
  const chain = [
    ...(own?.chain ?? []),
    ...prefixes(language),
    article.sourceLanguage,
    ...article.pages.keys(),
  ];
  const tag = chain.find((candidate) => article.pages.has(candidate));
  const shown = tag === undefined ? undefined : article.pages.get(tag);
  if (shown === undefined) throw new Error(`article "${article.id}" has no page in any language`);
  const mode = own?.mode ?? settings.mode;
  if (mode === 'omit') return { mode, shown, target: shown, own: null };
  const pattern =
    language === plan.defaultLanguage ? (patterns.defaultArticle ?? patterns.article) : patterns.article;
  const path = expandPattern(pattern, { lang: language, id: article.id, slug: slugify(shown.title) });
  const address = fileAddress(plan, path);
  return { mode, shown, target: mode === 'notice' ? address : shown, own: address };
}

/** Whether any language shows articles under a notice; asking article by article would take long where none does. */
export function hasNotices(settings: SiteSettings['fallback']): boolean {
  return (
    settings.mode === 'notice' || Object.values(settings.languages).some(({ mode }) => mode === 'notice')
  );
}

/** Shorter and shorter forms of a tag: `zh-Hant-TW` gives `zh-Hant`, `zh`. */
function prefixes(tag: LanguageTag): readonly LanguageTag[] {
  const parts = tag.split('-');
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join('-'));
}

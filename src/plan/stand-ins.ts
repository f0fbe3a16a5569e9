import type { LanguageTag } from '../foundation/model.ts';
import { expandPattern } from './address.ts';
import type { ArticlePage, PlannedArticle } from './plan.ts';
import { claimPath, type PlanContext, type UrlPatterns } from './plan-articles.ts';
import { slugify } from './slug.ts';

/** `site.fallback` of the configuration: what readers get for an article that is not translated. */
export interface StandInSettings {
  readonly mode: StandInMode;
  readonly languages: Readonly<
    Record<string, { readonly mode?: StandInMode | undefined; readonly chain: readonly string[] }>
  >;
}

export type StandInMode = 'omit' | 'notice' | 'redirect';

/** What an article without a translation has in a language. */
export function standInMode(settings: StandInSettings, language: LanguageTag): StandInMode {
  return settings.languages[language]?.mode ?? settings.mode;
}

/**
 * The page shown instead of a missing translation: the configured chain is tried first, then the tag's own prefixes
 * (`pt-BR` → `pt`), then the article's source language.
 */
export function shownInstead(
  settings: StandInSettings,
  article: PlannedArticle,
  language: LanguageTag,
): ArticlePage {
  const chain = [
    ...(settings.languages[language]?.chain ?? []),
    ...prefixes(language),
    article.sourceLanguage,
    ...article.pages.keys(),
  ];
  const tag = chain.find((candidate) => article.pages.has(candidate));
  const shown = tag === undefined ? undefined : article.pages.get(tag);
  if (shown === undefined) throw new Error(`article "${article.id}" has no page in any language`);
  return shown;
}

/** The path a stand-in wants: that of a page of its language, with the slug of the title it shows. */
export function wantedStandInPath(
  patterns: UrlPatterns,
  isDefaultLanguage: boolean,
  article: PlannedArticle,
  language: LanguageTag,
  shown: ArticlePage,
): string {
  const pattern = isDefaultLanguage ? patterns.defaultPattern : patterns.pattern;
  return expandPattern(pattern, { lang: language, id: article.id, slug: slugify(shown.title) });
}

/**
 * Gives the pages that stand in for missing translations their paths, after all pages that show their own text. Only paths
 * that differ from the wanted ones are kept, by {@link standInKey}: a large site has more stand-ins than pages.
 */
export function planStandIns(
  articles: ReadonlyMap<string, PlannedArticle>,
  patterns: UrlPatterns,
  settings: StandInSettings,
  context: PlanContext,
): ReadonlyMap<string, string> {
  const moved = new Map<string, string>();
  for (const language of context.languages) {
    if (standInMode(settings, language) === 'omit') continue;
    const isDefault = language === context.defaultLanguage;
    for (const article of articles.values()) {
      if (article.pages.has(language)) continue;
      const shown = shownInstead(settings, article, language);
      const wanted = wantedStandInPath(patterns, isDefault, article, language, shown);
      const path = claimPath('article', article.id, language, wanted, context);
      if (path !== wanted) moved.set(standInKey(article.id, language), path);
    }
  }
  return moved;
}

export function standInKey(articleId: string, language: LanguageTag): string {
  return `${articleId}/${language}`;
}

/** Shorter and shorter forms of a tag: `zh-Hant-TW` gives `zh-Hant`, `zh`. */
function prefixes(tag: LanguageTag): readonly LanguageTag[] {
  const parts = tag.split('-');
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join('-'));
}

import type { LanguageTag } from './model.ts';

/** A text for all languages, or one for each language by its tag. */
export type PerLanguage = string | Readonly<Record<LanguageTag, string>>;

/**
 * The text of a language: its own, else that of its tag without the last parts (`pt-BR` reads `pt`), else that of the default
 * language, else the first there is; empty where there is none.
 */
export function textFor(texts: PerLanguage, language: LanguageTag, defaultLanguage: LanguageTag): string {
  if (typeof texts === 'string') return texts;
  return ownText(texts, language) ?? ownText(texts, defaultLanguage) ?? Object.values(texts)[0] ?? '';
}

/** The same, but `null` where neither the tag nor its beginning is named. */
export function ownText(texts: PerLanguage, language: LanguageTag): string | null {
  if (typeof texts === 'string') return texts;
  for (let tag = language; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    const text = Object.hasOwn(texts, tag) ? texts[tag] : undefined;
    if (text !== undefined) return text;
  }
  return null;
}

import { once, oncePerKey } from './concurrency.ts';
import { orNull } from './errors.ts';
import type { LanguageTag } from './model.ts';

/** Names that Windows reserves for devices. They cannot be folder names there, and some look like languages. */
const deviceNames = new Set(['con', 'prn', 'aux', 'nul']);

/** Key that is equal for two tags of the same language: RFC 5646 ignores case and replaces old codes (`iw` is `he`). */
export function languageKey(tag: string): string {
  return (canonicalTag(tag) ?? tag).toLowerCase();
}

/** Whether two tags are of the same language, however they are spelled. */
export function isSameLanguage(one: string, other: string): boolean {
  return languageKey(one) === languageKey(other);
}

/**
 * Whether a text is a BCP 47 language tag that is also a safe folder name: ASCII letters and digits joined by hyphens, starting with a
 * language of two or three letters (longer ones are reserved and never assigned).
 */
export function isLanguageTag(text: string): boolean {
  return canonicalTag(text) !== null;
}

/** Cached, because Intl is slow and a knowledge base repeats a few tags in every record. */
const canonicalTag = oncePerKey(readTag, 1000);

/** A tag in its canonical form; `null` if the text is not a usable one. */
function readTag(text: string): string | null {
  if (!/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/.test(text) || text.length > 35) return null;
  if (deviceNames.has(text.toLowerCase())) return null;
  return orNull(() => Intl.getCanonicalLocales(text)[0] ?? null);
}

/** A tag with the region code of the United Kingdom: `en-UK`, as people write it, is no language that browsers and search engines know. */
export function withKnownRegion(tag: string): string {
  return tag.replace(/^([a-z]{2,3}(?:-[a-z]{4})?)-uk$/i, '$1-GB');
}

const rightToLeftScript = /^(?:Adlm|Arab|Aran|Hebr|Mand|Mend|Nkoo|Rohg|Samr|Syrc|Thaa)$/;

/** Most likely script of a language (CLDR likely subtags), e.g. `Hant` for `zh-TW`; absent: not known. */
function scriptOf(tag: string): string | undefined {
  return new Intl.Locale(tag).maximize().script;
}

/**
 * The published language that a tag names: the same whatever the case, else one of the same base language and script, since an assistant
 * knows its reader as `en-US`, or as `en_US` in the form of operating systems. A tag without a region or script (`zh`) names all of its base
 * language. `undefined`: there is no such language.
 */
export function findLanguage(name: string, languages: readonly string[]): string | undefined {
  const tag = name.replaceAll('_', '-');
  if (!isLanguageTag(tag)) return undefined;
  const key = languageKey(tag);
  const baseOf = (text: string): string => languageKey(text).split('-', 1)[0] ?? '';
  const related = languages.filter((one) => isLanguageTag(one) && baseOf(one) === baseOf(tag));
  const readable = related.filter((one) => scriptOf(one) === scriptOf(tag));
  return (
    related.find((one) => languageKey(one) === key) ??
    readable.find((one) => languageKey(one) === baseOf(tag)) ??
    readable[0] ??
    (key === baseOf(tag) ? related[0] : undefined)
  );
}

/** Writing direction of a language, by its most likely script. */
export function textDirection(tag: string): 'ltr' | 'rtl' {
  return rightToLeftScript.test(scriptOf(tag) ?? '') ? 'rtl' : 'ltr';
}

/** Name of a language in the language itself, e.g. `Deutsch`, `العربية`; the tag if CLDR has no name. */
export function languageName(tag: string): string {
  // Since Node 22, DisplayNames refuses extensions such as that of en-x-internal.
  const { baseName } = new Intl.Locale(tag);
  const names = new Intl.DisplayNames([tag], { type: 'language', languageDisplay: 'standard' });
  const name = names.of(baseName) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

/** Made on first use, because it takes 30 ms, which is a tenth of a run that finds nothing changed. */
const englishNames = once(() => new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }));

/** Name of a language in English; `null` if CLDR has none, as of `my-project`, or the text is no tag. */
export function englishName(tag: string): string | null {
  return orNull(() => englishNames().of(tag) ?? null);
}

/** A text for all languages, or one per language tag. */
export type PerLanguage = string | Readonly<Record<LanguageTag, string>>;

/**
 * The text for a language: its own, else that of a shorter tag (`pt-BR` uses `pt`), else that of the default language, else the first;
 * empty if there is none.
 */
export function textFor(texts: PerLanguage, language: LanguageTag, defaultLanguage: LanguageTag): string {
  if (typeof texts === 'string') return texts;
  return ownText(texts, language) ?? ownText(texts, defaultLanguage) ?? Object.values(texts)[0] ?? '';
}

/** The text for a language or a shorter tag, however its tag is spelt (`en-UK` is `en-GB`, `tl` is `fil`); `null` if there is none. */
export function ownText(texts: PerLanguage, language: LanguageTag): string | null {
  if (typeof texts === 'string') return texts;
  const byKey = new Map(
    Object.entries(texts).map(([tag, text]) => [languageKey(withKnownRegion(tag)), text]),
  );
  for (let tag = language; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    const text = byKey.get(languageKey(tag));
    if (text !== undefined) return text;
  }
  return null;
}

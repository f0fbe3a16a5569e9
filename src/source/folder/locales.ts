import { englishName, isLanguageTag, languageKey } from '../../core/language.ts';

/** Decides which folders and suffixes are languages. */
export interface LocaleRule {
  /** Language names; `null`: every two-letter code and `fil`, also with a script or region, that CLDR has a name for, which `my-project` has not. */
  readonly locales: readonly string[] | null;
  readonly defaultLanguage: string;
  /** Language suffixes, by {@link keyOfLocale}. Only settings or other pages make `vite.config.ts.md` a page in Tsonga. */
  readonly suffixes: ReadonlySet<string>;
}

/** The `languageKey` of a name, in which `_` may replace `-`. */
export function keyOfLocale(name: string): string {
  return languageKey(name.replaceAll('_', '-'));
}

/** Whether the name of a folder or a suffix is a language. */
export function isLocale(name: string, { locales, defaultLanguage }: Omit<LocaleRule, 'suffixes'>): boolean {
  const tag = name.replaceAll('_', '-');
  if (!isLanguageTag(tag)) return false;
  const key = languageKey(tag);
  if (key === languageKey(defaultLanguage)) return true;
  if (locales !== null) return locales.some((locale) => languageKey(locale) === key);
  const [base = ''] = tag.split('-');
  if (base.length !== 2 && base !== filipino) return false;
  // Extensions, as in `my-e-commerce`, are no part of a language, and Node 24 throws for them. What follows `-x-` may have any name.
  const { baseName } = new Intl.Locale(tag);
  return !/-[a-wyz\d]-/i.test(tag) && englishName(baseName) !== null;
}

/** What `tl` is called now. Other names of three letters are languages only if the settings say so, because `new` and `bug` are languages, too. */
const filipino = 'fil';

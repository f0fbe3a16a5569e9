import { isLanguageTag, languageKey } from '../../foundation/language.ts';

/** What the path of a page says. */
export interface PagePath {
  /** Relative to the folder of the pages, without language folder, suffix and extension: the same for all languages. */
  readonly key: string;
  /** Folder part of the key; `''` at the top. */
  readonly folder: string;
  /** Last part of the key. */
  readonly name: string;
  /** `null`: the default language. */
  readonly language: string | null;
  /** Whether it is the page of its folder: `index`, `README`, or `_index` of Hugo. */
  readonly isIndex: boolean;
}

/** Which folders and suffixes are languages. */
export interface LocaleRule {
  /** Names that are; `null`: every code of two letters, also with a script or region, that CLDR has a name for. */
  readonly locales: readonly string[] | null;
  readonly defaultLanguage: string;
}

const indexes = new Set(['index', '_index', 'readme']);

/**
 * Reads the path of a page: `de/guides/start.md` and `guides/start.de.md` are `guides/start` in German.
 * @param path with extension, relative to the folder of the pages
 * @param hasFile of paths without extension, for suffixes: `vite.config.ts.md` is not in Tsonga, as there is no `vite.config.md`
 * @param folderLanguage of all pages of the folder, where it has one
 */
export function parsePagePath(
  path: string,
  rule: LocaleRule,
  hasFile: (stem: string) => boolean,
  folderLanguage: string | null,
): PagePath {
  let stem = path.replace(/\.[^./]+$/, '');
  let language = folderLanguage;
  const [first = '', ...rest] = stem.split('/');
  if (language === null && rest.length > 0 && isLocale(first, rule)) {
    language = first;
    stem = rest.join('/');
  }
  const [, base = '', suffix = ''] = /^(.*[^/])\.([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*)$/.exec(stem) ?? [];
  if (language === null && suffix !== '' && isLocale(suffix, rule)) {
    const others = [base, `${base}.${rule.defaultLanguage}`];
    if (languageKey(suffix) === languageKey(rule.defaultLanguage) || others.some(hasFile)) {
      language = suffix;
      stem = base;
    }
  }
  const at = stem.lastIndexOf('/');
  const name = stem.slice(at + 1);
  return {
    key: stem.normalize('NFC'),
    folder: at === -1 ? '' : stem.slice(0, at).normalize('NFC'),
    name,
    language: language === null ? null : language.replaceAll('_', '-'),
    isIndex: indexes.has(name.toLowerCase()),
  };
}

/** Whether the name of a folder or a suffix is a language. */
export function isLocale(name: string, { locales, defaultLanguage }: LocaleRule): boolean {
  const tag = name.replaceAll('_', '-');
  if (!isLanguageTag(tag)) return false;
  const key = languageKey(tag);
  if (key === languageKey(defaultLanguage)) return true;
  if (locales !== null) return locales.some((locale) => languageKey(locale) === key);
  const [base = ''] = tag.split('-');
  return base.length === 2 && languageNames.of(base) !== undefined;
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** `01-getting_started` → order 1, name `getting_started`; a date is no order. */
export function splitOrder(name: string): { readonly order: number | null; readonly rest: string } {
  const [, digits, rest] = /^(\d{1,3})[-_. ]+(?!\d)(.+)$/.exec(name) ?? [];
  return digits === undefined ? { order: null, rest: name } : { order: Number(digits), rest: rest ?? name };
}

/** `getting_started` → `Getting started`. */
export function titleOfName(name: string): string {
  const words = splitOrder(name).rest.replace(/[-_]+/g, ' ').trim() || name;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

import type english from '../../../templates/locales/en.json';
import { once } from '../../core/concurrency.ts';
import { nearestName } from '../../core/config/nearest-name.ts';
import { installedFile } from '../../core/docs-page.ts';
import { LecternError } from '../../core/errors.ts';
import { getOrMake } from '../../core/group-by.ts';
import { isLanguageTag, isSameLanguage } from '../../core/language.ts';
import type { LanguageTag } from '../../core/model.ts';
import { readTextIn, walkFolder } from '../../core/user-folder.ts';
import { builtInTemplates } from './template-files.ts';

/** Key of an interface text: each is in `templates/locales/en.json`. */
export type TextKey = keyof typeof english;

/** One interface text: a string, or one string per plural category of the language (`Intl.PluralRules`). */
export type TextEntry = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** Interface texts of one language by key; missing keys use the English text. */
export type LocaleTexts = Readonly<Partial<Record<TextKey, TextEntry>>>;

/** Values for `{placeholders}` in a text. `count` selects the plural form and is formatted as a number of the language. */
export type TextValues = Readonly<Record<string, string | number>>;

/** The interface texts of one language, ready to use. */
export interface Texts {
  /** Tag of the locale file of the texts. It differs from the page's language if that language has none. */
  readonly locale: LanguageTag;
  /** The texts as read from the file, for scripts. */
  readonly entries: LocaleTexts;
  /** The text for a key, with `{name}` replaced. */
  readonly text: (key: TextKey, values?: TextValues) => string;
  /** An ISO 8601 time as a long date, in UTC. */
  readonly date: (iso: string) => string;
}

/** All locale files by tag. */
export type Locales = ReadonlyMap<LanguageTag, LocaleTexts>;

/**
 * Reads every `<tag>.json` in `locales/` of the folders; a later folder overrides single texts or adds languages.
 * @param folders absolute template folders
 * @throws TEMPLATE_FAILED if a file is not a JSON object of known keys, or its name is not a language tag
 */
export function readLocales(folders: readonly string[]): Locales {
  const locales = new Map<LanguageTag, LocaleTexts>();
  for (const folder of folders) {
    for (const { path: name, kind } of walkFolder(folder, 'locales')) {
      if (kind !== 'file' || name.includes('/') || !name.endsWith('.json')) continue;
      const file = `${folder}/locales/${name}`;
      const named = checkTag(name.slice(0, -'.json'.length), file);
      const tag = [...locales.keys()].find((known) => isSameLanguage(known, named)) ?? named;
      locales.set(tag, { ...locales.get(tag), ...parseLocale(readTextIn(folder, `locales/${name}`), file) });
    }
  }
  return locales;
}

function checkTag(name: string, file: string): LanguageTag {
  if (isLanguageTag(name)) return name;
  const meant = name.replaceAll('_', '-');
  const question = isLanguageTag(meant) ? `; did you mean ${meant}.json?` : '';
  throw invalid(`${file} is not named like a language${question}`);
}

/**
 * The texts for a language: from its own locale file, else one with the same script and region, else one with the same script, else
 * English.
 */
export function createTexts(locales: Locales, language: LanguageTag): Texts {
  const locale = chooseLocale([...locales.keys()], language);
  const texts: LocaleTexts = { ...locales.get('en'), ...locales.get(locale) };
  // Creating them is slow, and a build of a few pages needs them of a few languages.
  const plurals = once(() => new Intl.PluralRules(locale));
  const numbers = once(() => new Intl.NumberFormat(language));
  const dates = once(() => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }));
  const days = new Map<string, string>();
  return {
    locale,
    entries: texts,
    date(iso) {
      // Formatting is slow, and many pages have the same dates.
      const day = iso.endsWith('Z') ? iso.slice(0, 10) : iso;
      return getOrMake(days, day, () => dates().format(new Date(iso)));
    },
    text(key, values) {
      const entry = texts[key];
      if (entry === undefined) throw new TypeError(`there is no interface text "${key}"`);
      if (values === undefined && typeof entry === 'string') return entry;
      const pattern = typeof entry === 'string' ? entry : choosePlural(entry, plurals(), values ?? {});
      return pattern.replace(/\{(\w+)\}/g, (whole, name: string) => {
        const value = values?.[name];
        return value === undefined ? whole : typeof value === 'number' ? numbers().format(value) : value;
      });
    },
  };
}

/** Norwegian has a common tag and one for each written form; readers of one form understand the other. */
const norwegian: ReadonlySet<string> = new Set(['no', 'nb', 'nn']);

/** The tag in `available` whose texts a reader of `language` understands best. */
export function chooseLocale(available: readonly LanguageTag[], language: LanguageTag): LanguageTag {
  const sorted = [...available].sort();
  const own = sorted.find((tag) => tag.toLowerCase() === language.toLowerCase());
  if (own !== undefined) return own;
  const wanted = new Intl.Locale(language).maximize();
  const score = (tag: LanguageTag): number => {
    const candidate = new Intl.Locale(tag).maximize();
    if (norwegian.has(candidate.language) && norwegian.has(wanted.language)) return 1;
    if (candidate.language !== wanted.language || candidate.script !== wanted.script) return 0;
    return candidate.region === wanted.region ? 2 : 1;
  };
  let best: LanguageTag = 'en';
  let bestScore = 0;
  for (const tag of sorted) {
    const reached = score(tag);
    if (reached > bestScore) [best, bestScore] = [tag, reached];
  }
  return best;
}

function choosePlural(
  entry: Exclude<TextEntry, string>,
  plurals: Intl.PluralRules,
  values: TextValues,
): string {
  const count = values.count;
  const form = typeof count === 'number' ? entry[plurals.select(count)] : undefined;
  return form ?? entry.other ?? '';
}

/** Keys of all interface texts. */
const textKeys = once(() =>
  Object.keys(JSON.parse(readTextIn(builtInTemplates, 'locales/en.json')) as object),
);

function parseLocale(json: string, file: string): LocaleTexts {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw invalid(`${file} is not valid JSON`, cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(`${file} must contain a JSON object`);
  }
  const known = textKeys();
  for (const [key, text] of Object.entries(value)) {
    if (!known.includes(key)) {
      const near = nearestName(key, known);
      throw invalid(
        `${file} contains the unknown key "${key}"${near === null ? '' : `; did you mean ${near}?`}`,
      );
    }
    const forms = typeof text === 'string' ? [text] : Object.values((text ?? {}) as object);
    if (forms.length === 0 || forms.some((form) => typeof form !== 'string')) {
      throw invalid(`${file} has no text for "${key}"`);
    }
  }
  return value as LocaleTexts;
}

function invalid(message: string, cause?: unknown): LecternError {
  return new LecternError('TEMPLATE_FAILED', message, {
    hint: `${installedFile('templates/locales/en.json')} lists the keys; missing keys use the built-in text`,
    exitCode: 2,
    cause,
  });
}

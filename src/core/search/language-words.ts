import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as tokens from '../../../templates/assets/tokens.js';
import { spellingsOf, tokenize } from '../../../templates/assets/tokens.js';
import { oncePerKey } from '../concurrency.ts';
import { readTextFile } from '../file-system.ts';
import type { LanguageTag } from '../model.ts';
import { hasCompounds } from './compounds.ts';

/** The tokenizer of the site's search and of the service. It is an asset of the theme, because browsers load the same file. */
export * from '../../../templates/assets/tokens.js';

export type Tokens = typeof tokens;

const require = createRequire(import.meta.url);

/** Languages with a Snowball stemmer and stop words, and their file names in the two packages, which mostly are the language. */
const files = new Map([
  ...['ar', 'de', 'en', 'es', 'fi', 'fr', 'hu', 'id', 'it', 'lt', 'nl', 'no', 'pt', 'ro', 'ru', 'tr'].map(
    (tag) => [tag, tag] as const,
  ),
  ['da', 'dk'],
  ['el', 'gr'],
  ['hi', 'in'],
  ['nb', 'no'],
  ['nn', 'no'],
  ['sv', 'se'],
]);

/** Name of the stemmer of a language; `null` if there is none. */
export function stemmerName(tag: LanguageTag): string | null {
  return files.get(baseOf(tag)) ?? null;
}

function baseOf(tag: LanguageTag): string {
  return tag.replace(/-.*/, '').toLowerCase();
}

/** Absolute path of the ES module of a stemmer, which exports `stemmer` and imports nothing. */
export function stemmerPath(name: string): string {
  // @orama/stemmers has the same stemmers for browsers and for Node, in 30 languages.
  const folder = dirname(require.resolve('@orama/stemmers/english'));
  return join(folder, `${name}.js`);
}

/** Word forms and synonyms of a language; input and output are search terms. */
export interface LanguageWords {
  readonly stem: (term: string) => string;
  /** Words such as "how", "do", "my", which do not describe the topic of a question. */
  readonly stopWords: ReadonlySet<string>;
  /** Stems of words in questions, such as "want" and "tell", which are not the topic of any article. */
  readonly questionWords: ReadonlySet<string>;
  /** Stems of other spellings of a term: see {@link spellingsOf}. */
  readonly spellings: (term: string) => readonly string[];
  /** Whether readers look for parts of words. */
  readonly hasCompounds: boolean;
  /** Stems with almost the same meaning in a help centre, by stem; excludes the words of the stem itself. */
  readonly synonyms: ReadonlyMap<string, readonly string[]>;
}

/** `templates/words/en.json`, `vi.json`: what the packages of stemmers and stop words lack, each group as words with spaces between them. */
interface WordFile {
  /** Groups of words that readers and authors of help centres use interchangeably. */
  readonly synonyms: readonly string[];
  /**
   * Irregular forms that a stemmer does not recognise, after their base word. Excludes forms that are often other words, such as "left" and
   * "led", and forms of question words: otherwise "known" in "known issues" would not count.
   */
  readonly irregularForms: readonly string[];
  /** Words that are missing in the list of stop words. */
  readonly stopWords: string;
  /** Words in questions that are not in the list of stop words. */
  readonly questionWords: string;
}

function readWordFile(name: string): WordFile {
  const file = fileURLToPath(new URL(`../../../templates/words/${name}.json`, import.meta.url));
  if (!existsSync(file)) return { synonyms: [], irregularForms: [], stopWords: '', questionWords: '' };
  return JSON.parse(readTextFile(file)) as WordFile;
}

/** For a language without a stemmer, every term is its own stem; without a file of words, there are no stop words either. */
export async function loadLanguageWords(tag: LanguageTag): Promise<LanguageWords> {
  const language = baseOf(tag);
  const name = stemmerName(tag);
  const file = readWordFile(name ?? language);
  const { stemmer, stopwords } = name === null ? unlisted : await loadPackages(name);
  const regular = new Map<string, string>();
  for (const group of file.irregularForms) {
    const [base = '', ...forms] = tokenize(group);
    for (const form of forms) regular.set(form, base);
  }
  const stem = (term: string) => stemmer(regular.get(term) ?? term);
  const synonyms = new Map<string, readonly string[]>();
  for (const group of file.synonyms) {
    const stems = tokenize(group).map(stem);
    for (const own of stems) {
      const others = [...(synonyms.get(own) ?? []), ...stems].filter((other) => other !== own);
      synonyms.set(own, [...new Set(others)]);
    }
  }
  return {
    stem,
    // One by one, because adjacent syllables would be terms, too.
    stopWords: new Set(
      [...stopwords, ...file.stopWords.split(' ')].flatMap((word) => tokenize(word, false, language)),
    ),
    questionWords: new Set(tokenize(file.questionWords).map(stem)),
    spellings: (term) => spellingsOf(term, tag).map(stem),
    hasCompounds: hasCompounds(tag),
    synonyms,
  };
}

/** What the two packages have for a language. */
interface ListedLanguage {
  readonly stemmer: LanguageWords['stem'];
  readonly stopwords: readonly string[];
}

const unlisted: ListedLanguage = { stemmer: (term) => term, stopwords: [] };

async function loadPackages(name: string): Promise<ListedLanguage> {
  const { stemmer } = await import(pathToFileURL(stemmerPath(name)).href);
  // @orama/stopwords lists the words that a search ignores, as data, for the same languages.
  const folder = dirname(require.resolve('@orama/stopwords/english'));
  const { stopwords } = await import(pathToFileURL(join(folder, `${name}.js`)).href);
  return { stemmer, stopwords };
}

/** Stemming is slow, and the same words come again and again. */
const maxStems = 50_000;

/** Loads the words of languages, and keeps them with the stems of many terms. */
export function createWordLoader(): (language: string) => Promise<LanguageWords> {
  const loaded = new Map<string, LanguageWords>();
  return async (language) => {
    const known = loaded.get(language);
    if (known !== undefined) return known;
    const words = await loadLanguageWords(language);
    const made = { ...words, stem: oncePerKey(words.stem, maxStems) };
    loaded.set(language, made);
    return made;
  };
}

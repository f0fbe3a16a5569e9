import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as tokens from '../../templates/assets/tokens.js';
import type { LanguageTag } from './model.ts';

/** Words of a text as the site's search, the service's and the MCP server's compare them. */
export interface Tokens {
  /** Lower case without accents. */
  readonly fold: (text: string) => string;
  /** Terms of a text, in order, with repetitions. */
  readonly tokenize: (text: string, isQuery?: boolean) => string[];
  /** Whether a term is of a script without spaces: a character, or two. */
  readonly isPair: (term: string) => boolean;
}

/**
 * The one word splitter and folder of the site's search and the service's. It is one of the theme's assets because browsers load
 * the very same file.
 */
export const { fold, tokenize, isPair }: Tokens = tokens;

const require = createRequire(import.meta.url);

/** Languages with a Snowball stemmer and stop words, with the file names of the two packages. */
const files = new Map([
  ['ar', 'ar'],
  ['da', 'dk'],
  ['de', 'de'],
  ['el', 'gr'],
  ['en', 'en'],
  ['es', 'es'],
  ['fi', 'fi'],
  ['fr', 'fr'],
  ['hi', 'in'],
  ['hu', 'hu'],
  ['id', 'id'],
  ['it', 'it'],
  ['lt', 'lt'],
  ['nb', 'no'],
  ['nl', 'nl'],
  ['nn', 'no'],
  ['no', 'no'],
  ['pt', 'pt'],
  ['ro', 'ro'],
  ['ru', 'ru'],
  ['sv', 'se'],
  ['tr', 'tr'],
]);

/** Name of the stemmer of a language; `null` where there is none. */
export function stemmerName(tag: LanguageTag): string | null {
  return files.get(tag.replace(/-.*/, '').toLowerCase()) ?? null;
}

/** Absolute path of the ES module of a stemmer, which exports `stemmer` and imports nothing. */
export function stemmerPath(name: string): string {
  const folder = dirname(require.resolve('@orama/stemmers/english'));
  return join(folder, `${name}.js`);
}

/** What is known of the words of a language; all it takes and gives are search terms. */
export interface LanguageWords {
  readonly stem: (term: string) => string;
  /** Words such as "how", "do", "my", which say nothing of what a question is about. */
  readonly stopWords: ReadonlySet<string>;
}

/** Articles that the lists of stop words lack. */
const missingStopWords: Readonly<Record<string, readonly string[]>> = { en: ['a'] };

/** A language that is not known has every term as its own stem, and no stop words. */
export async function loadLanguageWords(tag: LanguageTag): Promise<LanguageWords> {
  const name = stemmerName(tag);
  if (name === null) return { stem: (term) => term, stopWords: new Set() };
  const stemming = (await import(pathToFileURL(stemmerPath(name)).href)) as {
    readonly stemmer: LanguageWords['stem'];
  };
  const folder = dirname(require.resolve('@orama/stopwords/english'));
  const { stopwords } = (await import(pathToFileURL(join(folder, `${name}.js`)).href)) as {
    readonly stopwords: readonly string[];
  };
  const all = [...stopwords, ...(missingStopWords[name] ?? [])];
  return { stem: stemming.stemmer, stopWords: new Set(all.flatMap((word) => tokenize(word))) };
}

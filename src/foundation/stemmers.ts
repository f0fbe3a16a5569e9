import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LanguageTag } from './model.ts';

/** Snowball stemmers by language, with the file names of their package. */
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
  const folder = dirname(createRequire(import.meta.url).resolve('@orama/stemmers/english'));
  return join(folder, `${name}.js`);
}

/** Gives the stem of a search term; a language without a stemmer has the term itself. */
export async function loadStemmer(tag: LanguageTag): Promise<(term: string) => string> {
  const name = stemmerName(tag);
  if (name === null) return (term) => term;
  const module = (await import(pathToFileURL(stemmerPath(name)).href)) as {
    readonly stemmer: (term: string) => string;
  };
  return module.stemmer;
}

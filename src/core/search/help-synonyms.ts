import { fileURLToPath } from 'node:url';
import { once } from '../concurrency.ts';
import { readTextFile } from '../file-system.ts';
import type { LanguageTag } from '../model.ts';

const file = fileURLToPath(new URL('../../../templates/words/synonyms.json', import.meta.url));

/**
 * Words that readers and authors of help centres use for the same thing, by language: those with the most readers, and abbreviations that readers type
 * in `every` one. A group is a line; its entries are separated by commas. Short on purpose: each entry of a word in a query may need one more file of
 * terms.
 */
const readGroups = once(() => {
  const groups = JSON.parse(readTextFile(file)) as Readonly<Record<string, readonly string[]>>;
  return new Map(
    Object.entries(groups).map(([language, lines]) => [language, lines.map((line) => line.split(/\s*,\s*/))]),
  );
});

/** Synonyms of the language of a tag, and abbreviations, which every language has. */
export function helpSynonyms(tag: LanguageTag): readonly (readonly string[])[] {
  const [language = ''] = tag.toLowerCase().split('-');
  return [...(readGroups().get(language) ?? []), ...(readGroups().get('every') ?? [])];
}

import { getOrMake } from '../group-by.ts';
import type { LanguageTag } from '../model.ts';

/** Languages that write nouns together: German, Dutch, Afrikaans and those of the north. */
const compounding = /^(?:de|nl|af|sv|da|nb|nn|no|is|fi)\b/i;

/** Shortest first and last part of a compound, and shortest last part that is a word of its own. */
const minHead = 3;
const minTail = 4;
const minWordTail = 5;
/** An end of more words is a grammatical ending, unless it is a word itself: -lich, -ungen. */
const maxCompounds = 12;
/** Shortest compound. */
export const minCompound = minHead + minTail;
/** What may stand between two parts: Kündigung-s-frist, Kunde-n-konto. */
const links = /^(?:es|en|er|s|n|e)/;

/** Whether readers of a language look for a part of a word: "Frist" for "Kündigungsfrist". */
export function hasCompounds(language: LanguageTag): boolean {
  return compounding.test(language);
}

/** Whether a term may be a compound that ends with another one. */
export function endsWithPart(term: string, part: string): boolean {
  return part.length >= minTail && term.length >= part.length + minHead && term.endsWith(part);
}

/** Letters of a word from its end to its start: an index finds what ends alike as what begins alike. `null` if it cannot be a compound. */
export function reversed(word: string): string | null {
  return word.length < minTail || /\P{L}/u.test(word) ? null : [...word].reverse().join('');
}

/**
 * The last parts of the compounds among some words, each with the compounds. A word is one if its beginning is another word of the list, with or
 * without a letter that links; its end then also divides words with an unknown beginning. No dictionary is needed, and names and codes
 * stay whole.
 * @param terms of one language, folded
 */
export function listParts(terms: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const known = new Set(terms);
  const parts = new Map<string, Set<string>>();
  const long = [...known].filter((term) => term.length >= minCompound && /^\p{L}+$/u.test(term));
  const add = (tail: string, term: string) => getOrMake(parts, tail, () => new Set()).add(term);
  const tails = new Set<string>();
  for (const term of long) {
    const tail = tailAfterWord(term, known);
    if (tail !== null) tails.add(tail);
  }
  for (const term of long) {
    for (let cut = minHead; cut <= term.length - minTail; cut += 1) {
      const tail = term.slice(cut);
      if (tails.has(tail) || (tail.length >= minWordTail && known.has(tail))) add(tail, term);
    }
  }
  return new Map(
    [...parts]
      .filter(([tail, compounds]) => known.has(tail) || compounds.size <= maxCompounds)
      .map(([tail, compounds]) => [tail, [...compounds]]),
  );
}

/** What follows the longest word that a word begins with. */
function tailAfterWord(term: string, known: ReadonlySet<string>): string | null {
  for (let cut = term.length - minTail; cut >= minHead + 1; cut -= 1) {
    if (!known.has(term.slice(0, cut))) continue;
    const rest = term.slice(cut);
    const linked = rest.replace(links, '');
    if (known.has(rest) || linked.length < minTail) return rest;
    return linked;
  }
  return null;
}

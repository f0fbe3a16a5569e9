import type { LanguageWords } from '../foundation/language-words.ts';
import { tokenize } from '../foundation/search-tokens.ts';

/** Texts that can be ranked for a query, added and removed one by one. */
export interface PassageRanking {
  /** Adds a text, or replaces the one of this id. */
  put(id: string, text: string): void;
  remove(id: string): void;
  /** Ids of all that share a term with the query, best first, ties by id. */
  rank(query: string): readonly string[];
}

const k1 = 1.2;
const b = 0.75;

/**
 * Okapi BM25 over the stems of the terms of the site's search, so that every script is cut as it is there. Stop words of a query count
 * only where it has no other words.
 * @param words of the language of the texts
 */
export function createPassageRanking({ stem, stopWords }: LanguageWords): PassageRanking {
  /** Counts of each text, by term and id. */
  const postings = new Map<string, Map<string, number>>();
  const texts = new Map<string, { readonly text: string; readonly terms: number }>();
  let allTerms = 0;

  const stemsOf = (text: string) => tokenize(text).map(stem);
  const queryStems = (query: string): ReadonlySet<string> => {
    const terms = tokenize(query, true);
    const meaningful = terms.filter((term) => !stopWords.has(term));
    return new Set((meaningful.length > 0 ? meaningful : terms).map(stem));
  };

  function remove(id: string): void {
    const known = texts.get(id);
    if (known === undefined) return;
    for (const term of new Set(stemsOf(known.text))) {
      const counts = postings.get(term);
      counts?.delete(id);
      if (counts?.size === 0) postings.delete(term);
    }
    texts.delete(id);
    allTerms -= known.terms;
  }

  return {
    put(id, text) {
      remove(id);
      const terms = stemsOf(text);
      for (const term of terms) {
        const counts = postings.get(term) ?? new Map<string, number>();
        counts.set(id, (counts.get(id) ?? 0) + 1);
        postings.set(term, counts);
      }
      texts.set(id, { text, terms: terms.length });
      allTerms += terms.length;
    },
    remove,
    rank(query) {
      const scores = new Map<string, number>();
      const meanTerms = allTerms / Math.max(1, texts.size);
      for (const term of queryStems(query)) {
        const counts = postings.get(term);
        if (counts === undefined) continue;
        const idf = Math.log(1 + (texts.size - counts.size + 0.5) / (counts.size + 0.5));
        for (const [id, count] of counts) {
          const length = (texts.get(id)?.terms ?? 0) / meanTerms;
          const gain = (idf * count * (k1 + 1)) / (count + k1 * (1 - b + b * length));
          scores.set(id, (scores.get(id) ?? 0) + gain);
        }
      }
      return [...scores]
        .sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
        .map(([id]) => id);
    },
  };
}

import { type LanguageWords, tokenize } from '../foundation/search-tokens.ts';

/** A text to be ranked. */
export interface RankedPassage {
  /** Title of its article and the headings it is under: their words count again. */
  readonly heading: string;
  /** All that is searched, the heading included. */
  readonly text: string;
}

/** Passages that can be ranked for a query, added and removed one by one. */
export interface PassageRanking {
  /** Adds a passage, or replaces the one of this id. */
  put(id: string, passage: RankedPassage): void;
  remove(id: string): void;
  /** Ids of all that share a term with the query, best first, ties by id. */
  rank(query: string): readonly string[];
}

const k1 = 1.2;
const b = 0.75;

/** The three numbers below are the best of those tried in bench/RESULTS.md. What a term of the heading counts for, beside the text. */
const headingWeight = 0.6;
/** What two terms count for that follow each other in the query and in the text. */
const pairWeight = 0.2;
/** A shorter text counts as this share of the mean, so that a mere introduction is not the best of its article. */
const leastLength = 0.7;

/**
 * Okapi BM25 over the stems of the terms of the site's search, so that every script is cut as it is there; over pairs of them; and over
 * those of the headings. Stop words of a query count only where it has no other words.
 * @param words of the language of the texts
 */
export function createPassageRanking({ stem, stopWords }: LanguageWords): PassageRanking {
  const texts = createField(leastLength);
  const headings = createField(0);

  const meaningful = (terms: readonly string[]): readonly string[] => {
    const left = terms.filter((term) => !stopWords.has(term));
    return (left.length > 0 ? left : terms).map(stem);
  };

  return {
    put(id, { heading, text }) {
      const terms = tokenize(text);
      texts.put(id, terms.map(stem), pairsOf(meaningful(terms)));
      headings.put(id, tokenize(heading).map(stem), []);
    },
    remove(id) {
      texts.remove(id);
      headings.remove(id);
    },
    rank(query) {
      const terms = meaningful(tokenize(query, true));
      const scores = new Map<string, number>();
      texts.score(new Set(terms), 1, scores);
      texts.score(new Set(pairsOf(terms)), pairWeight, scores);
      headings.score(new Set(terms), headingWeight, scores);
      return [...scores]
        .sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
        .map(([id]) => id);
    },
  };
}

/** No term has a space, so that no pair is a term. */
function pairsOf(terms: readonly string[]): readonly string[] {
  return terms.slice(1).map((term, at) => `${terms[at]} ${term}`);
}

interface Field {
  /** @param pairs terms that do not count for the length */
  put(id: string, terms: readonly string[], pairs: readonly string[]): void;
  remove(id: string): void;
  /** Adds what each text that has one of the terms gains. */
  score(terms: ReadonlySet<string>, weight: number, scores: Map<string, number>): void;
}

/** One index of BM25. @param least lengths count as this share of the mean at least */
function createField(least: number): Field {
  /** Counts of each text, by term and id. */
  const postings = new Map<string, Map<string, number>>();
  const texts = new Map<string, { readonly terms: ReadonlySet<string>; readonly length: number }>();
  let allTerms = 0;

  function remove(id: string): void {
    const known = texts.get(id);
    if (known === undefined) return;
    for (const term of known.terms) {
      const counts = postings.get(term);
      counts?.delete(id);
      if (counts?.size === 0) postings.delete(term);
    }
    texts.delete(id);
    allTerms -= known.length;
  }

  return {
    put(id, terms, pairs) {
      remove(id);
      for (const term of [...terms, ...pairs]) {
        const counts = postings.get(term) ?? new Map<string, number>();
        counts.set(id, (counts.get(id) ?? 0) + 1);
        postings.set(term, counts);
      }
      texts.set(id, { terms: new Set([...terms, ...pairs]), length: terms.length });
      allTerms += terms.length;
    },
    remove,
    score(terms, weight, scores) {
      const meanTerms = allTerms / Math.max(1, texts.size);
      for (const term of terms) {
        const counts = postings.get(term);
        if (counts === undefined) continue;
        const idf = Math.log(1 + (texts.size - counts.size + 0.5) / (counts.size + 0.5));
        for (const [id, count] of counts) {
          const length = Math.max(least, (texts.get(id)?.length ?? 0) / meanTerms);
          const gain = (idf * count * (k1 + 1)) / (count + k1 * (1 - b + b * length));
          scores.set(id, (scores.get(id) ?? 0) + weight * gain);
        }
      }
    },
  };
}

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
  /** Share of the words of a query, stop words included, that some text has: the largest in the language it is written in. */
  coverage(query: string): number;
}

const k1 = 1.2;
const b = 0.75;

/**
 * The three numbers below are the best of those tried in bench/RESULTS.md. What a term of the heading counts for,
 * beside the text.
 */
const headingWeight = 0.6;
/** Weight of two terms that follow each other in the query and in the text. */
const pairWeight = 0.2;
/** Weight of a synonym, and of a similar spelling of a query word that no text has. */
const synonymWeight = 0.6;
const spellingWeight = 0.7;
/** A shorter text counts as this share of the mean, so that a mere introduction is not the best of its article. */
const leastLength = 0.7;

/**
 * Okapi BM25 over the stems of the terms of the site's search, so that every script is cut as it is there; over pairs
 * of them; and over those of the headings. Stop words and question words count only where a query has no others.
 * @param words of the language of the texts
 */
export function createPassageRanking(words: LanguageWords): PassageRanking {
  const { stem, stopWords, questionWords, synonyms } = words;
  const texts = createField(leastLength);
  const headings = createField(0);

  const meaningful = (terms: readonly string[]): readonly string[] => {
    const left = terms.filter((term) => !stopWords.has(term)).map(stem);
    const topics = left.filter((term) => !questionWords.has(term));
    return [topics, left, terms.map(stem)].find(({ length }) => length > 0) ?? [];
  };

  /**
   * The term and, for less, words of the same meaning; for a word that no text has, those that are spelt almost like
   * it.
   */
  const variantsOf = (term: string): Variants => {
    const others = synonyms.get(term) ?? [];
    const spelt = texts.has(term) ? [] : texts.alike(term);
    return [
      [term, 1],
      ...others.map((other): readonly [string, number] => [other, synonymWeight]),
      ...spelt.map((other): readonly [string, number] => [other, spellingWeight]),
    ];
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
      const meant = [...new Set(terms)].map((term) => variantsOf(term));
      texts.score(meant, 1, scores);
      texts.score(
        [...new Set(pairsOf(terms))].map((pair) => [[pair, 1]]),
        pairWeight,
        scores,
      );
      headings.score(meant, headingWeight, scores);
      return [...scores]
        .sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
        .map(([id]) => id);
    },
    coverage(query) {
      const terms = new Set(tokenize(query, true).map(stem));
      return [...terms].filter((term) => texts.has(term)).length / Math.max(1, terms.size);
    },
  };
}

/** Terms of which a text gains the most that one of them gives, each with its weight. */
type Variants = readonly (readonly [term: string, weight: number])[];

/** No term has a space, so that no pair is a term. */
function pairsOf(terms: readonly string[]): readonly string[] {
  return terms.slice(1).map((term, at) => `${terms[at]} ${term}`);
}

interface Field {
  /** @param pairs terms that do not count for the length */
  put(id: string, terms: readonly string[], pairs: readonly string[]): void;
  remove(id: string): void;
  has(term: string): boolean;
  /** Terms that one or, if they are long, two mistakes in spelling lead to. */
  alike(term: string): readonly string[];
  /** Adds what each text that has one of the terms gains. */
  score(terms: readonly Variants[], weight: number, scores: Map<string, number>): void;
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

  const idfOf = (term: string): number => {
    const count = postings.get(term)?.size ?? 0;
    return Math.log(1 + (texts.size - count + 0.5) / (count + 0.5));
  };

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
    has: (term) => postings.has(term),
    alike: (term) => [...postings.keys()].filter((known) => isMisspelt(term, known)),
    score(terms, weight, scores) {
      const meanTerms = allTerms / Math.max(1, texts.size);
      for (const variants of terms) {
        const gains = new Map<string, number>();
        // A rare synonym says no more than the term itself.
        const most = idfOf(variants[0]?.[0] ?? '');
        for (const [term, share] of variants) {
          const counts = postings.get(term);
          if (counts === undefined) continue;
          const idf = Math.min(most, idfOf(term));
          for (const [id, count] of counts) {
            const length = Math.max(least, (texts.get(id)?.length ?? 0) / meanTerms);
            const gain = (share * idf * count * (k1 + 1)) / (count + k1 * (1 - b + b * length));
            if (gain > (gains.get(id) ?? 0)) gains.set(id, gain);
          }
        }
        for (const [id, gain] of gains) scores.set(id, (scores.get(id) ?? 0) + weight * gain);
      }
    },
  };
}

/**
 * Whether two terms begin alike and differ by a letter, or by two if they are long: missing, added, changed or swapped.
 */
function isMisspelt(term: string, known: string): boolean {
  const most = term.length >= 8 ? 2 : 1;
  if (term.length < 5 || known.length < 4 || known.includes(' ') || known[0] !== term[0]) return false;
  if (Math.abs(term.length - known.length) > most || /\d/.test(term)) return false;
  let before: number[] = [];
  let row = Array.from({ length: known.length + 1 }, (_, at) => at);
  for (let i = 1; i <= term.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= known.length; j += 1) {
      const isSame = term[i - 1] === known[j - 1];
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && term[i - 1] === known[j - 2] && term[i - 2] === known[j - 1];
      if (isSwapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    if (Math.min(...next) > most) return false;
    before = row;
    row = next;
  }
  return (row[known.length] ?? 0) <= most;
}

import { type LanguageWords, tokenize } from '../foundation/search-tokens.ts';

/** A text to be ranked. */
export interface RankedPassage {
  /** Id of its article. */
  readonly document: string;
  /** Title of its article and its headings: their words get additional weight. */
  readonly heading: string;
  /** The searched text, including the heading. */
  readonly text: string;
}

/** Passages that can be ranked for a query, added and removed one by one. */
export interface PassageRanking {
  /** Adds a passage, or replaces the one with this id. */
  put(id: string, passage: RankedPassage): void;
  remove(id: string): void;
  /** Sets the description and tags of an article, by which all of its passages can be found; `''` removes them. */
  setHints(document: string, text: string): void;
  /** Replaces the groups of synonyms, which are used beside those of the language. */
  setSynonyms(groups: readonly (readonly string[])[]): void;
  /** Ids of all passages that share a term with the query, best first, ties by id. */
  rank(query: string): readonly string[];
  /** Share of the query's words, including stop words, that occur in any text: highest for the language of the query. */
  coverage(query: string): number;
}

const k1 = 1.2;
const b = 0.75;

/** bench/RESULTS.md compares values of the numbers below. Weight of a term in the heading, relative to the text. */
const headingWeight = 0.6;
/** Weight of a term of the description or the tags, if no passage of the article contains it. */
const hintWeight = 0.1;
/** Weight of two adjacent terms that are also adjacent in the text. */
const pairWeight = 0.2;
/** Weight of a synonym, and of a similarly spelled term if no text contains the query word. */
const synonymWeight = 0.6;
const spellingWeight = 0.7;
/** A text counts as at least this share of the mean length, so that a short introduction is not the best passage of its article. */
const leastLength = 0.7;

/**
 * Okapi BM25 over stemmed terms, pairs of them, and the terms of headings and hints. Uses the tokenizer of the site's search, so that every script is
 * split the same way. Stop words and question words count only if the query has no other words.
 * @param words of the language of the texts
 */
export function createPassageRanking(words: LanguageWords): PassageRanking {
  const { stem, stopWords, questionWords, synonyms } = words;
  const texts = createField(leastLength);
  const headings = createField(0);
  const hints = createField(0);
  const documentOf = new Map<string, string>();
  const passagesOf = new Map<string, Set<string>>();

  const meaningful = (terms: readonly string[]): readonly string[] => {
    const left = terms.filter((term) => !stopWords.has(term)).map(stem);
    const topics = left.filter((term) => !questionWords.has(term));
    return [topics, left, terms.map(stem)].find(({ length }) => length > 0) ?? [];
  };

  /** Entries of groups of synonyms. */
  let entries: readonly Synonym[] = [];

  /** The entries of a group, as {@link findAsked} compares them with a query. */
  const toEntries = (group: readonly string[]): readonly Synonym[] => {
    const all = group
      .map((words) => tokenize(words, true))
      .filter((terms) => terms.length > 0)
      .map((terms) => ({ all: terms.map(stem), terms: meaningful(terms) }));
    return all.map((entry) => ({
      ...entry,
      others: all.filter(({ terms }) => terms.join(' ') !== entry.terms.join(' ')).map(({ terms }) => terms),
    }));
  };

  /** The entries that are in a query, each with all of its words. */
  const findAsked = (query: readonly string[]): readonly Synonym[] => {
    const typed = new Set(query.map(stem));
    return entries.filter(({ all }) => all.every((term) => typed.has(term)));
  };

  /** The term and, with a lower weight, its synonyms; for a word that no text contains, terms with a similar spelling. */
  const variantsOf = (term: string, asked: readonly Synonym[]): Variants => {
    const others = (synonyms.get(term) ?? []).map((other) => [other]);
    const ofEntries = asked.filter(({ terms }) => terms.includes(term)).flatMap((entry) => entry.others);
    const spelt = texts.has(term) || hints.has(term) ? [] : texts.alike(term);
    return [
      [[term], 1],
      ...[...others, ...ofEntries].map((terms): Variants[number] => [terms, synonymWeight]),
      ...spelt.map((other): Variants[number] => [[other], spellingWeight]),
    ];
  };

  /** Adds the scores that passages get from the hints of their articles. */
  const scoreHints = (meant: readonly Variants[], scores: Map<string, number>) => {
    for (const variants of meant) {
      const gains = new Map<string, number>();
      hints.score([variants], hintWeight, gains);
      if (gains.size === 0) continue;
      const inTexts = new Map<string, number>();
      texts.score([variants], 1, inTexts);
      for (const id of inTexts.keys()) gains.delete(documentOf.get(id) ?? '');
      for (const [document, gain] of gains)
        for (const id of passagesOf.get(document) ?? []) scores.set(id, (scores.get(id) ?? 0) + gain);
    }
  };

  const remove = (id: string) => {
    texts.remove(id);
    headings.remove(id);
    const document = documentOf.get(id) ?? '';
    const others = passagesOf.get(document);
    others?.delete(id);
    if (others?.size === 0) passagesOf.delete(document);
    documentOf.delete(id);
  };

  return {
    put(id, { document, heading, text }) {
      remove(id);
      documentOf.set(id, document);
      passagesOf.set(document, (passagesOf.get(document) ?? new Set()).add(id));
      const terms = tokenize(text);
      texts.put(id, terms.map(stem), pairsOf(meaningful(terms)));
      headings.put(id, tokenize(heading).map(stem), []);
    },
    remove,
    setHints(document, text) {
      hints.remove(document);
      if (text !== '') hints.put(document, tokenize(text).map(stem), []);
    },
    setSynonyms(groups) {
      entries = groups.flatMap(toEntries);
    },
    rank(query) {
      const typed = tokenize(query, true);
      const terms = meaningful(typed);
      const asked = findAsked(typed);
      const scores = new Map<string, number>();
      // "How to" may have synonyms, though its words say little.
      const ofSynonyms = asked.filter((entry) => !entry.terms.some((term) => terms.includes(term)));
      const wanted = new Set([...terms, ...ofSynonyms.flatMap((entry) => entry.terms)]);
      const meant = [...wanted].map((term) => variantsOf(term, asked));
      texts.score(meant, 1, scores);
      texts.score(
        [...new Set(pairsOf(terms))].map((pair) => [[[pair], 1]]),
        pairWeight,
        scores,
      );
      headings.score(meant, headingWeight, scores);
      scoreHints(meant, scores);
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

/** Alternatives with their weights. A text gets the score of the best of them: of one with several terms the mean, if it has all. */
type Variants = readonly (readonly [terms: readonly string[], weight: number])[];

/** An entry of a group of synonyms. */
interface Synonym {
  /** Stems that a query must contain. */
  readonly all: readonly string[];
  /** Those of them that are not stop words, if there are any. */
  readonly terms: readonly string[];
  /** The terms of the other entries of the group. */
  readonly others: readonly (readonly string[])[];
}

/** Pairs contain a space and terms do not, so a pair is never equal to a term. */
function pairsOf(terms: readonly string[]): readonly string[] {
  return terms.slice(1).map((term, at) => `${terms[at]} ${term}`);
}

interface Field {
  /** @param pairs terms that do not count towards the length */
  put(id: string, terms: readonly string[], pairs: readonly string[]): void;
  remove(id: string): void;
  has(term: string): boolean;
  /** Terms that differ by one typing error, or by two if they are long. */
  alike(term: string): readonly string[];
  /** Adds the score of each text that contains one of the terms. */
  score(terms: readonly Variants[], weight: number, scores: Map<string, number>): void;
}

/** One index of BM25. @param least minimum length, as a share of the mean */
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
        // A rare synonym is not worth more than the term itself.
        const most = idfOf(variants[0]?.[0][0] ?? '');
        for (const [alternative, share] of variants) {
          const counts = alternative.map((term) => postings.get(term) ?? new Map<string, number>());
          const idfs = alternative.map((term) => Math.min(most, idfOf(term)));
          for (const id of counts[0]?.keys() ?? []) {
            if (!counts.every((count) => count.has(id))) continue;
            const length = Math.max(least, (texts.get(id)?.length ?? 0) / meanTerms);
            let gain = 0;
            for (const [at, ofTerm] of counts.entries()) {
              const count = ofTerm.get(id) ?? 0;
              gain += (share * (idfs[at] ?? 0) * count * (k1 + 1)) / (count + k1 * (1 - b + b * length));
            }
            gain /= counts.length;
            if (gain > (gains.get(id) ?? 0)) gains.set(id, gain);
          }
        }
        for (const [id, gain] of gains) scores.set(id, (scores.get(id) ?? 0) + weight * gain);
      }
    },
  };
}

/** Whether two terms start alike and differ by one letter, or by two if they are long: missing, added, changed or swapped. */
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

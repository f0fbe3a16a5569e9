import { editDistance } from '../edit-distance.ts';
import { endsWithPart } from './compounds.ts';
import { joinsOf, type LanguageWords, tokenize } from './language-words.ts';

/** Where terms are counted: the text of a passage, its title and headings, and the description and tags of its document. */
export type TermField = 'text' | 'heading' | 'hints';

/** Terms that stand for the same: each alternative is one or more terms that must all occur. */
export type Alternatives = readonly (readonly string[])[];

/** A passage with its terms, as {@link indexTerms} returned them. */
export interface IndexedTerms {
  readonly id: string;
  readonly document: string;
  readonly text: string;
  readonly heading: string;
  /** Numbers of their terms. */
  readonly textLength: number;
  readonly headingLength: number;
}

/** What the ranking asks an index of the passages of one language. Functions may answer with a promise. */
export interface TermIndex {
  /** Number of texts in a field, and of their terms. */
  size(field: TermField): MaybePromise<{ readonly texts: number; readonly terms: number }>;
  /** For each phrase, the number of texts that contain its term, or its terms next to each other. */
  count(field: TermField, phrases: readonly (readonly string[])[]): MaybePromise<readonly number[]>;
  /** Passages with one of the alternatives in their text or heading: the best by BM25 over all of them. */
  find(alternatives: Alternatives, limit: number): MaybePromise<readonly IndexedTerms[]>;
  /** Documents with one of the alternatives in their hints, with all terms of the hints and their number. */
  findHinted(
    alternatives: Alternatives,
    limit: number,
  ): MaybePromise<readonly { readonly document: string; readonly hints: string; readonly length: number }[]>;
  /** All passages of documents. */
  passagesOf(documents: readonly string[]): MaybePromise<readonly IndexedTerms[]>;
  /** Those of the documents of which a passage has one of the alternatives in its text. */
  withText(alternatives: Alternatives, documents: readonly string[]): MaybePromise<readonly string[]>;
  /** Known terms that end with this one, only if words of the language are written together. */
  termsEnding(end: string): MaybePromise<readonly string[]>;
  /** Known terms with this start and a length in this range. */
  termsLike(start: string, shortest: number, longest: number): MaybePromise<readonly string[]>;
}

type MaybePromise<T> = T | Promise<T>;

/** A passage that shares a term with a query. */
interface RankedPassage {
  readonly id: string;
  readonly document: string;
  /** Comparable only within one query. */
  readonly score: number;
}

/** The parameters of BM25. */
export const k1 = 1.2;
export const b = 0.75;

/** bench/RESULTS.md compares values of the numbers below. Weight of a term in the heading, relative to the text. */
export const headingWeight = 0.7;
/** Weight of a term of the description or the tags, if no passage of the document contains it. */
const hintWeight = 0.1;
/** Weight of two adjacent terms that are also adjacent in the text. */
const pairWeight = 0.2;
/** Weight of a synonym or other spelling, and of a similarly spelled term or two words in one if no text contains the query word. */
const synonymWeight = 0.6;
const spellingWeight = 0.7;
/** A text counts as at least this share of the mean length, so that a short introduction is not the best passage of its article. */
const minLength: Readonly<Record<TermField, number>> = { text: 0.7, heading: 0, hints: 0 };

/** The index finds this many passages, which are then ranked exactly. */
const maxRanked = 400;
const maxHinted = 50;
/** Terms of a query that are used, and those of them that may be misspelt. A question has fewer. */
const maxTerms = 64;
const maxMisspelt = 8;

/** Separates, in the terms of a text, those that pairs are made of from stop words. */
const separator = '|';

/**
 * Terms of a text for a {@link TermIndex}, in one string: stems of the words that say something, in order; a separator; the other stems.
 * @returns also their number
 */
export function indexTerms(
  text: string,
  words: LanguageWords,
): { readonly terms: string; readonly count: number } {
  const all = tokenize(text);
  const topics = meaningful(all, words);
  const isTopic = topicTest(all, words);
  const others = all.filter((term) => !isTopic(term)).map(words.stem);
  return { terms: [...topics, separator, ...others].join(' '), count: all.length };
}

/**
 * Passages that share a term with the query, best first, ties by id. Okapi BM25 over stemmed terms, pairs of them, and the terms of
 * headings and hints. Uses the tokenizer of the site's search, so that every script is split the same way. Stop words and question words
 * count only if the query has no other words.
 * @param words of the language of the texts
 * @param synonyms groups of entries with the same meaning, used beside those of the language
 */
export async function rankPassages(
  query: string,
  index: TermIndex,
  words: LanguageWords,
  synonyms: readonly (readonly string[])[],
): Promise<readonly RankedPassage[]> {
  const typed = tokenize(query, true);
  const terms = meaningful(typed, words);
  const alike = findSynonyms(typed, synonyms, words);
  const matched = [...alike, ...findSpellings(typed, words)];
  // "How to" may have synonyms, though its words say little.
  const ofSynonyms = alike.filter((entry) => !entry.terms.some((term) => terms.includes(term)));
  const wanted = [...new Set([...terms, ...ofSynonyms.flatMap((entry) => entry.terms)])].slice(0, maxTerms);
  const frequencies = createFrequencies(index);
  const written = wanted.map((term) => variantsOf(term, matched, words));
  const meant = await addMisspelt(
    await Promise.all(written.map((variants) => addCompounds(variants, index))),
    new Map(typed.map((word) => [words.stem(word), word])),
    words,
    index,
    frequencies,
  );
  const pairs = [...new Set(pairsOf(terms.slice(0, maxTerms)))].map((pair): Variants => [[[pair], 1]]);
  if (meant.length === 0) return [];

  const hints = await scoreHints(meant, index, frequencies);
  const found = new Map(
    [
      ...(await index.find(alternativesOf(meant), maxRanked)),
      ...(await index.passagesOf([...hints.keys()])),
    ].map((passage) => [passage.id, passage]),
  );
  const scoreText = await scorerOf(
    'text',
    [
      [meant, 1],
      [pairs, pairWeight],
    ],
    index,
    frequencies,
  );
  const scoreHeading = await scorerOf('heading', [[meant, headingWeight]], index, frequencies);
  return [...found.values()]
    .map(({ id, document, text, textLength, heading, headingLength }) => ({
      id,
      document,
      score: scoreText(text, textLength) + scoreHeading(heading, headingLength) + (hints.get(document) ?? 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1));
}

/** Alternatives with their weights. A text gets the score of the best of them: of one with several terms the mean, if it has all. */
type Variants = readonly (readonly [terms: readonly string[], weight: number])[];

/** Which terms of a text or query say what it is about; if none does, those that are not stop words, or else all. */
function topicTest(terms: readonly string[], words: LanguageWords): (term: string) => boolean {
  const isWord = (term: string) => !words.stopWords.has(term);
  const isTopic = (term: string) => isWord(term) && !words.questionWords.has(words.stem(term));
  return [isTopic, isWord].find((test) => terms.some(test)) ?? (() => true);
}

function meaningful(terms: readonly string[], words: LanguageWords): readonly string[] {
  return terms.filter(topicTest(terms, words)).map(words.stem);
}

/** An entry of a group of synonyms. */
interface Synonym {
  /** Stems that a query must contain. */
  readonly all: readonly string[];
  /** Those of them that are not stop words, if there are any. */
  readonly terms: readonly string[];
  /** The terms of the other entries of the group. */
  readonly others: readonly (readonly string[])[];
}

/** Finds the entries of synonym groups of which all words are in a query. */
function findSynonyms(
  query: readonly string[],
  groups: readonly (readonly string[])[],
  words: LanguageWords,
): readonly Synonym[] {
  const typed = new Set(query.map(words.stem));
  return groups.flatMap((group) => {
    const entries = group
      .map((entry) => tokenize(entry, true))
      .filter((terms) => terms.length > 0)
      .map((terms) => ({ all: terms.map(words.stem), terms: meaningful(terms, words) }));
    return entries
      .filter(({ all }) => all.every((term) => typed.has(term)))
      .map((entry) => ({
        ...entry,
        others: entries
          .filter(({ terms }) => terms.join(' ') !== entry.terms.join(' '))
          .map(({ terms }) => terms),
      }));
  });
}

/** What texts may have instead of words of a query, in the shape of synonyms: adjacent words as one, and other spellings. */
function findSpellings(typed: readonly string[], words: LanguageWords): readonly Synonym[] {
  const joins = joinsOf(typed.slice(0, maxTerms)).map(([asked, term]) => ({
    asked,
    others: [words.stem(term)],
  }));
  const spelt = typed.map((word) => ({ asked: [word], others: words.spellings(word) }));
  return [...joins, ...spelt]
    .filter(({ others }) => others.length > 0)
    .map(({ asked, others }) => {
      const terms = asked.map(words.stem);
      return { all: terms, terms, others: others.map((other) => [other]) };
    });
}

/** The term and, with a lower weight, its synonyms. */
function variantsOf(term: string, matched: readonly Synonym[], { synonyms }: LanguageWords): Variants {
  const others = (synonyms.get(term) ?? []).map((other) => [other]);
  const ofEntries = matched.filter(({ terms }) => terms.includes(term)).flatMap((entry) => entry.others);
  return [[[term], 1], ...[...others, ...ofEntries].map((terms): Variants[number] => [terms, synonymWeight])];
}

/** Most compounds of a term that are looked for. */
const maxCompounds = 40;

/** Adds compounds that end with the term, such as "Kündigungsfrist" for "Frist". */
async function addCompounds(variants: Variants, index: TermIndex): Promise<Variants> {
  const [term = ''] = variants[0]?.[0] ?? [];
  const ending = await index.termsEnding(term);
  const compounds = ending.filter((other) => endsWithPart(other, term)).slice(0, maxCompounds);
  return [...variants, ...compounds.map((other): Variants[number] => [[other], synonymWeight])];
}

/** Shortest part of a word that may be two words of a text. */
const minHalfChars = 2;

/** A word in two, at each place: "setup" is "set up" in some texts. */
export function halvesOf(word: string): readonly (readonly string[])[] {
  const cuts = Array.from(
    { length: Math.max(0, word.length - 2 * minHalfChars + 1) },
    (_, at) => at + minHalfChars,
  );
  return cuts.map((cut) => [word.slice(0, cut), word.slice(cut)]);
}

/**
 * Adds, to each term that no text contains, the two words that it may be made of, and terms with a similar spelling.
 * @param written the words of the query by their stems
 */
async function addMisspelt(
  meant: readonly Variants[],
  written: ReadonlyMap<string, string>,
  words: LanguageWords,
  index: TermIndex,
  frequencies: Frequencies,
): Promise<readonly Variants[]> {
  const termOf = (variants: Variants) => variants[0]?.[0][0] ?? '';
  const suspected = meant.map(termOf).filter((term) => term.length >= 2 * minHalfChars);
  const inTexts = await frequencies('text', suspected);
  const inHints = await frequencies('hints', suspected);
  const unknown = suspected
    .filter((term) => (inTexts.get(term) ?? 0) + (inHints.get(term) ?? 0) === 0)
    .slice(0, maxMisspelt);
  return Promise.all(
    meant.map(async (variants) => {
      const term = termOf(variants);
      if (!unknown.includes(term)) return variants;
      const halves = halvesOf(written.get(term) ?? term).map((half) => half.map(words.stem));
      const known = await frequencies('text', halves.flat());
      const possible = halves.filter((half) => half.every((part) => (known.get(part) ?? 0) > 0));
      const limit = maxErrors(term);
      const like = mayBeMisspelt(term)
        ? await index.termsLike(term.slice(0, 1), Math.max(4, term.length - limit), term.length + limit)
        : [];
      const alike = like.filter((known) => editDistance(term, known) <= limit);
      const counts = await frequencies('text', alike);
      const others = alike.filter((known) => (counts.get(known) ?? 0) > 0);
      const added = [...possible, ...others.map((other) => [other])];
      return [...variants, ...added.map((terms): Variants[number] => [terms, spellingWeight])];
    }),
  );
}

/** Scores of documents by their hints, without those of terms that the documents' texts contain. */
async function scoreHints(
  meant: readonly Variants[],
  index: TermIndex,
  frequencies: Frequencies,
): Promise<ReadonlyMap<string, number>> {
  const scores = new Map<string, number>();
  for (const variants of meant) {
    const alternatives = alternativesOf([variants]);
    const hinted = await index.findHinted(alternatives, maxHinted);
    if (hinted.length === 0) continue;
    const inTexts = new Set(
      await index.withText(
        alternatives,
        hinted.map(({ document }) => document),
      ),
    );
    const score = await scorerOf('hints', [[[variants], hintWeight]], index, frequencies);
    for (const { document, hints, length } of hinted) {
      if (!inTexts.has(document)) scores.set(document, (scores.get(document) ?? 0) + score(hints, length));
    }
  }
  return scores;
}

/** Numbers of texts that contain a term or a pair of terms; each is counted once per query. */
type Frequencies = (field: TermField, terms: readonly string[]) => Promise<ReadonlyMap<string, number>>;

function createFrequencies(index: TermIndex): Frequencies {
  const known: Readonly<Record<TermField, Map<string, number>>> = {
    text: new Map(),
    heading: new Map(),
    hints: new Map(),
  };
  return async (field, terms) => {
    const missing = [...new Set(terms)].filter((term) => !known[field].has(term));
    if (missing.length > 0) {
      const counts = await index.count(
        field,
        missing.map((term) => term.split(' ')),
      );
      for (const [at, term] of missing.entries()) known[field].set(term, counts[at] ?? 0);
    }
    return known[field];
  };
}

/** Makes a function that returns the score of a text by its terms and their number. */
async function scorerOf(
  field: TermField,
  groups: readonly (readonly [terms: readonly Variants[], weight: number])[],
  index: TermIndex,
  frequencies: Frequencies,
): Promise<(terms: string, length: number) => number> {
  const { texts, terms: allTerms } = await index.size(field);
  const meanTerms = allTerms / Math.max(1, texts);
  const counted = groups.flatMap(([all]) => all.flatMap((variants) => variants.flatMap(([terms]) => terms)));
  const counts = await frequencies(field, counted);
  const idfOf = (term: string): number => {
    const count = counts.get(term) ?? 0;
    return Math.log(1 + (texts - count + 0.5) / (count + 0.5));
  };
  const weighed = groups.flatMap(([all, weight]) =>
    all.map((variants) => {
      // A rare synonym is not worth more than the term itself.
      const maxIdf = idfOf(variants[0]?.[0][0] ?? '');
      return variants.map(([terms, share]) => ({
        terms,
        weights: terms.map((term) => (weight * share * Math.min(maxIdf, idfOf(term))) / terms.length),
      }));
    }),
  );
  const wanted = [...new Set(weighed.flatMap((variants) => variants.flatMap(({ terms }) => terms)))];
  return (terms, length) => {
    const counts = countTerms(terms, wanted);
    const relative = Math.max(minLength[field], length / Math.max(1, meanTerms));
    let score = 0;
    for (const variants of weighed) {
      let best = 0;
      for (const { terms: alternative, weights } of variants) {
        let gain = 0;
        for (const [at, term] of alternative.entries()) {
          const count = counts.get(term);
          if (count === undefined) {
            gain = 0;
            break;
          }
          gain += ((weights[at] ?? 0) * count * (k1 + 1)) / (count + k1 * (1 - b + b * relative));
        }
        best = Math.max(best, gain);
      }
      score += best;
    }
    return score;
  };
}

/** Counts the wanted terms and pairs. A search reads hundreds of texts, so it looks for the few terms instead of splitting each text. */
function countTerms(terms: string, wanted: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const endOfOrder = terms.indexOf(separator);
  for (const term of wanted) {
    const count = countOccurrences(terms, term, term.includes(' ') ? endOfOrder : terms.length);
    if (count > 0) counts.set(term, count);
  }
  return counts;
}

const space = 32;

/** Looks for the term, which is rare, and only then for the spaces around it. */
function countOccurrences(text: string, term: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf(term); at !== -1 && at < end; at = text.indexOf(term, at + 1)) {
    const after = at + term.length;
    const isWhole =
      (at === 0 || text.charCodeAt(at - 1) === space) &&
      (after === text.length || text.charCodeAt(after) === space);
    if (isWhole) count += 1;
  }
  return count;
}

/** Pairs contain a space and terms do not, so a pair is never equal to a term. */
function pairsOf(terms: readonly string[]): readonly string[] {
  return terms.slice(1).map((term, at) => `${terms[at]} ${term}`);
}

function alternativesOf(meant: readonly Variants[]): Alternatives {
  return meant.flatMap((variants) => variants.map(([terms]) => terms));
}

function mayBeMisspelt(term: string): boolean {
  return term.length >= 5 && !/\d/.test(term);
}

function maxErrors(term: string): number {
  return term.length >= 8 ? 2 : 1;
}

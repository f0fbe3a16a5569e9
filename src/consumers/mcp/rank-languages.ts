import { tokenize } from '../../core/search/language-words.ts';
import type { LanguageIndex } from './language-index.ts';

/** How common the words of a query are in a language. */
interface CountedLanguage {
  /** Number of its texts. */
  readonly texts: number;
  /** For each word of the query, the number of texts that contain it; in the same order in all languages. */
  readonly counts: readonly number[];
}

/** Words of a query that are counted. A question has fewer. */
const maxWords = 64;

/** The stop words of a language count as this many texts of it that have them all: they decide while it has only some texts of its own. */
const stopWordTexts = 10;
/** A language counts as if it had this many more texts, with the mean of all languages: some texts alone do not show which words it has. */
const meanTexts = 10;
/**
 * A language comes before the default one only if the query is this many times more likely in it. Where articles are not translated yet, a
 * word of the default language may be more common in the few articles of another one.
 */
const minAdvantage = 20;

/** Counts the words of a query in a language. */
function countWords(terms: readonly string[], { listed, words, count }: LanguageIndex): CountedLanguage {
  const counts = count(terms);
  if (words.stopWords.size === 0) return { texts: listed.length, counts };
  return {
    texts: listed.length + stopWordTexts,
    counts: terms.map((term, at) => (counts[at] ?? 0) + (words.stopWords.has(term) ? stopWordTexts : 0)),
  };
}

/**
 * Languages in the order in which to search them: that of the query, the default language, then the others, likely ones first.
 *
 * A query is most likely in the language whose texts most often contain its words. Words such as "the" decide also where half of the
 * translations are still in the default language, because its own texts have these words twice as often.
 */
export function rankLanguages(
  query: string,
  indexes: readonly LanguageIndex[],
  defaultLanguage: string,
): readonly string[] {
  const terms = [...new Set(tokenize(query, true))].slice(0, maxWords);
  const languages = new Map(indexes.map((index) => [index.tag, countWords(terms, index)]));
  const counted = [...languages.values()];
  const allTexts = Math.max(1, sum(counted.map(({ texts }) => texts)));
  const meanOf = (at: number) => sum(counted.map(({ counts }) => counts[at] ?? 0)) / allTexts;
  const means = (counted[0]?.counts ?? []).map((_, at) => meanOf(at));
  const likelihoodOf = (tag: string): number => {
    const { texts = 0, counts = [] } = languages.get(tag) ?? {};
    const ofWords = means.map((mean, at) =>
      // No language has the word.
      mean === 0 ? 0 : Math.log(((counts[at] ?? 0) + meanTexts * mean) / (texts + meanTexts)),
    );
    return sum(ofWords) + (tag === defaultLanguage ? Math.log(minAdvantage) : 0);
  };
  const ranked = [...languages.keys()]
    .map((tag) => ({ tag, likelihood: likelihoodOf(tag) }))
    .sort((one, other) => other.likelihood - one.likelihood)
    .map(({ tag }) => tag);
  const isDefault = (tag: string) => tag === defaultLanguage;
  return [...new Set([...ranked.slice(0, 1), ...ranked.filter(isDefault), ...ranked])];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

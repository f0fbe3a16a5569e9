// How well each section matches the words of a query (BM25+).
import { distance, findSimilar, hasDigit } from './search-files.js';
import { charactersOf, isPair } from './tokens.js';

/** Weights of the fields in their order in the files: title, heading, tags, text, compounds that end with the term. */
const boosts = [5, 3, 7, 1, 0.8];
/** Parameters of BM25+: how fast repetitions of a term lose weight, how much long sections lose, and the least for a match. */
const saturation = 1.2;
const lengthShare = 0.7;
const minMatch = 0.5;
/** Weights of a term that only begins with the word, and of a similar term. */
const beginningWeight = 0.6;
const similarWeight = 0.3;

/** Shorter words are not matched as prefixes, except the word being typed. */
const minBeginningChars = 3;
export const mayBegin = (word, at, words) => {
  if (at === words.length - 1) return true;
  return isPair(word) ? charactersOf(word).length === 1 : word.length >= minBeginningChars;
};

/** Shorter words have too many similar words. */
const minSimilarChars = 4;
/** Weight of a match by a similar word: higher if hardly any article contains the word itself, else too low to be shown on its own. */
const similarShare = { rare: 0.65, common: 0.35 };
const similarScore = 0.3;
const rareSections = 5;
/** Weight of a match by another form of the word. */
export const formShare = 0.95;
const formScore = 0.9;
/** Weight of a stop word: "off" distinguishes "turn off" from "turn on", but decides only between articles that match equally well. */
export const weakShare = 0.1;
const weakScore = 0.02;

export const mayBeSimilar = (word) => !isPair(word) && word.length >= minSimilarChars;

/** The words with two adjacent letters swapped, the most common typing error besides a wrong letter. */
function swaps(word) {
  const letters = [...word];
  const all = letters.slice(1).map((_, at) => {
    const swapped = [...letters];
    [swapped[at], swapped[at + 1]] = [swapped[at + 1], swapped[at]];
    return swapped.join('');
  });
  return all.filter((swapped) => swapped !== word);
}

/** Maximum number of words whose forms are kept as one term. */
const maxMerged = 200;

const average = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / (numbers.length || 1);

/** A number for each section. It is used again for each query, so only what was written is cleared. */
function createColumn(size) {
  const values = new Float64Array(size);
  const written = [];
  return {
    values,
    written,
    put(at, value) {
      if (values[at] === 0) written.push(at);
      values[at] = value;
    },
    clear() {
      for (const at of written) values[at] = 0;
      written.length = 0;
    },
  };
}

/** Creates the function that finds sections. @param layout of all sections */
export function createScorer({ titles, sizes, firsts }) {
  const count = sizes.length;
  const averages = [average(firsts.map((section) => titles[section])), 1, 1, average(sizes), 1];
  /** For each word of the query: its share and its score in each section. */
  const columns = [];
  const merged = new Map();
  const sum = createColumn(count);

  const lengthOf = (field, section) => (field === 0 ? titles[section] : field === 3 ? sizes[section] : 1);

  /** The sections that contain a term, in order, and its score in each. */
  function scoreTerm(postings) {
    for (const [field, { sections, counts }] of postings.entries()) {
      const rarity = Math.log(1 + (count - sections.length + 0.5) / (sections.length + 0.5));
      for (let at = 0; at < sections.length; at += 1) {
        const section = sections[at];
        const relative = lengthOf(field, section) / averages[field];
        const times = counts[at];
        const damped =
          (times * (saturation + 1)) / (times + saturation * (1 - lengthShare + lengthShare * relative));
        sum.put(section, sum.values[section] + boosts[field] * rarity * (minMatch + damped));
      }
    }
    const sections = Int32Array.from(sum.written).sort();
    const scores = Float64Array.from(sections, (section) => sum.values[section]);
    sum.clear();
    return { sections, scores };
  }

  /** Counts of several terms added up, as if they were one term. */
  function mergeTerms(all) {
    return boosts.map((_, field) => {
      const lists = all.flatMap((postings) => postings[field] ?? []);
      for (const { sections, counts } of lists)
        for (let at = 0; at < sections.length; at += 1)
          sum.put(sections[at], sum.values[sections[at]] + counts[at]);
      const sections = [...sum.written];
      const counts = sections.map((section) => sum.values[section]);
      sum.clear();
      return { sections, counts };
    });
  }

  /** The terms of some files, with their scores. */
  function openTerms(files) {
    const fileOf = (term) => files.find((file) => file.has(term));
    const scoresOf = (term) => {
      const file = fileOf(term);
      if (!file) return null;
      file.scores ??= new Map();
      const known = file.scores.get(term) ?? scoreTerm(file.postings(term));
      file.scores.set(term, known);
      return known;
    };
    return {
      scoresOf,
      /** Scores of several terms as one. */
      scoresOfAll(terms) {
        const key = terms.join(' ');
        const known =
          merged.get(key) ??
          scoreTerm(mergeTerms(terms.flatMap((term) => [fileOf(term)?.postings(term) ?? []])));
        if (merged.size > maxMerged) merged.clear();
        merged.set(key, known);
        return known;
      },
      forms: (word) => files.flatMap((file) => file.forms(word)),
      beginning: (word) => files.flatMap((file) => file.beginning(word)),
      similar: (word) => files.flatMap((file) => file.similar(word)),
      all: () => files.flatMap((file) => file.terms),
    };
  }

  /**
   * Scores sections that hold the words, words that begin with them, other forms of them, similar words or synonyms. Each word counts once in a
   * section, with its best match. Until the next call, `shares[w]` and `scores[w]` are numbers of word w by section.
   * @param weakWords words with a low weight
   * @param synonyms `{ asked, alternative, share, weight }`: words that count as asked if all terms of the alternative are in a section
   */
  function findSections(files, words, weakWords, synonyms) {
    for (const { share, score } of columns) {
      share.clear();
      score.clear();
    }
    while (columns.length < words.length)
      columns.push({ share: createColumn(count), score: createColumn(count) });
    const terms = openTerms(files);
    /** For each word, the terms that match it, and whether they are only similar. */
    const matched = words.map((word) => ({ word, terms: new Set(), similar: new Set() }));
    const forms = new Map(words.map((word) => [word, terms.forms(word)]));

    const add = (at, section, share, score) => {
      const column = columns[at];
      if (share > column.share.values[section]) column.share.put(section, share);
      if (score > column.score.values[section]) column.score.put(section, score);
    };
    const addAll = (at, { sections, scores }, share, weight) => {
      for (let each = 0; each < sections.length; each += 1)
        add(at, sections[each], share, scores[each] * weight);
    };
    // Scores are computed before they are added up, because both need the same column.
    const scoreAll = (weighted) => weighted.map(([term, weight]) => [terms.scoresOf(term), weight]);
    const withForms = (term) => {
      const others = terms.forms(term);
      return others.length === 0 ? terms.scoresOf(term) : terms.scoresOfAll([term, ...others]);
    };
    /** Sum of weighted scores. */
    const addUp = (all, isCounted = false) => {
      const quality = new Map();
      for (const [found, weight] of all) {
        if (!found) continue;
        for (let each = 0; each < found.sections.length; each += 1) {
          const section = found.sections[each];
          sum.put(section, sum.values[section] + found.scores[each] * weight);
          if (isCounted) quality.set(section, (quality.get(section) ?? 0) + 1);
        }
      }
      const sections = Int32Array.from(sum.written);
      const scores = Float64Array.from(sections, (section) => sum.values[section]);
      sum.clear();
      return { sections, scores, quality };
    };

    for (const [at, word] of words.entries()) {
      const own = matched[at];
      // Stop words are not marked in results.
      if (!weakWords.has(word)) own.terms.add(word);
      else {
        const found = terms.scoresOf(word);
        if (found) addAll(at, found, weakShare, weakScore);
        continue;
      }
      const isBeginning = mayBegin(word, at, words);
      const longer = isBeginning ? terms.beginning(word).filter((term) => term !== word) : [];
      const weighted = longer.map((term) => [
        term,
        (beginningWeight * term.length) / (term.length + 0.3 * (term.length - word.length)),
      ]);
      addAll(at, addUp(scoreAll([[word, 1], ...weighted])), 1, 1);
      for (const term of longer) own.terms.add(term);
      const others = forms.get(word);
      if (others.length > 0) addAll(at, terms.scoresOfAll([word, ...others]), formShare, formScore);
      for (const term of others) own.terms.add(term);
      if (!mayBeSimilar(word)) continue;
      const { written, values } = columns[at].share;
      const known = written.length;
      // The number exists, so it is not a typing error.
      if (known > 0 && hasDigit.test(word)) continue;
      const share = known > rareSections ? similarShare.common : similarShare.rare;
      const near = terms
        .similar(word)
        .map(([term, steps]) => [term, (similarWeight * term.length) / (term.length + steps)]);
      const swapped = swaps(word).map((term) => [term, 1]);
      for (const [list, isCounted] of [
        [near, false],
        [swapped, true],
      ]) {
        const { sections, scores, quality } = addUp(scoreAll(list), isCounted);
        for (let each = 0; each < sections.length; each += 1) {
          const section = sections[each];
          const score = isCounted ? scores[each] * quality.get(section) : scores[each];
          if (known === 0) add(at, section, 1, score);
          else if (values[section] === 0) add(at, section, share, score * similarScore);
        }
        for (const [term] of list) own.similar.add(term);
      }
    }
    for (const { asked, alternative, share, weight } of synonyms) {
      const { sections, scores, quality } = addUp(
        alternative.map((term) => [withForms(term), 1]),
        true,
      );
      const places = asked.map((word) => words.indexOf(word)).filter((at) => at >= 0);
      for (const at of places)
        for (const term of alternative.flatMap((each) => [each, ...terms.forms(each)]))
          matched[at].terms.add(term);
      for (let each = 0; each < sections.length; each += 1) {
        if (quality.get(sections[each]) < alternative.length) continue;
        for (const at of places) add(at, sections[each], share, scores[each] * alternative.length * weight);
      }
    }
    for (const [at] of words.entries()) for (const section of columns[at].share.written) sum.put(section, 1);
    const sections = Int32Array.from(sum.written).sort();
    sum.clear();
    return {
      shares: words.map((_, at) => columns[at].share.values),
      scores: words.map((_, at) => columns[at].score.values),
      /** Sections with a match, in order. */
      sections,
      /** Words that no term is or begins with. */
      missing: words.filter(
        (word) =>
          mayBeSimilar(word) &&
          !weakWords.has(word) &&
          forms.get(word).length === 0 &&
          terms.beginning(word).length === 0,
      ),
      termsIn: (range) => termsIn(range, terms, matched, columns),
      suggest: () => suggest(words, terms),
    };
  }

  return findSections;
}

/** The matching terms that the sections from `first` to before `end` contain. */
function termsIn({ first, end }, terms, matched, columns) {
  const found = new Set();
  for (const [at, { terms: exact, similar }] of matched.entries()) {
    const { values } = columns[at].share;
    const isIn = (term, most) => {
      const { sections = [] } = terms.scoresOf(term) ?? {};
      for (let each = firstFrom(sections, first); sections[each] < end; each += 1)
        if (values[sections[each]] > 0 && values[sections[each]] <= most) return true;
      return false;
    };
    for (const term of exact) if (isIn(term, 1)) found.add(term);
    for (const term of similar) if (isIn(term, similarShare.rare)) found.add(term);
    // Without the word itself, similar words count fully.
    if (terms.scoresOf(matched[at].word) === null)
      for (const term of similar) if (isIn(term, 1)) found.add(term);
  }
  return found;
}

/** The position of the first number that is not smaller, in a sorted list. */
function firstFrom(sorted, least) {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle] < least) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The query with each word that has no match replaced by the most similar one; `null` if there is none. */
function suggest(words, terms) {
  let isChanged = false;
  const nearest = words.map((word) => {
    if (!mayBeSimilar(word)) return word;
    const most = Math.min(6, Math.round(word.length * 0.45));
    const counts = new Map(
      findSimilar(word, terms.all(), most).map(([term]) => [term, terms.scoresOf(term).sections.length]),
    );
    if (terms.scoresOf(word)) counts.set(word, 0);
    const [best] = [...counts.keys()].sort(
      (a, b) => distance(a, word) - distance(b, word) || counts.get(b) - counts.get(a) || (a < b ? -1 : 1),
    );
    isChanged ||= best !== undefined && best !== word;
    return best ?? word;
  });
  return isChanged ? nearest.join(' ') : null;
}

// Answers queries, in a web worker (`serve`); `createSearch` does not depend on a browser.
import {
  createFiles,
  filesForMissing,
  filesOfWord,
  findForms,
  maxFiles,
  readLayout,
} from './search-files.js';
import { createScorer, formShare, mayBegin, weakShare } from './search-scores.js';
import { fold, hasSyllables, isPair, joinsOf, spellingsOf, tokenize } from './tokens.js';

const maxSections = 3;
/** Both values were found by experiments with questions that have known answers, in twelve languages. */
const minCoverage = 0.4;
const articleShare = 0.5;
/** A stop word is not needed with this many other words. */
const enoughWords = 3;
const synonymShare = 0.8;
const synonymScore = 0.5;
const joinedScore = 0.8;
/** Shortest part of a word that may be two words of a text, and most ways to divide it. */
const minHalfChars = 2;
const maxHalves = 2;

/**
 * Matching articles with the best share and score of each word. A word in the title counts for all sections. `phraseRoom` is the size of the
 * smallest section with all words; it is infinite without one.
 */
function groupByArticle({ sections, shares, scores }, { articles, sizes }) {
  const groups = [];
  let group = null;
  const words = shares.length;
  const close = () => {
    if (group === null) return;
    // Sections come best first; each further one adds less to the score.
    group.sections.sort((a, b) => b.score - a.score || a.section - b.section);
    let score = 0;
    group.sections.forEach((each, at) => {
      score += each.score / (at + 1) ** 2;
    });
    group.score = score + articleShare * total(group.scores) * total(group.words);
    groups.push(group);
  };
  for (const section of sections) {
    const article = articles[section];
    if (group?.article !== article) {
      close();
      group = {
        article,
        score: 0,
        phraseRoom: Number.POSITIVE_INFINITY,
        scores: new Float64Array(words),
        words: new Float64Array(words),
        sections: [],
      };
    }
    let share = 0;
    let score = 0;
    let matched = 0;
    for (let word = 0; word < words; word += 1) {
      const ownShare = shares[word][section];
      const ownScore = scores[word][section];
      share += ownShare;
      score += ownScore;
      if (ownShare > 0) matched += 1;
      if (ownShare > group.words[word]) group.words[word] = ownShare;
      if (ownScore > group.scores[word]) group.scores[word] = ownScore;
    }
    if (matched === words) group.phraseRoom = Math.min(group.phraseRoom, sizes[section]);
    group.sections.push({ section, score: score * share });
  }
  close();
  return groups;
}

const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

/**
 * Drops articles that match only stop words of a query that has other words, or much less of its weight than the best one, and gives the others
 * a value. A rare word of the query weighs more than a common one ("how", "the").
 */
function rate(all, articleCount, weakWords) {
  const groups =
    weakWords.size === 0 ? all : all.filter(({ words }) => words.some((share) => share > weakShare));
  const counts = new Float64Array(groups[0]?.words.length ?? 0);
  const isAsked = new Uint8Array(counts.length);
  for (const { words } of groups) {
    for (let word = 0; word < words.length; word += 1) {
      if (words[word] > 0) isAsked[word] = 1;
      if (words[word] >= formShare || words[word] === weakShare) counts[word] += 1;
    }
  }
  const weights = counts.map((count) => Math.log(1 + articleCount / (count || 1)));
  const most = total(weights.map((weight, word) => weight * isAsked[word]));
  let best = 0;
  for (const group of groups) {
    group.coverage = 0;
    for (let word = 0; word < weights.length; word += 1) group.coverage += group.words[word] * weights[word];
    group.coverage /= most;
    group.value = group.score * group.coverage;
    best = Math.max(best, group.coverage);
  }
  return groups.filter(({ coverage }) => coverage >= best * minCoverage);
}

const byValue = (a, b) => b.value - a.value || a.article - b.article;

/** The first groups in order of their value, without sorting all of them. */
function bestOf(groups, limit) {
  let best = [];
  for (const group of groups) {
    best.push(group);
    if (best.length > 4 * limit + 64) best = best.sort(byValue).slice(0, limit);
  }
  return best.sort(byValue).slice(0, limit);
}

/** What texts may have instead of words of a query: adjacent words as one, and other spellings. */
function findSpellings(typed, ignored, language) {
  const joins = joinsOf(typed).filter(([words]) => !words.some((word) => ignored.has(word)));
  const spelt = typed.flatMap((word) => spellingsOf(word, language).map((other) => [[word], other]));
  return [...joins, ...spelt].map(([asked, term]) => {
    return { asked, alternative: [term], share: formShare, weight: joinedScore };
  });
}

/** Groups of synonyms, each entry as its terms. */
function readSynonyms({ synonyms, language }) {
  return synonyms.map((group) =>
    group.map((entry) => tokenize(entry, true, language)).filter((terms) => terms.length > 0),
  );
}

/** For each entry of a group of synonyms in the query, all others of its group. */
function findSynonyms(groups, words) {
  const asked = new Set(words);
  return groups.flatMap((entries) => {
    const named = entries.filter((terms) => terms.every((term) => asked.has(term)));
    const others = entries.filter((terms) => !named.includes(terms));
    return named.flatMap((entry) =>
      others.map((alternative) => ({
        asked: entry,
        alternative,
        share: synonymShare,
        weight: synonymScore / entry.length,
      })),
    );
  });
}

/** Matches words in quotation marks. */
const quotes = /["“”„«‟]\s*([^"“”„»‟]{2,}?)\s*["“”»‟]/u;
/** Articles in which a phrase is looked for, and the files of articles loaded for it: more if a reader asks for it with quotation marks. */
const maxPhrase = { articles: 200, files: 10 };
const maxQuoted = { articles: 200, files: 40 };

/** The words of a text, folded and without marks, with single spaces between and around them. */
const plainWords = (text) =>
  ` ${fold(text)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Plain words of articles, because a reader who types sees most articles again. */
const plainTexts = new WeakMap();

/** What {@link ratePhrase} returns if the title is the phrase. */
const isTitle = 4;

/**
 * {@link isTitle}: the phrase is the title of an article, 3: the title has it, 2: it has all its words in their order, 1: its text has the phrase.
 * Quotation marks rule out 2. In scripts without spaces, a phrase may be inside of other words.
 */
function ratePhrase(described, phrase, isQuoted) {
  const [, title, , ...texts] = described;
  const known = plainTexts.get(described) ?? [plainWords(title), plainWords(texts.join(' / '))];
  plainTexts.set(described, known);
  const wanted = isUnspaced.test(phrase) ? phrase.trim() : phrase.trimEnd();
  if (known[0].includes(wanted)) return known[0].trim() === phrase.trim() ? isTitle : 3;
  let at = 0;
  for (const word of phrase.trim().split(' ')) if (at >= 0) at = known[0].indexOf(` ${word}`, at);
  if (at >= 0 && !isQuoted) return 2;
  return Number(known[1].includes(wanted));
}

/** Matches the marker of a list item in the text of an article. */
const listMark = /^\s*(?:[-*•]|\d+\.)?\s+/;

/** The lines of texts with their terms, because a reader who types sees most texts again. */
const linesOfTexts = new Map();

function linesOf(text, language) {
  const known =
    linesOfTexts.get(text) ??
    text.split('\n').map((written) => {
      const line = written.replace(listMark, '');
      return { line, terms: [...new Set(tokenize(line, false, language))] };
    });
  linesOfTexts.set(text, known);
  return known;
}

/**
 * The line with the most terms in the matching sections, best section first; without any, the first line of the best section that has text.
 */
function excerptOf(texts, wanted, language) {
  let best = '';
  let most = 0;
  for (const { line, terms } of texts.flatMap((text) => linesOf(text, language))) {
    let count = 0;
    for (const term of terms) if (wanted.has(term)) count += 1;
    if (count > most) [best, most] = [line, count];
    else if (best === '') best = line;
  }
  return best;
}

/** Top categories of articles with their numbers of articles, largest first; none if all articles are in one category. */
function countByCategory(ranked, { categories, articleCategories }) {
  if (!categories) return [];
  const counts = new Map();
  for (const { article } of ranked) {
    const title = categories[articleCategories[article]];
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  if (counts.size < 2) return [];
  return [...counts]
    .filter(([title]) => title !== '')
    .map(([title, count]) => ({ title, count }))
    .sort((a, b) => b.count - a.count || (a.title < b.title ? -1 : 1));
}

/**
 * Creates the search in one language's index. It returns articles, best first. If `onFirst` is given, it receives an early answer with the
 * first article only, before the files of the others are loaded. If all words need many term files, the early answer matches only some of
 * the words (`isPartial`). `mayChange`: the last answer may have another first article. With a `category`, only articles in that top category
 * count, if there are any.
 * @param parts `load(url)` returns a parsed file of the index, `manifest` is the file that lists all files, `stem` returns the stem of a
 * word
 */
export function createSearch({ load, manifest, stem = null }) {
  const { language, sectionBits, termFiles, ignoredFiles, weak } = manifest;
  const ignored = new Map(ignoredFiles.flatMap(([url, terms]) => terms.map((term) => [term, url])));
  const isWeak = new Set(weak);
  const layout = readLayout(manifest);
  const groups = readSynonyms(manifest);
  const files = createFiles(load, { starts: layout.starts, sectionBits, stem });
  const findSections = createScorer(layout);
  /** Files of articles that were loaded. */
  const loaded = new Set();

  /** Term files to search for a word, its own first. @param isBeginning see `mayBegin` */
  function filesOf(word, isBeginning) {
    const others = findForms(word, [...ignored.keys()], stem);
    const stemmed = isPair(word) ? word : (stem?.(word) ?? word.slice(0, -1));
    const [own, ...more] = filesOfWord(word, stemmed, isBeginning, termFiles);
    const urls = [ignored.get(word), own, ...more, ...others.map((term) => ignored.get(term))];
    return new Set(urls.filter((url) => url !== undefined));
  }

  const isStopWord = (word) => ignored.has(word) || isWeak.has(word);
  /** Whether a word is common, or two syllables that are stop words. */
  const isCommon = (word) => (word.includes(' ') ? word.split(' ').every(isStopWord) : ignored.has(word));

  /** The words of a query without stop words, unless these are part of a synonym or there are no others. */
  function choose(typed, ofSynonyms) {
    const words = typed.filter((word) => ofSynonyms.has(word) || !isCommon(word));
    const weakWords = new Set(words.filter((word) => isWeak.has(word) && !ofSynonyms.has(word)));
    const strong = words.filter((word) => !weakWords.has(word));
    if (strong.length >= enoughWords) return { words: strong, weakWords: new Set() };
    if (strong.length === 0) weakWords.clear();
    return { words: words.length > 0 ? words : typed, weakWords };
  }

  /**
   * The query with the files it needs. With `most`, only as many words as fit into this number of files: long words first, because they are
   * rarer. For the first word, only as many of its files.
   */
  function plan({ words, weakWords }, synonyms, most = Number.POSITIVE_INFINITY) {
    const alternatives = synonyms.flatMap(({ alternative }) => alternative);
    const wanted = words.map((word, at) => [word, filesOf(word, mayBegin(word, at, words))]);
    wanted.sort(([a], [b]) => weakWords.has(a) - weakWords.has(b) || (isPair(a) ? 0 : b.length - a.length));
    wanted.push(...alternatives.map((word) => [word, filesOf(word, mayBegin(word, 1, []))]));
    const taken = new Set();
    let files = new Set();
    for (const [word, own] of wanted) {
      const together = new Set([...files, ...own]);
      if (together.size > most && files.size > 0) continue;
      taken.add(word);
      files = together;
    }
    return {
      words: words.filter((word) => taken.has(word)),
      weakWords,
      synonyms: synonyms.filter(({ alternative }) => alternative.every((word) => taken.has(word))),
      files: new Set([...files].slice(0, most)),
      isWhole: files.size <= most && wanted.every(([word]) => taken.has(word)),
    };
  }

  /** Searches some term files. */
  async function searchFiles({ words, weakWords, synonyms }, urls) {
    return findSections(await files.read(urls), words, weakWords, synonyms);
  }

  /** A word of a query that no text has, as two words that texts may have: "set up" for "setup". */
  function findHalves(word, urls) {
    const firsts = [...files.termsOf(urls), ...ignored.keys()].filter((term) => word.startsWith(term));
    const splits = firsts.map((first) => [first, word.slice(first.length)]);
    const possible = splits.filter(
      ([first, second]) => Math.min(first.length, second.length) >= minHalfChars,
    );
    return possible
      .sort(([a], [b]) => b.length - a.length)
      .slice(0, maxHalves)
      .map((alternative) => ({ asked: [word], alternative, share: formShare, weight: joinedScore / 2 }));
  }

  /** Finds articles with at most `most` term files in addition to loaded ones. `isWhole`: more files would not change the result. */
  async function find(asked, most = Number.POSITIVE_INFINITY) {
    const own = [...asked.files];
    const found = await searchFiles(asked, own);
    const halves = found.missing.flatMap((word) => findHalves(word, own));
    const ofHalves = halves.flatMap(({ alternative }) =>
      alternative.flatMap((half) => [...filesOf(half, false)]),
    );
    const near = [...new Set([...ofHalves, ...filesForMissing(found.missing, own, termFiles)])].filter(
      (url) => !own.includes(url),
    );
    const taken = near.filter((url, at) => files.isLoaded(url) || at < most - own.length);
    const wanted = { ...asked, synonyms: [...asked.synonyms, ...halves] };
    return {
      ...(taken.length + halves.length > 0 ? await searchFiles(wanted, [...own, ...taken]) : found),
      isWhole: asked.isWhole && taken.length === near.length,
    };
  }

  /** Finds what is possible before many files are loaded. */
  function findEarly(chosen, alike) {
    const whole = plan(chosen, alike);
    const isLoaded = [...whole.files].every((url) => files.isLoaded(url));
    return find(isLoaded ? whole : plan(chosen, alike, maxFiles), maxFiles);
  }

  /**
   * The first articles, best first: those with the phrase before all others. It is looked for beyond the first articles only if none of them has
   * it, because that loads files. @param isNeeded drops articles without it, and looks for all with it
   */
  async function preferPhrase(ranked, limit, phrase, isNeeded) {
    const { files, articles } = isNeeded ? maxQuoted : maxPhrase;
    const having = async (groups) => {
      const rated = groups.map(async (group) => [
        group,
        ratePhrase(await read(group.article), phrase, isNeeded),
      ]);
      const found = (await Promise.all(rated)).filter(([, value]) => value > 0);
      return found.sort(([, a], [, b]) => b - a).map(([group]) => group);
    };
    const first = bestOf(ranked, limit);
    const firstWith = isNeeded ? [] : await having(first);
    if (firstWith.length > 0) return [...new Set([...firstWith, ...first])];
    // The index knows the words of a section, but not their order; in a short section they are more likely to be a phrase.
    const possible = ranked
      .filter(({ phraseRoom }) => phraseRoom < Number.POSITIVE_INFINITY)
      .sort((a, b) => a.phraseRoom - b.phraseRoom || byValue(a, b))
      .slice(0, articles);
    const urlOf = ({ article }) => layout.locations[article][0];
    const urls = new Set([...new Set(possible.map(urlOf))].slice(0, files));
    const others = await having(
      possible.filter((group) => urls.has(urlOf(group)) || loaded.has(urlOf(group))),
    );
    return isNeeded ? others : [...others, ...first];
  }

  /** The first articles, best first: one whose title is the only word of the query comes before the others. */
  async function preferTitle(ranked, limit, word) {
    const first = bestOf(ranked, limit);
    const rated = await Promise.all(
      first.map(async (group) => ratePhrase(await read(group.article), word, false) === isTitle),
    );
    return [...first.filter((_, at) => rated[at]), ...first.filter((_, at) => !rated[at])];
  }

  /** The first articles with the terms that each contains. */
  const withTerms = (groups, { termsIn }) =>
    groups.map(({ article, sections }) => {
      const range = {
        first: layout.firsts[article],
        end: layout.firsts[article + 1] ?? layout.articles.length,
      };
      return { article, sections, terms: termsIn(range) };
    });

  /** Ranks the articles of matching sections. The answer has the facts about all of them. */
  function answerWith(found, weakWords, category) {
    const all = rate(groupByArticle(found, layout), layout.firsts.length, weakWords);
    const categories = countByCategory(all, manifest);
    const isChosen = categories.some(({ title }) => title === category);
    const isShown = ({ article }) => manifest.categories[manifest.articleCategories[article]] === category;
    const ranked = isChosen ? all.filter(isShown) : all;
    return {
      ranked,
      answer: {
        total: ranked.length,
        suggestion: all.length === 0 ? found.suggest() : null,
        categories,
        category: isChosen ? category : null,
      },
    };
  }

  /** What the index has of an article: URL, title, category and introduction, then id, heading and text of every section. */
  async function read(article) {
    const [url, entry] = layout.locations[article];
    const articles = await load(url);
    loaded.add(url);
    return articles[entry];
  }

  async function describe({ article, sections, terms }) {
    const described = await read(article);
    const [href, title, category, introduction] = described;
    const found = sections.map(({ section }) => section - layout.firsts[article]);
    const texts = [...found, 0].map((number) => (number === 0 ? introduction : described[3 * number + 3]));
    const links = found
      .filter((number) => number > 0)
      .slice(0, maxSections)
      .map((number) => ({ id: described[3 * number + 1], heading: described[3 * number + 2] }));
    return {
      href,
      title,
      category,
      sections: links,
      excerpt: excerptOf(texts, terms, language),
      terms: [...terms],
    };
  }

  return async (query, limit, onFirst = null, category = null) => {
    const typed = [...new Set(tokenize(query, true, language))];
    if (typed.length === 0 || layout.sizes.length === 0) return { total: 0, results: [], categories: [] };
    const ofSynonyms = findSynonyms(groups, typed);
    const chosen = choose(typed, new Set(ofSynonyms.flatMap(({ asked }) => asked)));
    const spelt = hasSyllables(language) ? [] : findSpellings(chosen.words, ignored, language);
    const alike = [...ofSynonyms, ...spelt];
    let found = onFirst ? await findEarly(chosen, alike) : null;
    let isFirstGiven = onFirst === null;
    const quoted = quotes.exec(query)?.[1];
    const isPhrase = typed.length > 1 || quoted;
    const phrase = plainWords(quoted ?? query);
    const giveFirst = async (given, { ranked, answer }, isPartial) => {
      if (isFirstGiven) return;
      const first = bestOf(ranked, 1);
      const results = await Promise.all(withTerms(first, given).map(describe));
      // An article with the phrase, or whose title is the word, may come before it.
      const isFirst = async ({ article }) => ratePhrase(await read(article), phrase, false) === isTitle;
      const mayChange = isPartial || (first.length > 0 && !(await isFirst(first[0])));
      onFirst({ ...answer, isPartial, mayChange, results });
      isFirstGiven = true;
    };
    if (found && !found.isWhole) {
      const early = answerWith(found, chosen.weakWords, category);
      // If the chosen category contains none of them, they are not wanted.
      const isWanted = early.answer.category === (category || null);
      if (isWanted && early.ranked.length > 0) await giveFirst(found, early, true);
      found = null;
    }
    found ??= await find(plan(chosen, alike));
    const { ranked, answer } = answerWith(found, chosen.weakWords, category);
    // The first result need not wait for the texts of the others.
    if (!quoted) await giveFirst(found, { ranked, answer }, false);
    let shown = isPhrase
      ? await preferPhrase(ranked, limit, phrase, Boolean(quoted))
      : await preferTitle(ranked, limit, phrase);
    // A pasted error message has quotation marks around names that no article has; then its other words count.
    const hasOthers = () => tokenize(query.replace(quotes, ' '), true, language).length > 0;
    if (quoted && shown.length === 0 && hasOthers()) shown = bestOf(ranked, limit);
    else if (quoted) Object.assign(answer, { total: shown.length, categories: [] });
    return { ...answer, results: await Promise.all(withTerms(shown.slice(0, limit), found).map(describe)) };
  };
}

const pieces = new Map();

/** Fetches a file of the index once. */
function load(url) {
  let piece = pieces.get(url);
  if (!piece) {
    piece = fetch(url).then((response) => {
      if (!response.ok) throw new Error(`${response.status} ${url}`);
      return response.json();
    });
    piece.catch(() => pieces.delete(url));
    pieces.set(url, piece);
  }
  return piece;
}

/**
 * Runs the worker: the first message contains the manifest, each later one a query. It answers in one or two messages; `isWhole` marks the
 * last.
 */
export function serve({ stem }) {
  let search = null;
  addEventListener('message', async ({ data: { id, manifest, query, limit, category, isFirstWanted } }) => {
    try {
      if (manifest) search = createSearch({ load, manifest, stem });
      else {
        const onFirst = isFirstWanted ? (first) => postMessage({ id, ...first }) : null;
        const answer = await search(query, limit, onFirst, category);
        postMessage({ id, isWhole: true, ...answer });
      }
    } catch (error) {
      // The manifest itself needs no answer; each query returns the error.
      if (manifest) search = () => Promise.reject(error);
      else postMessage({ id, isWhole: true, error: String(error) });
    }
  });
}

// Ranks articles and their sections, in a web worker (`serve`); `createSearch` does not depend on a browser.
import { findTerms, isPair, tokenize } from './tokens.js';

const fields = ['title', 'heading', 'tags', 'text'];
const boost = { title: 5, heading: 3, tags: 2, text: 1 };
/** Maximum number of files loaded for one word: terms that start with a very short word may be in many files. */
const maxFilesPerTerm = 2;
/** Maximum number of term files loaded before the first answer. If a query needs more, a better answer follows. */
const maxFiles = 4;
const maxSections = 3;
/** Both values were found by experiments with questions that have known answers, in twelve languages. */
const leastCoverage = 0.4;
const articleShare = 0.5;

/** Shorter words are not matched as prefixes, except the word being typed. */
const leastBeginning = 3;
const mayBegin = (word, at, words) => word.length >= leastBeginning || at === words.length - 1;

/** Files whose range of terms contains the word or words that start with it. */
function filesFor(term, termFiles) {
  // A small site may have only common stop words, which are in separate files.
  if (termFiles.length === 0) return [];
  let at = termFiles.findLastIndex(([first]) => first <= term);
  if (at < 0) at = 0;
  const files = [termFiles[at]];
  for (at += 1; at < termFiles.length && termFiles[at][0].startsWith(term); at += 1)
    files.push(termFiles[at]);
  return files.map(([, url]) => url);
}

/** The word's own file, adjacent files with words of the same first letter, and files of the word with two letters swapped. */
function filesNear(word, termFiles) {
  const [first, second, ...rest] = word;
  const near = filesFor(first, termFiles);
  // Files next to the word's own come first.
  const own = near.indexOf(filesFor(word, termFiles)[0]);
  const nearest = near.map((url, at) => [Math.abs(at - own), url]).sort(([a], [b]) => a - b);
  const swapped = filesFor(`${second}${first}${rest.join('')}`, termFiles).slice(0, 1);
  return [...swapped, ...nearest.map(([, url]) => url)];
}

/** The nearest files of words without matches, alternating: one per word, or more up to `maxFiles` in total. */
function filesForMissing(words, loaded, termFiles) {
  const near = words.map((word) => filesNear(word, termFiles).filter((url) => !loaded.includes(url)));
  const most = Math.max(0, ...near.map((files) => files.length));
  const turns = Array.from({ length: most }, (_, turn) =>
    near.flatMap((files) => files.slice(turn, turn + 1)),
  );
  return [...new Set(turns.flat())].slice(0, Math.max(maxFiles - loaded.length, words.length));
}

/**
 * Sections are numbered within their part; here they get one consecutive numbering. `starts[p]` is the first section of part p,
 * `articles[n]` the article of section n, `locations[a]` the file of article a and its index there. `titles` and `sizes` are the numbers of
 * words in the title (of a first section) and in the text of each section.
 */
function readLayout({ lengths, articleFolder, articleFiles }) {
  const starts = [];
  const articles = [];
  const firsts = [];
  const titles = [];
  const sizes = [];
  for (const letters of lengths) {
    starts.push(articles.length);
    for (const [, title = '', letter] of letters.matchAll(/([A-Z]?)([a-z])/g)) {
      if (title !== '') firsts.push(articles.length);
      articles.push(firsts.length - 1);
      titles.push(title === '' ? 1 : wordsOf(title, 'A'));
      sizes.push(wordsOf(letter, 'a'));
    }
  }
  const locations = articleFiles.flatMap(([name, ...counts]) =>
    counts.flatMap((count, file) =>
      Array.from({ length: count }, (_, entry) => [`${articleFolder}/${name}-${file}.json`, entry]),
    ),
  );
  return { starts, articles, firsts, titles, sizes, locations };
}

/** Letters are steps on a logarithmic scale. */
function wordsOf(letter, none) {
  return 2 ** ((letter.charCodeAt(0) - none.charCodeAt(0)) / 2) - 1;
}

const average = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / (numbers.length || 1);

/** Section numbers and counts of one field. A step of at least a part's size moves to another part. */
function readPostings(list, starts, sectionBits) {
  const partSize = 2 ** sectionBits;
  const counts = {};
  let part = 0;
  let inPart = 0;
  let section = 0;
  for (const step of list) {
    if (step < 0) {
      counts[section] = -step;
      continue;
    }
    if (step < partSize) inPart += step;
    else {
      part += Math.floor(step / partSize);
      inPart = step % partSize;
    }
    section = starts[part] + inPart;
    counts[section] = 1;
  }
  return counts;
}

/** Counts of each field by section: the index of a term. */
function readTerm(lists, starts, sectionBits) {
  const byField = {};
  lists.forEach((list, field) => {
    if (list.length > 0) byField[field] = readPostings(list, starts, sectionBits);
  });
  return byField;
}

/** Adds the counts of several terms, as if they were one term. */
function addUp(terms) {
  const sum = {};
  for (const [field, counts] of terms.flatMap((byField) => Object.entries(byField))) {
    sum[field] ??= {};
    for (const [section, count] of Object.entries(counts))
      sum[field][section] = (sum[field][section] ?? 0) + count;
  }
  return sum;
}

/** @param terms pairs of a term and its counts */
function buildIndex(MiniSearch, terms, { titles, sizes, firsts }) {
  const count = sizes.length;
  const averageTitle = average(firsts.map((section) => titles[section]));
  return MiniSearch.loadJS(
    {
      documentCount: count,
      nextId: count,
      documentIds: Object.fromEntries(sizes.map((_, section) => [section, section])),
      fieldIds: Object.fromEntries(fields.map((field, id) => [field, id])),
      fieldLength: Object.fromEntries(sizes.map((size, section) => [section, [titles[section], 1, 1, size]])),
      averageFieldLength: [averageTitle, 1, 1, average(sizes)],
      storedFields: {},
      dirtCount: 0,
      index: terms,
      serializationVersion: 2,
    },
    { fields, processTerm: (term) => term },
  );
}

/** Shorter words have too many similar words. */
const leastSimilar = 4;
/** Weight of a match by a similar word: higher if hardly any article contains the word itself, else too low to be shown on its own. */
const similarShare = { rare: 0.65, common: 0.35 };
const similarScore = 0.3;
const rareSections = 5;
/** Weight of a match by another form of the word. */
const formShare = 0.95;
const formScore = 0.9;
/** Forms of a word start with the same letters, at least this many. */
const formStart = 3;
/** Weight of a stop word: "off" distinguishes "turn off" from "turn on". Not needed with this many other words. */
const weakShare = 0.1;
const enoughWords = 3;
const synonymShare = 0.8;
const synonymScore = 0.5;

/** The words with two adjacent letters swapped, the most common typing error besides a wrong letter. */
function swaps(word) {
  const letters = [...word];
  return letters.slice(1).map((_, at) => {
    const swapped = [...letters];
    [swapped[at], swapped[at + 1]] = [swapped[at + 1], swapped[at]];
    return swapped.join('');
  });
}

const hasDigit = /\p{N}/u;
const mayBeSimilar = (word) => !isPair(word) && word.length >= leastSimilar;

/**
 * Sections that hold the words, words that begin with them, other forms of them, similar words or synonyms, best first. Per section: the
 * words of the query that match, with their scores. Each word counts once, with its best match.
 * @param index of all terms
 * @param formIndex treats each word and its other forms as one term, so that a form does not count as rarer than its word
 * @param weakWords words with a low weight
 * @param forms other forms of each word
 */
function findSections({ index, formIndex }, words, weakWords, forms, synonyms) {
  const found = new Map();
  const add = ({ id, terms }, word, share, score) => {
    let hit = found.get(id);
    if (!hit) {
      hit = { id, scores: new Map(), words: new Map(), terms: new Set() };
      found.set(id, hit);
    }
    hit.words.set(word, Math.max(share, hit.words.get(word) ?? 0));
    hit.scores.set(word, Math.max(score, hit.scores.get(word) ?? 0));
    for (const term of terms) hit.terms.add(term);
  };
  const search = (asked, options, from = index) =>
    from.search('', { boost, weights: { prefix: 0.6, fuzzy: 0.3 }, ...options, tokenize: () => asked });
  for (const [at, word] of words.entries()) {
    if (weakWords.has(word)) {
      for (const hit of search([word], {})) add(hit, word, weakShare, hit.score * weakShare);
      continue;
    }
    const own = search([word], { prefix: isPair(word) ? word.length === 1 : mayBegin(word, at, words) });
    for (const hit of own) add(hit, word, 1, hit.score);
    const others = forms.get(word);
    const withForms = others.length === 0 ? [] : search([word], {}, formIndex);
    for (const { id, score } of withForms) add({ id, terms: others }, word, formShare, score * formScore);
    if (!mayBeSimilar(word)) continue;
    const count = new Set([...own, ...withForms].map(({ id }) => id)).size;
    // The number exists, so it is not a typing error.
    if (count > 0 && hasDigit.test(word)) continue;
    for (const hit of [...search([word], { fuzzy: 0.2 }), ...search(swaps(word), {})]) {
      if (count === 0) add(hit, word, 1, hit.score);
      else if (!found.get(hit.id)?.words.has(word)) {
        const share = count > rareSections ? similarShare.common : similarShare.rare;
        add(hit, word, share, hit.score * similarScore);
      }
    }
  }
  for (const { asked, alternative } of synonyms) {
    for (const hit of search(alternative, { combineWith: 'AND' }))
      for (const word of asked) add(hit, word, synonymShare, (hit.score * synonymScore) / asked.length);
  }
  for (const hit of found.values()) hit.score = total(hit.scores) * total(hit.words);
  return [...found.values()].sort((a, b) => b.score - a.score || a.id - b.id);
}

const total = (byWord) => [...byWord.values()].reduce((sum, number) => sum + number, 0);

/** For each word: the terms with the same stem; without a stemmer, the terms that differ only in their endings. */
function findForms(words, terms, stem) {
  return new Map(
    words.map((word) => {
      if (isPair(word) || word.length < formStart || hasDigit.test(word)) return [word, []];
      const start = word.slice(0, formStart);
      const wanted = stem?.(word);
      const isForm = (term) => (stem === null ? differInEnding(term, word) : stem(term) === wanted);
      return [word, terms.filter((term) => term.startsWith(start) && term !== word && isForm(term))];
    }),
  );
}

/** Without a stemmer: the start that forms of a word must share, and the endings that may follow. */
const sharedStart = 4;
const longestEnding = 3;

function differInEnding(a, b) {
  const longer = Math.max(a.length, b.length);
  let shared = 0;
  while (shared < longer && a[shared] === b[shared]) shared += 1;
  return shared >= sharedStart && shared >= 2 * (longer - shared) && longer - shared <= longestEnding;
}

/** Whether a section contains the word itself, or one that starts with it. */
function isExact({ terms }, word) {
  return [...terms].some((term) => term.startsWith(word));
}

/** Matches by article, with the query's words and the terms found in it. */
function groupByArticle(hits, articles) {
  const groups = new Map();
  for (const { id, score, scores, words, terms } of hits) {
    const article = articles[id];
    let group = groups.get(article);
    if (!group) {
      group = { article, score: 0, scores: new Map(), words: new Map(), terms: new Set(), sections: [] };
      groups.set(article, group);
    }
    for (const [word, share] of words) group.words.set(word, Math.max(share, group.words.get(word) ?? 0));
    for (const [word, own] of scores) group.scores.set(word, Math.max(own, group.scores.get(word) ?? 0));
    for (const term of terms) group.terms.add(term);
    group.sections.push({ section: id, score });
    // Sections come best first; each further one adds less to the score.
    group.score += score / group.sections.length ** 2;
  }
  // A word in the title counts for all sections.
  for (const group of groups.values()) group.score += articleShare * total(group.scores) * total(group.words);
  return [...groups.values()];
}

/**
 * Sorts articles, best first. A rare word of the query weighs more than a common one ("how", "the"). Articles that match much less of the
 * query's weight than the best one are dropped.
 */
function rank(groups, articleCount) {
  const counts = new Map();
  for (const { words } of groups)
    for (const [word, share] of words)
      if (share >= formShare || share === weakShare) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weightOf = (word) => Math.log(1 + articleCount / (counts.get(word) ?? 1));
  const weigh = (words) => {
    let sum = 0;
    for (const [word, share] of words) sum += share * weightOf(word);
    return sum;
  };
  const asked = new Map(groups.flatMap(({ words }) => [...words.keys()].map((word) => [word, 1])));
  const all = weigh(asked);
  for (const group of groups) group.coverage = weigh(group.words) / all;
  const best = Math.max(0, ...groups.map(({ coverage }) => coverage));
  const value = ({ score, coverage }) => score * coverage;
  return groups
    .filter(({ coverage }) => coverage >= best * leastCoverage)
    .sort((a, b) => value(b) - value(a) || a.article - b.article);
}

/** Groups of synonyms: for each entry in the query, all others of its group, as terms. */
function findSynonyms(groups, words) {
  const asked = new Set(words);
  return groups.flatMap((group) => {
    const entries = group.map((entry) => tokenize(entry, true)).filter((terms) => terms.length > 0);
    const named = entries.filter((terms) => terms.every((term) => asked.has(term)));
    const others = entries.filter((terms) => !named.includes(terms));
    return named.flatMap((entry) => others.map((alternative) => ({ asked: entry, alternative })));
  });
}

/** Edit distance: the number of letters to change, add or remove to turn one word into the other. */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}

/** The query with each word that has no match replaced by the most similar one; `null` if there is none. */
function suggest(index, words) {
  let isChanged = false;
  const nearest = words.map((word) => {
    if (!mayBeSimilar(word)) return word;
    const counts = new Map();
    for (const { terms } of index.search('', { fuzzy: 0.45, tokenize: () => [word] }))
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    const [best] = [...counts.keys()].sort(
      (a, b) => distance(a, word) - distance(b, word) || counts.get(b) - counts.get(a) || (a < b ? -1 : 1),
    );
    isChanged ||= best !== undefined && best !== word;
    return best ?? word;
  });
  return isChanged ? nearest.join(' ') : null;
}

/** Matches the marker of a list item in the text of an article. */
const listMark = /^\s*(?:[-*•]|\d+\.)?\s+/;

/** Number of different words of a line that are terms. */
function countTerms(line, terms) {
  return new Set(findTerms(line, terms).map(([from, to]) => line.slice(from, to).toLowerCase())).size;
}

/**
 * The line with the most terms in the matching sections, best section first; without any, the first line of the best section that has text.
 */
function excerptOf(texts, terms) {
  let best = '';
  let most = 0;
  for (const written of texts.flatMap((text) => text.split('\n'))) {
    const line = written.replace(listMark, '');
    const count = countTerms(line, terms);
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
 * the words (`isPartial`). With a `category`, only articles in that top category count, if there are any.
 * @param parts `load(url)` returns a parsed file of the index, `manifest` is the file that lists all files, `stem` returns the stem of a
 * word
 */
export function createSearch({ MiniSearch, load, manifest, stem = null }) {
  const { sectionBits, termFiles, ignoredFiles, synonyms, weak } = manifest;
  const ignored = new Map(ignoredFiles.flatMap(([url, terms]) => terms.map((term) => [term, url])));
  const isWeak = new Set(weak);
  const layout = readLayout(manifest);
  /** The last two indexes: of the words' own files, and with the files of similar words. */
  let built = [];
  const loaded = new Set();

  /** Term files to search for a word, its own first. @param isBeginning see `mayBegin` */
  function filesOf(word, isBeginning) {
    const [[, others]] = findForms([word], [...ignored.keys()], stem);
    const own = filesFor(word, termFiles).slice(0, isBeginning ? maxFilesPerTerm : 1);
    // Other forms of the word may be in the previous file.
    const stemmed = isPair(word) ? word : (stem?.(word) ?? word.slice(0, -1));
    const isStart = stemmed.length >= formStart && word.startsWith(stemmed);
    const before = isStart ? filesFor(stemmed, termFiles).slice(0, 1) : [];
    const urls = [ignored.get(word), ...own, ...before, ...others.map((term) => ignored.get(term))];
    return new Set(urls.filter((url) => url !== undefined));
  }

  async function indexFor(files) {
    const urls = [...files].sort();
    const key = urls.join();
    let found = built.find((each) => each.key === key);
    if (!found) {
      const lists = await Promise.all(urls.map(load));
      for (const url of urls) loaded.add(url);
      const terms = lists
        .flat()
        .map(([term, ...fieldLists]) => [term, readTerm(fieldLists, layout.starts, sectionBits)]);
      found = { key, terms: new Map(terms), index: buildIndex(MiniSearch, terms, layout) };
    }
    built = [found, ...built.filter((each) => each !== found)].slice(0, 2);
    return found;
  }

  /** The words of a query without stop words, unless these are part of a synonym or there are no others. */
  function choose(typed, ofSynonyms) {
    const words = typed.filter((word) => ofSynonyms.has(word) || !ignored.has(word));
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
    wanted.push(...alternatives.map((word) => [word, filesOf(word, word.length >= leastBeginning)]));
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

  /** Searches some term files. Returns their index, and the words that are in none of them. */
  async function searchFiles({ words, weakWords, synonyms }, files) {
    const { index, terms } = await indexFor(files);
    const forms = findForms(words, [...terms.keys()], stem);
    const withForms = [...forms]
      .filter(([, others]) => others.length > 0)
      .map(([word, others]) => [
        word,
        addUp([word, ...others].flatMap((term) => (terms.has(term) ? [terms.get(term)] : []))),
      ]);
    const formIndex = buildIndex(MiniSearch, withForms, layout);
    const hits = findSections({ index, formIndex }, words, weakWords, forms, synonyms);
    const missing = words.filter(
      (word) =>
        mayBeSimilar(word) &&
        !weakWords.has(word) &&
        forms.get(word).length === 0 &&
        !hits.some((hit) => isExact(hit, word)),
    );
    return { index, hits, missing };
  }

  /** Finds articles with at most `most` term files in addition to loaded ones. `isWhole`: more files would not change the result. */
  async function find(asked, most = Number.POSITIVE_INFINITY) {
    const found = await searchFiles(asked, asked.files);
    const near = filesForMissing(found.missing, [...asked.files], termFiles);
    const taken = near.filter((url, at) => loaded.has(url) || at < most - asked.files.size);
    return {
      ...(taken.length > 0 ? await searchFiles(asked, [...asked.files, ...taken]) : found),
      isWhole: asked.isWhole && taken.length === near.length,
    };
  }

  /** Finds what is possible before many files are loaded. */
  function findEarly(chosen, alike) {
    const whole = plan(chosen, alike);
    const isLoaded = [...whole.files].every((url) => loaded.has(url));
    return find(isLoaded ? whole : plan(chosen, alike, maxFiles), maxFiles);
  }

  /** Creates the answer from the matching articles. */
  function answerWith({ hits, index }, words, category) {
    const ranked = rank(groupByArticle(hits, layout.articles), layout.firsts.length);
    const categories = countByCategory(ranked, manifest);
    const isChosen = categories.some(({ title }) => title === category);
    const isShown = ({ article }) => manifest.categories[manifest.articleCategories[article]] === category;
    const shown = isChosen ? ranked.filter(isShown) : ranked;
    const answer = {
      total: shown.length,
      suggestion: ranked.length === 0 ? suggest(index, words) : null,
      categories,
      category: isChosen ? category : null,
    };
    return { shown, answer };
  }

  async function describe({ article, sections, terms }) {
    const [file, entry] = layout.locations[article];
    // URL, title, category and introduction, then id, heading and text of every section.
    const described = (await load(file))[entry];
    const [href, title, category, introduction] = described;
    const found = sections.map(({ section }) => section - layout.firsts[article]);
    const texts = [...found, 0].map((number) => (number === 0 ? introduction : described[3 * number + 3]));
    const links = found
      .filter((number) => number > 0)
      .slice(0, maxSections)
      .map((number) => ({ id: described[3 * number + 1], heading: described[3 * number + 2] }));
    return { href, title, category, sections: links, excerpt: excerptOf(texts, terms), terms: [...terms] };
  }

  return async (query, limit, onFirst = null, category = null) => {
    const typed = [...new Set(tokenize(query, true))];
    if (typed.length === 0 || layout.sizes.length === 0) return { total: 0, results: [], categories: [] };
    const alike = findSynonyms(synonyms, typed);
    const chosen = choose(typed, new Set(alike.flatMap(({ asked }) => asked)));
    let found = onFirst ? await findEarly(chosen, alike) : null;
    let isFirstGiven = onFirst === null;
    const giveFirst = async ({ shown, answer }, isPartial) => {
      const results = await Promise.all(shown.slice(0, 1).map(describe));
      if (!isFirstGiven) onFirst({ ...answer, isPartial, results });
      isFirstGiven = true;
      return results;
    };
    if (found && !found.isWhole) {
      const early = answerWith(found, chosen.words, category);
      // If the chosen category contains none of them, they are not wanted.
      const isWanted = early.answer.category === (category || null);
      if (isWanted && early.shown.length > 0) await giveFirst(early, true);
      found = null;
    }
    found ??= await find(plan(chosen, alike));
    const { shown, answer } = answerWith(found, chosen.words, category);
    const first = await giveFirst({ shown, answer }, false);
    const others = await Promise.all(shown.slice(1, limit).map(describe));
    return { ...answer, results: [...first, ...others] };
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
export function serve({ MiniSearch, stem }) {
  let search = null;
  addEventListener('message', async ({ data: { id, manifest, query, limit, category, isFirstWanted } }) => {
    try {
      if (manifest) search = createSearch({ MiniSearch, load, manifest, stem });
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

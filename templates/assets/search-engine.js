// Ranks articles and their sections. Knows no browser: it is given what it needs.
import { isPair, tokenize } from './tokens.js';

const fields = ['title', 'heading', 'tags', 'text'];
const boost = { title: 5, heading: 3, tags: 2, text: 1 };
/** A very short word may begin terms in many files; so many are loaded for one word. */
const maxFilesPerTerm = 2;
const maxSections = 3;
/** Both found by trying on questions with known answers in twelve languages. */
const coveragePower = 2;
const leastCoverage = 0.6;

/** Files whose range of terms holds the word or words that begin with it. */
function filesFor(term, termFiles) {
  let at = termFiles.findLastIndex(([first]) => first <= term);
  if (at < 0) at = 0;
  const files = [termFiles[at]];
  for (at += 1; at < termFiles.length && termFiles[at][0].startsWith(term); at += 1)
    files.push(termFiles[at]);
  return files.slice(0, maxFilesPerTerm).map(([, url]) => url);
}

/**
 * Sections are numbered within their partition; here all get one row of numbers. `starts[p]` is the first of partition p,
 * `articles[n]` the article of section n, `places[a]` the file of article a and its place there.
 */
function readLengths(lengths, articleShift) {
  const starts = [];
  const articles = [];
  const firsts = [];
  const sizes = [];
  const places = [];
  let file = -1;
  let inFile = 0;
  lengths.forEach((letters, partition) => {
    starts.push(articles.length);
    if (partition >>> articleShift !== file) {
      file = partition >>> articleShift;
      inFile = 0;
    }
    for (const letter of letters) {
      const isFirst = letter < 'a';
      if (isFirst) {
        firsts.push(articles.length);
        places.push([file, inFile]);
        inFile += 1;
      }
      articles.push(firsts.length - 1);
      sizes.push(2 ** ((letter.charCodeAt(0) - (isFirst ? 65 : 97)) / 2) - 1);
    }
  });
  return { starts, articles, firsts, sizes, places };
}

/** Section numbers and counts of one field. A step of a partition's size or more leads into another partition. */
function readPostings(list, starts, sectionBits) {
  const partitionSize = 2 ** sectionBits;
  const counts = {};
  let partition = 0;
  let inPartition = 0;
  let section = 0;
  for (const step of list) {
    if (step < 0) {
      counts[section] = -step;
      continue;
    }
    if (step < partitionSize) inPartition += step;
    else {
      partition += Math.floor(step / partitionSize);
      inPartition = step % partitionSize;
    }
    section = starts[partition] + inPartition;
    counts[section] = 1;
  }
  return counts;
}

function buildIndex(MiniSearch, termLists, { sizes, starts }, sectionBits) {
  const count = sizes.length;
  const average = sizes.reduce((sum, size) => sum + size, 0) / (count || 1);
  const numbers = sizes.map((_, section) => [section, section]);
  const index = termLists.flat().map(([term, ...lists]) => {
    const byField = {};
    lists.forEach((list, field) => {
      if (list.length > 0) byField[field] = readPostings(list, starts, sectionBits);
    });
    return [term, byField];
  });
  return MiniSearch.loadJS(
    {
      documentCount: count,
      nextId: count,
      documentIds: Object.fromEntries(numbers),
      fieldIds: Object.fromEntries(fields.map((field, id) => [field, id])),
      fieldLength: Object.fromEntries(sizes.map((size, section) => [section, [1, 1, 1, size]])),
      averageFieldLength: [1, 1, 1, average],
      storedFields: {},
      dirtCount: 0,
      index,
      serializationVersion: 2,
    },
    { fields, processTerm: (term) => term },
  );
}

/** Sections that hold the words; only for a word that stands nowhere, similar ones are taken instead. */
function findSections(index, words) {
  const options = { boost, weights: { prefix: 0.6, fuzzy: 0.3 } };
  const prefix = (term) => (isPair(term) ? term.length === 1 : true);
  const hits = index.search('', { ...options, tokenize: () => words, prefix });
  const found = new Set(hits.flatMap(({ queryTerms }) => queryTerms));
  const unknown = words.filter((word) => !found.has(word) && !isPair(word) && word.length > 3);
  if (unknown.length === 0) return hits;
  const similar = index.search('', { ...options, tokenize: () => unknown, fuzzy: 0.2 });
  return [...hits, ...similar].sort((a, b) => b.score - a.score || a.id - b.id);
}

/** Hits by article, with the query's words and the terms found in it. */
function groupByArticle(hits, articles) {
  const groups = new Map();
  for (const { id, score, queryTerms, terms } of hits) {
    const article = articles[id];
    let group = groups.get(article);
    if (!group) {
      group = { article, score: 0, words: new Set(), terms: new Set(), sections: [] };
      groups.set(article, group);
    }
    for (const word of queryTerms) group.words.add(word);
    for (const term of terms) group.terms.add(term);
    group.sections.push({ section: id, score });
    // Sections come best first; each further one adds less.
    group.score += score / group.sections.length ** 2;
  }
  return [...groups.values()];
}

/**
 * Best articles first. A rare word of the query weighs more than a common one ("how", "the"), and articles with much less of
 * the query's weight than the best one has are left out.
 */
function rank(groups, articleCount) {
  const counts = new Map();
  for (const { words } of groups) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weigh = (words) => {
    let sum = 0;
    for (const word of words) sum += Math.log(1 + articleCount / counts.get(word));
    return sum;
  };
  const total = weigh(counts.keys());
  for (const group of groups) group.coverage = weigh(group.words) / total;
  const best = Math.max(0, ...groups.map(({ coverage }) => coverage));
  const value = ({ score, coverage }) => score * coverage ** coveragePower;
  return groups
    .filter(({ coverage }) => coverage >= best * leastCoverage)
    .sort((a, b) => value(b) - value(a) || a.article - b.article);
}

/**
 * The search over one language's index.
 * @param parts `load(url)` gives a parsed file of the index, `manifest` is the file that names them all
 */
export function createSearch({ MiniSearch, load, manifest }) {
  const { sectionBits, articleFiles, termFiles } = manifest;
  const layout = readLengths(manifest.lengths, manifest.articleShift);
  let built = { key: '', index: null };

  async function indexFor(words) {
    const urls = [...new Set(words.flatMap((word) => filesFor(word, termFiles)))].sort();
    const key = urls.join();
    if (built.key !== key) {
      const lists = await Promise.all(urls.map(load));
      built = { key, index: buildIndex(MiniSearch, lists, layout, sectionBits) };
    }
    return built.index;
  }

  async function describe({ article, sections, terms }) {
    const [file, place] = layout.places[article];
    const [href, title, category, ...headings] = (await load(articleFiles[file]))[place];
    const places = sections
      .map(({ section }) => section - layout.firsts[article])
      .filter((place) => place > 0)
      .slice(0, maxSections)
      .map((place) => ({ id: headings[2 * place - 2], heading: headings[2 * place - 1] }));
    return { href, title, category, sections: places, terms: [...terms] };
  }

  return async (query, limit) => {
    const words = [...new Set(tokenize(query, true))];
    if (words.length === 0 || termFiles.length === 0) return { total: 0, results: [] };
    const index = await indexFor(words);
    const hits = findSections(index, words);
    const ranked = rank(groupByArticle(hits, layout.articles), layout.firsts.length);
    return { total: ranked.length, results: await Promise.all(ranked.slice(0, limit).map(describe)) };
  };
}

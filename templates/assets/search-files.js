// The files of the index: which ones a query needs, and what is in them.
import { isPair } from './tokens.js';

/** Maximum number of files loaded for one word: terms that start with a very short word may be in many files. */
const maxFilesPerTerm = 2;
/** Maximum number of term files loaded before the first answer. If a query needs more, a better answer follows. */
export const maxFiles = 4;
/** Maximum number of term files in memory; each takes some hundred kilobytes. */
const maxInMemory = 64;

/** Files whose range of terms contains the word or words that start with it. */
function filesFor(term, termFiles) {
  // A small site may have only common stop words, which are in separate files.
  if (termFiles.length === 0) return [];
  let at = Math.max(
    0,
    termFiles.findLastIndex(([first]) => first <= term),
  );
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
export function filesForMissing(words, known, termFiles) {
  const near = words.map((word) => filesNear(word, termFiles).filter((url) => !known.includes(url)));
  const most = Math.max(0, ...near.map((files) => files.length));
  const turns = Array.from({ length: most }, (_, turn) =>
    near.flatMap((files) => files.slice(turn, turn + 1)),
  );
  return [...new Set(turns.flat())].slice(0, Math.max(maxFiles - known.length, words.length));
}

/** Files to search for a word, its own first. @param stem of the word @param isBeginning whether longer words match, too */
export function filesOfWord(word, stem, isBeginning, termFiles) {
  const own = filesFor(word, termFiles).slice(0, isBeginning ? maxFilesPerTerm : 1);
  // Other forms of the word may be in the previous file.
  const isStart = stem.length >= formStart && word.startsWith(stem);
  return [...own, ...(isStart ? filesFor(stem, termFiles).slice(0, 1) : [])];
}

/** Forms of a word start with the same letters, at least this many. */
const formStart = 3;
export const hasDigit = /\p{N}/u;

/** Of some terms, other forms of a word: those with the same stem; without a stemmer, those that differ only in their endings. */
export function findForms(word, terms, stem) {
  if (isPair(word) || word.length < formStart || hasDigit.test(word)) return [];
  const start = word.slice(0, formStart);
  const wanted = stem?.(word);
  const isForm = (term) => (stem === null ? differInEnding(term, word) : stem(term) === wanted);
  return terms.filter((term) => term.startsWith(start) && term !== word && isForm(term));
}

/** Without a stemmer: the start that forms of a word must share, and the endings that may follow. */
const sharedStart = 4;
const maxEndingChars = 3;

function differInEnding(a, b) {
  const longer = Math.max(a.length, b.length);
  let shared = 0;
  while (shared < longer && a[shared] === b[shared]) shared += 1;
  return shared >= sharedStart && shared >= 2 * (longer - shared) && longer - shared <= maxEndingChars;
}

/** Readers get no results rather than wrong ones from an index that this script cannot read. */
function check(isReadable, what) {
  if (!isReadable) throw new Error(`The search index is damaged: ${what}`);
}

/**
 * Sections are numbered within their part; here they get one consecutive numbering. `starts[p]` is the first section of part p, and `starts[p + 1]`
 * the end of the part, `articles[n]` the article of section n, `firsts[a]` the first section of article a, `locations[a]` its file and its index
 * there. `titles` and `sizes` are the numbers of words in the title (of a first section) and in the text of each section.
 * Throws if the numbers of articles in the manifest differ.
 */
export function readLayout({ lengths, articleFolder, articleFiles, categories, articleCategories }) {
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
  starts.push(articles.length);
  const locations = articleFiles.flatMap(([name, ...counts]) =>
    counts.flatMap((count, file) =>
      Array.from({ length: count }, (_, entry) => [`${articleFolder}/${name}-${file}.json`, entry]),
    ),
  );
  check(locations.length === firsts.length, 'its files have more or fewer articles than it lists');
  if (categories) {
    const isKnown = (number) => categories[number] !== undefined;
    check(
      articleCategories.length === firsts.length && articleCategories.every(isKnown),
      'not every article has a category',
    );
  }
  return { starts, articles, firsts, titles, sizes, locations };
}

/** Letters are steps on a logarithmic scale. */
function wordsOf(letter, none) {
  return 2 ** ((letter.charCodeAt(0) - none.charCodeAt(0)) / 2) - 1;
}

/** A count is at most this: `occurrencesOf` of the program that writes the index. */
const maxCount = 255;

/**
 * Sections of one field, in order, and how often the term is in each. A step of at least a part's size moves to a later part, a negative one is the
 * count of the section before it. Throws if sections do not ascend or are in no part.
 */
function readPostings(list, starts, sectionBits) {
  const partSize = 2 ** sectionBits;
  const sections = [];
  const counts = [];
  let part = 0;
  let inPart = 0;
  for (const step of list) {
    if (step < 0) {
      check(counts.at(-1) === 1 && -step > 1 && -step <= maxCount, 'a count is wrong');
      counts[counts.length - 1] = -step;
      continue;
    }
    if (step < partSize) inPart += step;
    else {
      part += Math.floor(step / partSize);
      inPart = step % partSize;
    }
    const section = starts[part] + inPart;
    check(section < starts[part + 1] && section > (sections.at(-1) ?? -1), 'a section is not in order');
    sections.push(section);
    counts.push(1);
  }
  return { sections, counts };
}

/**
 * A file of terms. What is computed of it is kept: while a reader types the last word of a query, the others stay the same.
 * @param lines pairs of a term and its postings by field
 */
function openFile(lines, { starts, sectionBits, stem }) {
  const lists = new Map(lines.map(([term, ...fields]) => [term, fields]));
  const terms = [...lists.keys()];
  const once = (compute) => {
    const known = new Map();
    return (word) => {
      if (!known.has(word)) known.set(word, compute(word));
      return known.get(word);
    };
  };
  return {
    terms,
    has: (term) => lists.has(term),
    /** Postings of a term, by field. */
    postings: once((term) => lists.get(term).map((list) => readPostings(list, starts, sectionBits))),
    forms: once((word) => findForms(word, terms, stem)),
    beginning: once((start) => terms.filter((term) => term.startsWith(start))),
    /** Terms at a small distance from a word, with the distance. */
    similar: once((word) => findSimilar(word, terms, Math.round(word.length * similarity))),
  };
}

/** Share of a word's letters that may be wrong. */
const similarity = 0.2;

/** Pairs of a term and its edit distance from the word, from 1 to `most`. */
export function findSimilar(word, terms, most) {
  if (most === 0) return [];
  return terms
    .filter((term) => Math.abs(term.length - word.length) <= most)
    .map((term) => [term, distance(word, term, most)])
    .filter(([, steps]) => steps > 0 && steps <= most);
}

/** Edit distance: the number of letters to change, add or remove to turn one word into the other; more than `most` if it is larger. */
export function distance(a, b, most = Number.POSITIVE_INFINITY) {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const steps = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      next.push(steps);
      if (steps < least) least = steps;
    }
    if (least > most) return least;
    row = next;
  }
  return row[b.length];
}

/** Term files in memory, the most recently used ones. @param load returns a parsed file */
export function createFiles(load, parts) {
  const open = new Map();
  return {
    isLoaded: (url) => open.has(url),
    /** Terms of loaded files. */
    termsOf: (urls) => urls.flatMap((url) => open.get(url)?.terms ?? []),
    async read(urls) {
      const files = await Promise.all(
        urls.map(async (url) => open.get(url) ?? openFile(await load(url), parts)),
      );
      for (const [at, url] of urls.entries()) {
        open.delete(url);
        open.set(url, files[at]);
      }
      const excess = Math.max(0, open.size - Math.max(maxInMemory, urls.length));
      for (const url of [...open.keys()].slice(0, excess)) open.delete(url);
      return files;
    },
  };
}

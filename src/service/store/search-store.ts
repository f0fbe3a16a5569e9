import type { SearchQuery } from '../../core/api/queries.ts';
import { reversed } from '../../core/search/compounds.ts';
import { helpSynonyms } from '../../core/search/help-synonyms.ts';
import { isPair, joinsOf, type LanguageWords, tokenize } from '../../core/search/language-words.ts';
import {
  type Alternatives,
  halvesOf,
  type IndexedTerms,
  rankPassages,
  type TermField,
  type TermIndex,
} from '../../core/search/rank-passages.ts';
import { makeSnippet, parseSearch, type SearchWord, snippetSource } from '../search-text.ts';
import type { StoreContext } from './article-store.ts';
import { endingWith, inTitle, ownLanguage, scopeOf } from './index-words.ts';
import type { IndexQuery, IndexTerm, TermGroup } from './sql.ts';
import type { FoundVersion, SearchResult, Store } from './store.ts';
import { outOfSchedule, positionOfVersion, storedLanguage, versionsPerArticle } from './version-index.ts';

/**
 * Most versions that are ranked: those with the words in the title, then the newest. Only words that occur almost everywhere match more, and
 * relevance means little for those. Without a limit, searches would become slower as the knowledge base grows.
 */
const maxRanked = 150;

/** If so many versions have the whole words of a search, the last one is not taken for the beginning of a word. */
const enough = 100;

/** Added to the score of a version with all words in its title. */
const titleBonus = 100;

/**
 * Searches in the index of the database, and ranks what it finds as the MCP server does. All words must occur, the last one as a beginning;
 * if nothing is found, all as beginnings; then any of them, because one article rarely contains all words of a full question.
 */
export async function search(
  context: StoreContext,
  request: Parameters<Store['search']>[0],
): Promise<SearchResult> {
  const { text, words, isTruncated } = parseSearch(request.query);
  const shown = words.map((word) => word.text);
  if (words.length === 0) return { hits: [], total: 0, words: shown, isTruncated };
  const languages = await listLanguages(context, request);
  const found = await findVersions(context, request, words, languages);
  const scores = await rankVersions(context, text, words, found, languages);
  const best = bestOfArticles(found.ids, scores, found.mustScore);
  const hits = await readHits(context, best.slice(0, request.limit), shown, languages);
  return { hits, total: found.total ?? best.length, words: shown, isTruncated };
}

/** Looks up one language after the other in the index: `DISTINCT` would read an entry of each version. */
const selectLanguages = `WITH RECURSIVE language (key) AS (
    SELECT min(language_key) FROM article_version
    UNION ALL SELECT (SELECT min(language_key) FROM article_version WHERE language_key > key) FROM language WHERE key IS NOT NULL
  ) SELECT key FROM language WHERE key IS NOT NULL`;

/** The words of the languages in which a search looks, by language key in the store. */
type Languages = ReadonlyMap<string, LanguageWords>;

async function listLanguages(
  { database, defaultLanguage, loadWords }: StoreContext,
  { language_code: language }: SearchQuery,
): Promise<Languages> {
  const keys =
    language === undefined
      ? (await database.rows<{ key: string }>(selectLanguages)).map(({ key }) => key)
      : [storedLanguage(language, defaultLanguage)];
  const entries = keys.map(
    async (key) => [key, await loadWords(key === ownLanguage ? defaultLanguage : key)] as const,
  );
  return new Map(await Promise.all(entries));
}

/** Versions that match a search. */
interface FoundVersions {
  /** Newest articles first. */
  readonly ids: readonly number[];
  /** Those with all words in the title. */
  readonly inTitle: ReadonlySet<number>;
  /** Number of matching articles; `null`: those that are ranked. */
  readonly total: number | null;
  /** Whether the last word was taken for the beginning of others. */
  readonly isBegun: boolean;
  /** Whether results need a score: a question with the word "the" would otherwise find every version that has it. */
  readonly mustScore: boolean;
}

async function findVersions(
  context: StoreContext,
  request: SearchQuery,
  words: readonly SearchWord[],
  languages: Languages,
): Promise<FoundVersions> {
  const { defaultLanguage } = context;
  const { language_code: language } = request;
  const languageKey = language === undefined ? null : storedLanguage(language, defaultLanguage);
  const scope = scopeOf(request, languageKey);
  const last = words.length - 1;
  const groups = (mayBegin: (at: number) => boolean, mayDivide = false) =>
    words.map((_, at) => [
      ...toGroup(words[at] as SearchWord, languages, mayBegin(at)),
      ...otherSpellings(words, at, languages, defaultLanguage, mayDivide),
    ]);
  const whole = groups(() => false);
  const typed = groups((at) => at === last);
  const begun = groups(() => true);
  const divided = groups(() => true, true);
  const isWhole = JSON.stringify(whole) !== JSON.stringify(typed);
  for (const [attempt, groups] of distinct([whole, typed, begun, divided]).entries()) {
    const all: IndexQuery = { groups, match: 'all', ...scope };
    const ids = await selectVersions(context, request, all);
    // If enough versions have the whole words, beginnings of words, which take longer, are not looked for.
    if (ids.length === 0 || (attempt === 0 && isWhole && ids.length < enough)) continue;
    const titleIds = await selectVersions(context, request, { ...all, groups: groups.map(inTitles) });
    const isComplete = ids.length < maxRanked;
    return {
      ids: isComplete ? ids : [...new Set([...titleIds, ...ids])].slice(0, maxRanked),
      inTitle: new Set(titleIds),
      total: isComplete ? null : await countArticles(context, request, all),
      isBegun: attempt > 0 || !isWhole,
      mustScore: false,
    };
  }
  const rare = words.length < 2 ? [] : await pickRare(context, begun);
  const ids =
    rare.length === 0 ? [] : await selectVersions(context, request, { groups: rare, match: 'any', ...scope });
  return { ids, inTitle: new Set(), total: null, isBegun: true, mustScore: true };
}

function distinct<T>(values: readonly T[]): readonly T[] {
  const texts = values.map((value) => JSON.stringify(value));
  return values.filter((_, at) => texts.indexOf(texts[at] ?? '') === at);
}

/** A word as it was typed, or its stem in any of the languages. */
function toGroup({ terms, minPrefix }: SearchWord, languages: Languages, mayBegin: boolean): TermGroup {
  const [word = ''] = terms;
  if (terms.length > 1) return [wholeWords(terms)];
  const stems = Array.from(languages.values(), ({ stem }) => stem(word)).filter((stem) => stem !== word);
  return [
    [{ word, isPrefix: minPrefix === 0 || (mayBegin && word.length >= minPrefix) }],
    ...[...new Set(stems)].sort().map((stem) => wholeWords([stem])),
  ];
}

function wholeWords(words: readonly string[]): readonly IndexTerm[] {
  return words.map((word) => ({ word, isPrefix: false }));
}

/**
 * What texts may have instead of a word of a search: joined with a word beside it, spelt otherwise, at the end of a compound, and, if nothing
 * else is found, as two words.
 */
function otherSpellings(
  words: readonly SearchWord[],
  at: number,
  languages: Languages,
  defaultLanguage: string,
  mayDivide: boolean,
): TermGroup {
  const termAt = (position: number) => words[position]?.terms ?? [];
  const [term = ''] = termAt(at);
  if (termAt(at).length !== 1 || isPair(term)) return [];
  const pairs = [
    [at - 1, at],
    [at, at + 1],
  ].map((pair) => pair.flatMap(termAt));
  const joined = pairs.flatMap((pair) => joinsOf(pair)).map(([, word]) => word);
  // Of synonyms, only the same letters: a search of the API means its words.
  const apart = [...languages.keys()]
    .flatMap((key) => helpSynonyms(key === ownLanguage ? defaultLanguage : key).flat())
    .map((entry) => tokenize(entry, true))
    .filter((entry) => entry.length > 1 && entry.join('') === term);
  const others = [...languages.values()].flatMap((forms) => {
    const ending = forms.hasCompounds ? reversed(forms.stem(term)) : null;
    return [
      ...[...joined, ...forms.spellings(term)].map((word) => wholeWords([word])),
      ...(ending === null ? [] : [[{ word: endingWith(ending), isPrefix: true }]]),
    ];
  });
  const halves = mayDivide ? halvesOf(term) : [];
  return [...others, ...[...halves, ...apart].map(wholeWords)];
}

function inTitles(group: TermGroup): TermGroup {
  return group.map((terms) => terms.map(({ word, isPrefix }) => ({ word: inTitle(word), isPrefix })));
}

/** Picks the rarest of words of which any may occur, as long as they do not match more versions than can be ranked. */
async function pickRare(context: StoreContext, groups: readonly TermGroup[]): Promise<readonly TermGroup[]> {
  const counts = await countMatches(context, groups);
  const counted = groups
    .map((group, at) => ({ group, count: counts[at] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count);
  let total = 0;
  return counted
    .filter(({ count }, at) => {
      total += count;
      return total <= maxRanked || at === 0;
    })
    .map(({ group }) => group);
}

/** Numbers of versions that match each of several groups. */
async function countMatches(
  { database, dialect }: StoreContext,
  groups: readonly TermGroup[],
): Promise<readonly number[]> {
  if (groups.length === 0) return [];
  const queries = groups.map((group) =>
    dialect.formatQuery({ groups: [group], match: 'all', required: [], excluded: [] }),
  );
  const rows = await database.rows<{ count: number }>(dialect.countMatches, JSON.stringify(queries));
  return rows.map(({ count }) => count);
}

/** SQL condition and values for the versions that match a query and are public now, if that is asked for. */
function conditionOf(
  { dialect, now }: StoreContext,
  { include_draft: includeDraft }: SearchQuery,
  query: IndexQuery,
): { readonly condition: string; readonly values: readonly string[] } {
  const matches = dialect.matches('$1');
  const text = dialect.formatQuery(query);
  if (includeDraft) return { condition: matches, values: [text] };
  return {
    condition: `${matches} AND ${dialect.indexId} NOT IN ${outOfSchedule('$2')}`,
    values: [text, now()],
  };
}

async function selectVersions(
  context: StoreContext,
  request: SearchQuery,
  query: IndexQuery,
): Promise<readonly number[]> {
  const { condition, values } = conditionOf(context, request, query);
  const rows = await context.database.rows<{ id: number }>(
    `SELECT ${context.dialect.indexId} AS id FROM search_index WHERE ${condition} ORDER BY ${context.dialect.newestFirst} LIMIT ${maxRanked}`,
    ...values,
  );
  return rows.map(({ id }) => id);
}

async function countArticles(
  context: StoreContext,
  request: SearchQuery,
  query: IndexQuery,
): Promise<number> {
  const { condition, values } = conditionOf(context, request, query);
  const row = await context.database.row<{ total: number }>(
    `SELECT count(DISTINCT ${context.dialect.indexId} / ${versionsPerArticle}) AS total FROM search_index WHERE ${condition}`,
    ...values,
  );
  return row?.total ?? 0;
}

interface TermRow {
  readonly id: number;
  readonly languageKey: string;
  readonly title: string;
  readonly hints: string;
  readonly text: string;
  readonly titleLength: number;
  readonly hintLength: number;
  readonly textLength: number;
}

/** The scores of versions, each ranked with the words of its language. */
async function rankVersions(
  context: StoreContext,
  text: string,
  words: readonly SearchWord[],
  found: FoundVersions,
  languages: Languages,
): Promise<ReadonlyMap<number, number>> {
  const { database, dialect } = context;
  const rows = await database.rows<TermRow>(
    `SELECT version_text.version_id AS id, language_key AS "languageKey", title_terms AS title, hint_terms AS hints, text_terms AS text,
       title_length AS "titleLength", hint_length AS "hintLength", text_length AS "textLength"
     FROM version_text JOIN article_version ON article_version.version_id = version_text.version_id
     WHERE version_text.version_id IN ${dialect.listed('$1')}`,
    JSON.stringify(found.ids),
  );
  const counts = createCounts(context);
  const scores = new Map<number, number>();
  for (const [key, forms] of languages) {
    const versions = rows.filter(({ languageKey }) => languageKey === key);
    if (versions.length === 0) continue;
    const begun = found.isBegun ? completions(words.at(-1), versions) : [];
    for (const { id, score } of await rankPassages(text, indexOf(versions, counts, forms), forms, begun)) {
      scores.set(Number(id), score);
    }
    // Lets readers in between.
    await new Promise(setImmediate);
  }
  for (const id of found.inTitle) scores.set(id, (scores.get(id) ?? 0) + titleBonus);
  return scores;
}

type TermCounts = Pick<TermIndex, 'count' | 'size'>;

/** Numbers of versions and their terms in the whole database. A term counts wherever it is in a version. */
function createCounts(context: StoreContext): TermCounts {
  const known = new Map<string, number>();
  let sizes: Promise<Record<'texts' | TermField, number> | null> | undefined;
  return {
    size: async (field) => {
      sizes ??= context.database.row(
        `SELECT count(*) AS texts, coalesce(CAST(sum(text_length) AS bigint), 0) AS text,
           coalesce(CAST(sum(title_length) AS bigint), 0) AS heading, coalesce(CAST(sum(hint_length) AS bigint), 0) AS hints
         FROM article_version`,
      );
      const row = await sizes;
      return { texts: row?.texts ?? 0, terms: row?.[field] ?? 0 };
    },
    count: async (_field, phrases) => {
      const missing = phrases.filter((phrase) => !known.has(phrase.join(' ')));
      const counts = await countMatches(
        context,
        missing.map((phrase) => [wholeWords(phrase)]),
      );
      for (const [at, phrase] of missing.entries()) known.set(phrase.join(' '), counts[at] ?? 0);
      return phrases.map((phrase) => known.get(phrase.join(' ')) ?? 0);
    },
  };
}

/** An index of the versions of one language that a search has found. */
function indexOf(
  versions: readonly TermRow[],
  counts: TermCounts,
  { hasCompounds }: LanguageWords,
): TermIndex {
  const hasOne = (terms: string, alternatives: Alternatives) =>
    alternatives.some((all) => all.every((term) => ` ${terms} `.includes(` ${term} `)));
  const byId = new Map(versions.map((version) => [String(version.id), version]));
  return {
    ...counts,
    find: (): readonly IndexedTerms[] =>
      versions.map(({ id, title, titleLength, text, textLength }) => ({
        id: String(id),
        document: String(id),
        heading: title,
        headingLength: titleLength,
        text,
        textLength,
      })),
    findHinted: (alternatives) =>
      versions
        .filter(({ hints }) => hasOne(hints, alternatives))
        .map(({ id, hints, hintLength }) => ({ document: String(id), hints, length: hintLength })),
    passagesOf: () => [],
    withText: (alternatives, ids) => ids.filter((id) => hasOne(byId.get(id)?.text ?? '', alternatives)),
    termsEnding: (end) => (hasCompounds ? listEnding(versions, end) : []),
    // Not every database lists the words of its index.
    termsLike: () => [],
  };
}

/** The words in texts that end with a word. */
function listEnding(versions: readonly TermRow[], end: string): readonly string[] {
  const longer = new Set<string>();
  for (const { title, text } of versions) {
    for (const terms of [` ${title} `, ` ${text} `]) {
      for (let at = terms.indexOf(`${end} `); at !== -1; at = terms.indexOf(`${end} `, at + 1))
        longer.add(terms.slice(terms.lastIndexOf(' ', at) + 1, at + end.length));
    }
  }
  return [...longer];
}

/** Maximum number of words that the last word of a search may be completed to. */
const maxCompletions = 20;

/** The words in texts that begin with the last word, as a group of synonyms of it. */
function completions(word: SearchWord | undefined, versions: readonly TermRow[]): readonly string[][] {
  const [start = ''] = word?.terms ?? [];
  if (word === undefined || word.terms.length > 1 || start.length < word.minPrefix) return [];
  const longer = new Set<string>();
  for (const { title, text } of versions) {
    for (const terms of [` ${title} `, ` ${text} `]) {
      for (let at = terms.indexOf(` ${start}`); at !== -1; at = terms.indexOf(` ${start}`, at + 1)) {
        longer.add(terms.slice(at + 1, terms.indexOf(' ', at + 1)));
        if (longer.size > maxCompletions) break;
      }
    }
  }
  longer.delete(start);
  return longer.size === 0 ? [] : [[start, ...[...longer].sort()]];
}

interface Hit {
  readonly id: number;
  readonly score: number;
}

/** The best version of each article, best first; of equal ones, the newest first. */
function bestOfArticles(
  ids: readonly number[],
  scores: ReadonlyMap<number, number>,
  mustScore: boolean,
): readonly Hit[] {
  const hits = ids
    .map((id) => ({ id, score: scores.get(id) ?? 0 }))
    .filter(({ score }) => score > 0 || !mustScore)
    .sort((a, b) => b.score - a.score || b.id - a.id);
  const byPosition = new Map<number, Hit>();
  for (const hit of hits) {
    const position = positionOfVersion(hit.id);
    if (!byPosition.has(position)) byPosition.set(position, hit);
  }
  return [...byPosition.values()];
}

interface HitRow extends Omit<FoundVersion, 'snippet' | 'score'> {
  readonly id: number;
  readonly languageKey: string;
  readonly text: string;
}

async function readHits(
  { database, dialect, defaultLanguage }: StoreContext,
  hits: readonly Hit[],
  words: readonly string[],
  languages: Languages,
): Promise<readonly FoundVersion[]> {
  const rows = await database.rows<HitRow>(
    `SELECT version.version_id AS id, version.language, version.language_key AS "languageKey", version.title, version.slug,
            version.description, substr(version_text.text, 1, ${snippetSource}) AS text, article.article_id AS "articleId", article.meta
     FROM article_version AS version JOIN article ON article.position = version.position
       JOIN version_text ON version_text.version_id = version.version_id
     WHERE version.version_id IN ${dialect.listed('$1')}`,
    JSON.stringify(hits.map(({ id }) => id)),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return hits.flatMap(({ id, score }) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    const { id: _, languageKey, text, ...version } = row;
    const stem = languages.get(languageKey)?.stem ?? ((word) => word);
    const language = row.language === ownLanguage ? defaultLanguage : row.language;
    const marked = [...new Set([...words, ...words.map(stem)])];
    return { ...version, language, snippet: makeSnippet(text, marked), score };
  });
}

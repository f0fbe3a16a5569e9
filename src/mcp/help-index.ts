import { setImmediate } from 'node:timers/promises';
import { applyRecords, type FeedCheck, type RecordConsumer, shortHash } from '../consumer/apply-records.ts';
import { openCursorFile } from '../consumer/feed-cursor.ts';
import { readChunkLine, readDocumentLine, readSynonymLine } from '../consumer/parse-feed.ts';
import { articleFields, type ExportArticle, type ExportPassage, passageFields } from '../export/fields.ts';
import { type PublishedSite, synonymsPath } from '../feed/feed-reader.ts';
import { LecternError } from '../foundation/errors.ts';
import { loadLanguageWords } from '../foundation/search-tokens.ts';
import { isApart, passagesOf, textOf } from './hit-passages.ts';
import { createPassageRanking, type PassageRanking } from './passage-ranking.ts';

/** A category with the number of its own articles, without those of its subcategories. */
export interface CategoryCount {
  readonly language: string;
  /** Titles, outermost first. */
  readonly path: readonly string[];
  readonly articles: number;
}

/** A search result: a passage with as many of the following ones of its article as fit, or all of a short article. */
export interface SearchHit {
  readonly passage: ExportPassage;
  readonly text: string;
  /** Rules of the injection flags of all its passages. */
  readonly flags: readonly string[];
}

/** A published feed in memory. */
export interface HelpIndex {
  /**
   * Reads what changed. If the feed cannot be read, is not trusted, is older or lost more than a fifth of its documents, the previous state
   * stays (`staleBecause`).
   * @throws if nothing was read before: FEED_INVALID, FEED_UNREACHABLE, FEED_BUSY, what `check` throws; if aborted: the reason
   */
  refresh(): Promise<void>;
  /** Code of the error of the last refresh; `null`: the index is up to date, or an upload is in progress. */
  staleBecause(): string | null;
  /** Best passages first. @param language `null`: every language, with the language of the query first */
  search(query: string, language: string | null, limit: number): readonly SearchHit[];
  /** Finds an article by document id, by article id and language, or by URL. */
  find(id: string, language: string | null): ExportArticle | null;
  /** All articles, by id. */
  articles(): readonly ExportArticle[];
  categories(language: string | null): readonly CategoryCount[];
  /** Tags of all languages, sorted. */
  languages(): readonly string[];
  /** Number of the run that published the feed. */
  seq(): number;
}

/** Most passages of one article in the results of a search; more would displace other articles. */
const passagesPerArticle = 2;

/** Largest loss of documents that a refresh applies, as in other followers of a feed. A restart applies any. */
const maxDropPercent = 20;

export interface HelpIndexOptions {
  /** Checks the manifest at every refresh; `null`: does not. */
  readonly check?: FeedCheck | null;
  /** Called when a refresh fails for another reason than the one before. */
  readonly onStale?: (error: LecternError) => void;
  /** Stops a refresh. */
  readonly signal?: AbortSignal;
}

/** Opens an index that is empty until it is refreshed. */
export function openHelpIndex(
  site: PublishedSite,
  { check = null, onStale, signal }: HelpIndexOptions = {},
): HelpIndex {
  const owner = { owner: 'mcp', variant: '' };
  const cursors = {
    documents: openCursorFile(null, owner),
    chunks: openCursorFile(null, owner),
    synonyms: openCursorFile(null, owner),
  };
  const articles = new Map<string, ExportArticle>();
  const passages = new Map<string, ExportPassage>();
  const rankings = new Map<string, PassageRanking>();
  const synonyms = new Map<string, readonly string[]>();
  let hasNewSynonyms = true;
  let refreshing: Promise<void> | null = null;
  let seq = 0;
  let stale: LecternError | null = null;
  const checked = check === null ? {} : { check };

  /** Between two batches, requests and the end of the program get their turn. */
  const pause = async (): Promise<void> => {
    await setImmediate();
    signal?.throwIfAborted();
  };

  const openRanking = async (language: string): Promise<PassageRanking> => {
    const known = rankings.get(language);
    if (known !== undefined) return known;
    const made = createPassageRanking(await loadLanguageWords(language));
    made.setSynonyms([...synonyms.values()]);
    rankings.set(language, made);
    return made;
  };

  const documents: RecordConsumer<ExportArticle> = {
    ...checked,
    reads: ({ kind }) => kind === 'documents',
    maxDropPercent,
    read: itemReader(readDocumentLine, articleFields),
    async upsert(items) {
      await pause();
      for (const { value } of items) {
        articles.set(value.id, value);
        const ranking = await openRanking(value.language);
        ranking.setHints(value.id, [value.description, ...value.tags].join('\n'));
      }
    },
    delete(ids) {
      for (const id of ids) {
        rankings.get(articles.get(id)?.language ?? '')?.setHints(id, '');
        articles.delete(id);
      }
    },
  };
  const chunks: RecordConsumer<ExportPassage> = {
    ...checked,
    reads: ({ kind }) => kind === 'chunks',
    maxDropPercent,
    read: itemReader(readChunkLine, passageFields),
    async upsert(items) {
      await pause();
      for (const { value } of items) {
        passages.set(value.id, value);
        const ranking = await openRanking(value.language);
        if (isApart(value)) ranking.remove(value.id);
        else {
          const heading = [value.title, ...value.headingPath].join(' ');
          ranking.put(value.id, { document: value.documentId, heading, text: value.embedText });
        }
      }
    },
    delete(ids) {
      for (const id of ids) {
        const known = passages.get(id);
        passages.delete(id);
        if (known !== undefined) rankings.get(known.language)?.remove(id);
      }
    },
  };

  const groups: RecordConsumer<{ readonly id: string; readonly words: readonly string[] }> = {
    ...checked,
    reads: ({ path }) => path === synonymsPath,
    maxDropPercent: null,
    read: itemReader(readSynonymLine, ({ words }) => ({ id: JSON.stringify(words), words })),
    upsert(items) {
      for (const { value } of items) synonyms.set(value.id, value.words);
    },
    delete(ids) {
      for (const id of ids) synonyms.delete(id);
    },
  };

  async function update(): Promise<void> {
    const first = await applyRecords(site, cursors.documents, documents);
    const second = await applyRecords(site, cursors.chunks, chunks);
    if (seq === 0 && (first.status === 'busy' || second.status === 'busy')) {
      throw new LecternError('FEED_BUSY', 'files of the feed differ from its manifest', {
        hint: 'the site is probably being uploaded; try again in a few minutes',
      });
    }
    if (second.status === 'applied') {
      seq = second.seq;
      hasNewSynonyms = true;
    }
    // Most calls find nothing new, and need not ask for the manifest once more.
    if (!hasNewSynonyms) return;
    const third = await applyRecords(site, cursors.synonyms, groups);
    for (const ranking of rankings.values()) ranking.setSynonyms([...synonyms.values()]);
    hasNewSynonyms = third.status === 'busy';
  }

  /**
   * Languages to search: first those whose texts contain more of the query's words; languages with the same share are searched together.
   */
  function languagesOf(query: string, language: string | null): readonly (readonly string[])[] {
    if (language !== null) return [[language]];
    const groups = new Map<number, string[]>();
    for (const [tag, ranking] of [...rankings].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const coverage = ranking.coverage(query);
      groups.set(coverage, [...(groups.get(coverage) ?? []), tag]);
    }
    return [...groups].sort(([one], [other]) => other - one).map(([, tags]) => tags);
  }

  return {
    refresh() {
      refreshing ??= update()
        .then(() => {
          stale = null;
        })
        .catch((error: unknown) => {
          // The previous data still answers queries; every answer says so.
          if (seq === 0 || !(error instanceof LecternError) || signal?.aborted) throw error;
          if (stale?.code !== error.code) onStale?.(error);
          stale = error;
        })
        .finally(() => {
          refreshing = null;
        });
      return refreshing;
    },
    staleBecause: () => stale?.code ?? null,
    search(query, language, limit) {
      const hits: SearchHit[] = [];
      const counts = new Map<string, number>();
      const shown = new Set<string>();
      const ranked = languagesOf(query, language).flatMap((tags) =>
        // Scores of different languages cannot be compared, so their results alternate.
        [...interleave(tags.map((tag) => rankings.get(tag)?.rank(query) ?? []))],
      );
      for (const id of ranked) {
        if (hits.length === limit) break;
        const passage = passages.get(id);
        if (passage === undefined || shown.has(id)) continue;
        const count = counts.get(passage.documentId) ?? 0;
        counts.set(passage.documentId, count + 1);
        if (count >= passagesPerArticle) continue;
        const parts = passagesOf(passage, passages, shown);
        for (const part of parts) shown.add(part.id);
        hits.push({
          passage,
          text: textOf(parts),
          flags: [...new Set(parts.flatMap(({ flags }) => flags))].sort(),
        });
      }
      return hits;
    },
    find(id, language) {
      const known = articles.get(id);
      if (known !== undefined) return known;
      const address = id.replace(/#.*$/, '');
      const found = [...articles.values()].filter(
        ({ articleId, url }) => articleId === id || url === address,
      );
      return found.find((article) => article.language === language) ?? found[0] ?? null;
    },
    articles: () => [...articles.values()].sort((one, other) => (one.id < other.id ? -1 : 1)),
    categories(language) {
      const counts = new Map<string, number>();
      for (const article of articles.values()) {
        if (language !== null && article.language !== language) continue;
        const key = JSON.stringify([article.language, article.categoryPath]);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      return [...counts]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, count]) => {
          const [tag, path] = JSON.parse(key) as [string, string[]];
          return { language: tag, path, articles: count };
        });
    },
    languages: () => [...new Set([...articles.values()].map(({ language }) => language))].sort(),
    seq: () => seq,
  };
}

function itemReader<R, T extends { readonly id: string }>(
  readLine: (line: string, path: string) => R,
  fields: (record: R) => T,
): RecordConsumer<T>['read'] {
  return function* read(lines, path) {
    for (const line of lines) {
      const value = fields(readLine(line, path));
      const hash = shortHash(line);
      yield { id: value.id, documentId: value.id, embedHash: hash, hash, value };
    }
  };
}

function* interleave(lists: readonly (readonly string[])[]): Generator<string> {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let at = 0; at < longest; at += 1) {
    for (const list of lists) {
      const id = list[at];
      if (id !== undefined) yield id;
    }
  }
}

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ArticleBodies } from '../../../src/foundation/model.ts';
import { stemmerName, stemmerPath } from '../../../src/search/language-words.ts';
import { searchScript } from '../../../src/site/read-assets.ts';
import { builtInTemplates } from '../../../src/site/template-files.ts';
import type { SiteFiles } from '../../support/static-server.ts';
import type { SampleBase } from './build-files.ts';
import { article } from './fixture.ts';

/** An article in the search results. */
export interface SearchResult {
  readonly href: string;
  readonly title: string;
  readonly category: string;
  readonly sections: readonly { readonly id: string; readonly heading: string }[];
  /** The line of its text that contains the words. */
  readonly excerpt: string;
  readonly terms: readonly string[];
}

export interface SearchAnswer {
  readonly total: number;
  readonly results: readonly SearchResult[];
  /** The query with other words, if nothing is found. */
  readonly suggestion?: string | null;
  /** Top categories with results, and their numbers. */
  readonly categories: readonly { readonly title: string; readonly count: number }[];
  /** The category that filters the results. */
  readonly category?: string | null;
  /** Whether an early answer matches only some of the words. */
  readonly isPartial?: boolean;
}

export interface SiteSearcher {
  readonly search: (
    query: string,
    limit?: number,
    category?: string,
    onFirst?: (answer: SearchAnswer) => void,
  ) => Promise<SearchAnswer>;
  /** Paths of the files loaded so far, besides the first one. */
  readonly loaded: () => readonly string[];
}

interface EngineModule {
  readonly createSearch: (parts: {
    readonly load: (url: string) => Promise<unknown>;
    readonly manifest: unknown;
    readonly stem: ((word: string) => string) | null;
  }) => (
    query: string,
    limit: number,
    onFirst?: (answer: SearchAnswer) => void,
    category?: string,
  ) => Promise<SearchAnswer>;
}

/** Runs the browser's search on the files of a built site. */
export async function openSearch(files: SiteFiles, language: string): Promise<SiteSearcher> {
  const url = pathToFileURL(join(builtInTemplates, 'assets/search-engine.js')).href;
  const { createSearch } = (await import(url)) as EngineModule;
  const loaded = new Set<string>();
  const read = (path: string): unknown => JSON.parse(files.get(path)?.toString() ?? 'null');
  const manifest = read(`${language}/search/index.json`);
  const name = searchScript(language) === 'search.js' ? null : stemmerName(language);
  const { stemmer = null } = (name === null ? {} : await import(pathToFileURL(stemmerPath(name)).href)) as {
    readonly stemmer?: (word: string) => string;
  };
  const search = createSearch({
    manifest,
    stem: stemmer,
    load: async (address) => {
      loaded.add(address.slice(1));
      return read(address.slice(1));
    },
  });
  return {
    search: (query, limit = 10, category, onFirst) => search(query, limit, onFirst, category),
    loaded: () => [...loaded],
  };
}

/** Titles of a query's results, best first. */
export async function titles({ search }: SiteSearcher, query: string): Promise<readonly string[]> {
  return (await search(query)).results.map(({ title }) => title);
}

/** A knowledge base of one language: titles and bodies by id. */
export function baseOf(
  language: string,
  pages: Readonly<Record<string, readonly [title: string, body: string]>>,
): SampleBase {
  const entries = Object.entries(pages);
  return {
    knowledgeBase: {
      defaultLanguage: language,
      articles: entries.map(([id, [title]]) => article(id, { [language]: title })),
      categories: [],
      excluded: new Map(),
    },
    bodies: new Map(
      entries.map(([id, [, body]]): [string, ArticleBodies] => [id, new Map([[language, body]])]),
    ),
  };
}

import { compileFunction } from 'node:vm';
import type { SiteFiles } from '../../support/static-server.ts';

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
  /** Whether another article may come before the one of an early answer. */
  readonly mayChange?: boolean;
}

export interface SiteSearcher {
  /** Throws what the worker reports, such as a damaged index. */
  readonly search: (
    query: string,
    limit?: number,
    category?: string,
    onFirst?: (answer: SearchAnswer) => void,
  ) => Promise<SearchAnswer>;
  /** Paths of the files loaded so far, besides the index. */
  readonly loaded: () => readonly string[];
}

/** What a worker posts: an answer, or why there is none. */
type Posted = SearchAnswer & { readonly id: number; readonly isWhole?: boolean; readonly error?: string };

/** Runs the published search of a site as a worker of a browser does: the script and the index that its home page names, and its files. */
export async function openSearch(files: SiteFiles, language: string): Promise<SiteSearcher> {
  const read = (path: string): string => {
    const content = files.get(path);
    if (content === undefined) throw new Error(`${path} was not published`);
    return content.toString();
  };
  const form = read(`${language}/index.html`);
  const dataOf = (name: string) => new RegExp(`data-${name}="/([^"]+)"`).exec(form)?.[1] ?? '';
  const loaded = new Set<string>();
  const waiting = new Map<number, (posted: Posted) => void>();
  const post = startWorker(read(dataOf('script')), {
    postMessage: (posted) => waiting.get(posted.id)?.(posted),
    fetch: async (url) => {
      const path = url.slice(1);
      loaded.add(path);
      return {
        ok: files.has(path),
        status: files.has(path) ? 200 : 404,
        json: async () => JSON.parse(read(path)),
      };
    },
  });
  post({ manifest: JSON.parse(read(dataOf('index'))) });
  let asked = 0;
  return {
    search: (query, limit = 10, category, onFirst) =>
      new Promise((resolve, reject) => {
        asked += 1;
        const own = asked;
        waiting.set(own, ({ id, isWhole = false, error, ...answer }) => {
          if (!isWhole) return onFirst?.(answer);
          waiting.delete(id);
          if (error === undefined) resolve(answer);
          else reject(new Error(error));
        });
        post({ id: own, query, limit, category, isFirstWanted: onFirst !== undefined });
      }),
    loaded: () => [...loaded],
  };
}

/** What the script of the search uses of a worker. */
interface WorkerScope {
  readonly postMessage: (posted: Posted) => void;
  readonly fetch: (url: string) => Promise<unknown>;
}

/** Runs a module that listens for messages. @returns sends it one */
function startWorker(script: string, { postMessage, fetch }: WorkerScope): (data: unknown) => void {
  let listener = (_event: { readonly data: unknown }): void => {};
  const addEventListener = (_type: string, listen: typeof listener): void => {
    listener = listen;
  };
  // A function has neither exports nor a URL; a worker uses none of them.
  const body = script.replace(/^export .*$/gm, '').replaceAll('import.meta.url', "''");
  const scope = { WorkerGlobalScope: Object, addEventListener, postMessage, fetch };
  compileFunction(body, Object.keys(scope))(...Object.values(scope));
  return (data) => listener({ data });
}

/** Titles of a query's results, best first. */
export async function titles({ search }: SiteSearcher, query: string): Promise<readonly string[]> {
  return (await search(query)).results.map(({ title }) => title);
}

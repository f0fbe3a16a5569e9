import { posix, relative, sep } from 'node:path';
import type { FolderArticle, FolderSettings } from '../folder/folder-read.ts';
import { createContentReader, type FolderReader } from '../folder/open-folder.ts';
import { createRenderMemory } from '../folder/render-markdown.ts';
import { languageKey } from '../foundation/language.ts';
import type { Article, ExclusionReason } from '../foundation/model.ts';
import { type Problem, problem } from '../foundation/problems.ts';
import {
  type AdapterReading,
  type ArticlesRead,
  folderIdentity,
  noTopArticles,
  type SourceAdapter,
} from './adapter.ts';
import { normaliseArticle } from './normalise/article.ts';
import { buildForest, type LooseCategory, normaliseCategory } from './normalise/category.ts';
import { applySchedule, endsOf } from './normalise/schedule.ts';
import { fileOfLanguage } from './problem-places.ts';
import type { StoredArticle } from './snapshot/format.ts';

/** Location of a folder source; relative paths are relative to `base`. */
export interface FolderLocation extends Omit<FolderSettings, 'nowMs'> {
  /** Folder of the configuration. */
  readonly base: string;
}

/** An adapter that can also tell whether anything changed. */
export interface FolderAdapter extends SourceAdapter {
  /** Absolute paths of the folders that are read. @throws FOLDER_MISSING */
  folders(): readonly string[];
  /** Absolute paths of the files that configure its site generator. @throws FOLDER_MISSING */
  configFiles(): readonly string[];
  /**
   * Changes if a file was written, added or removed. The next read uses the list of files made for it.
   * @throws FOLDER_MISSING, FOLDER_UNREADABLE
   */
  stamp(): string;
}

/**
 * The adapter of a folder of Markdown (docs/sources.md); ids are derived from paths. Reading throws FOLDER_MISSING, FOLDER_INVALID and
 * FOLDER_UNREADABLE.
 * @param remembers caches rendered HTML in memory, for a program that reads the folder repeatedly
 */
export function createFolderAdapter(
  location: FolderLocation,
  { remembers = false }: { readonly remembers?: boolean } = {},
): FolderAdapter {
  const reader = createContentReader(location, remembers ? createRenderMemory() : undefined);
  const ids = new Map<string, string>();
  const paths = new Map<string, string>();
  let categories: readonly unknown[] = [];
  return {
    identity: folderIdentity(location),
    async readArticles(reading) {
      const start = relative(location.base, location.root).split(sep).join('/');
      const inProject = (path: string) => posix.join(start, path);
      const read = await readArticlesOf(reader, reading, inProject, (article) => {
        ids.set(article.path, article.id);
        paths.set(article.id, article.path);
      });
      categories = read.categories;
      return read.articles;
    },
    async readCategories() {
      const loose: LooseCategory[] = [];
      const problems: Problem[] = [];
      for (const record of categories) {
        const normalised = normaliseCategory(record, location.defaultLanguage);
        problems.push(...normalised.problems);
        const { path, aliases } = record as Pick<LooseCategory, 'path' | 'aliases'>;
        if (normalised.category !== null)
          loose.push({
            ...normalised.category,
            ...(path === undefined ? {} : { path }),
            ...(aliases === undefined ? {} : { aliases }),
          });
      }
      const forest = buildForest(loose);
      return { categories: forest.categories, problems: [...problems, ...forest.problems] };
    },
    readTopArticles: async () => noTopArticles,
    toArticleId: (path) => ids.get(path) ?? null,
    toSourceId: (id) => paths.get(id) ?? null,
    close: async () => {},
    folders: reader.folders,
    configFiles: reader.configFiles,
    stamp: reader.stamp,
  };
}

/** @param inProject makes a path relative to the folder of the configuration */
async function readArticlesOf(
  reader: FolderReader,
  { store, previous, reuseBodies, settings }: AdapterReading,
  inProject: (path: string) => string,
  note: (article: FolderArticle) => void,
): Promise<{ readonly articles: ArticlesRead; readonly categories: readonly unknown[] }> {
  const startMs = (settings.ports?.now ?? Date.now)();
  const read = reader.read(startMs);
  // Another version of the program may render the same file differently.
  const usable = previous?.header.generator === settings.generator ? previous : null;
  const known = new Map(usable?.content.articles.map((stored) => [stored.article.id, stored]));
  const knownMs = usable?.header.scheduleMs ?? Number.POSITIVE_INFINITY;
  let scheduleMs = startMs < knownMs ? knownMs : Number.POSITIVE_INFINITY;
  const articles: StoredArticle[] = [];
  const excluded = new Map<string, ExclusionReason>();
  const excludedFiles = new Map<string, string>();
  const place = (problem: Problem, { files }: Pick<FolderArticle, 'files'>): Problem => {
    const file = problem.file ?? fileOfLanguage(Object.fromEntries(files), problem.language);
    return file === null ? problem : { ...problem, file: inProject(file) };
  };
  const none = { files: new Map<string, string>() };
  const problems: Problem[] = read.problems.map((problem) => place(problem, none));
  let done = 0;
  let reused = 0;
  const gone = goneArticles(usable?.content.articles ?? [], read.articles);
  const claimed = new Set<string>();
  for (const article of read.articles) {
    note(article);
    const { id, fingerprint } = article;
    const before = known.get(id);
    const bodyRange =
      before?.fingerprint === fingerprint && startMs < knownMs ? await reuseBodies(before) : null;
    if (before !== undefined && bodyRange !== null) {
      articles.push({ ...before, bodyRange });
      reused += 1;
    } else if (article.excluded !== null) {
      excluded.set(id, article.excluded);
      problems.push(...article.problems.map((problem) => place(problem, article)));
    } else {
      const rendered = article.render();
      const timed = applySchedule(rendered.record, startMs);
      scheduleMs = Math.min(scheduleMs, timed.nextMs);
      const normalised = normaliseArticle(timed.record, settings.defaultLanguage);
      if (normalised.kind === 'public') {
        const bodyRange = await store.append([...normalised.bodies.values()]);
        const found = [...article.problems, ...rendered.problems, ...normalised.problems].map((problem) =>
          place(problem, article),
        );
        const files = Object.fromEntries([...article.files].map(([tag, path]) => [tag, inProject(path)]));
        const stored = withPlaces(normalised.article, article, inProject);
        const former = known.has(id) ? null : findRenamed(stored, gone);
        const isRenamed = former !== null && !claimed.has(former.article.id);
        if (isRenamed) {
          claimed.add(former.article.id);
          const path = inProject(article.path);
          // A file that was given another id is not another file.
          if (!Object.values(former.files ?? {}).includes(path)) found.push(describeRenamed(former, path));
        }
        articles.push({
          article: isRenamed ? { ...stored, replaces: former.article.id } : stored,
          ...{ bodyRange, hidden: normalised.hidden, fingerprint, problems: found, files },
          ...endsOf(stored, timed.unpublishAt),
        });
      } else {
        if (normalised.kind === 'excluded') excluded.set(id, normalised.reason);
        const found = [...article.problems, ...normalised.problems];
        problems.push(...found.map((problem) => place(problem, article)));
      }
    }
    if (excluded.has(id)) excludedFiles.set(id, inProject(article.path));
    done += 1;
    settings.onProgress?.({ kind: 'articles', done, total: read.articles.length });
  }
  return {
    articles: {
      listed: read.articles.length,
      articles,
      excluded,
      excludedFiles,
      problems,
      mode: reused > 0 ? 'incremental' : 'full',
      listedAtMs: startMs,
      fullReadAtMs: startMs,
      isListWithBodies: true,
      etag: null,
      singleReads: 0,
      ...(Number.isFinite(scheduleMs) ? { scheduleMs } : {}),
    },
    categories: read.categories,
  };
}

/** Adds what is known of an article's place on its own site, which records of the API do not have. */
function withPlaces(
  article: Article,
  { places, isListed }: FolderArticle,
  inProject: (path: string) => string,
): Article {
  const translations = article.translations.map((translation) => {
    const place = places.get(languageKey(translation.language));
    return place === undefined ? translation : { ...translation, ...place, file: inProject(place.file) };
  });
  return { ...article, isListed, translations };
}

/** Shorter texts, such as those of stubs, are often the same in several pages. */
const shortestBytes = 40;

/** Published articles of the last run whose file is gone, by language and hash of each body. */
function goneArticles(
  before: readonly StoredArticle[],
  now: readonly FolderArticle[],
): ReadonlyMap<string, readonly StoredArticle[]> {
  const ids = new Set(now.map(({ id }) => id));
  const gone = new Map<string, StoredArticle[]>();
  for (const stored of before) {
    if (ids.has(stored.article.id)) continue;
    stored.article.translations.forEach(({ language, bodyHash }, at) => {
      if ((stored.bodyRange.lengths[at] ?? 0) < shortestBytes) return;
      const key = `${language} ${bodyHash}`;
      gone.set(key, [...(gone.get(key) ?? []), stored]);
    });
  }
  return gone;
}

/** The only gone article with the text of a new one, i.e. whose file was renamed; `null` if there is none. */
function findRenamed(
  { translations: [own] }: Article,
  gone: ReadonlyMap<string, readonly StoredArticle[]>,
): StoredArticle | null {
  const same = gone.get(`${own?.language} ${own?.bodyHash}`) ?? [];
  return same.length === 1 ? (same[0] ?? null) : null;
}

function describeRenamed({ article, files = {} }: StoredArticle, path: string): Problem {
  const [former] = Object.values(files);
  const message = `${path} has the text of ${former ?? 'a page'}, which is gone; to keep its id, add the line "article_id: ${article.id}" to the front matter of ${path}`;
  return problem('PAGE_RENAMED', message, { file: path, line: 1 });
}

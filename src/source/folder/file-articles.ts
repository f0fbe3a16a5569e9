import { posix } from 'node:path';
import { workAhead } from '../../core/concurrency.ts';
import { getOrMake } from '../../core/group-by.ts';
import { keysOfPath } from '../../core/hidden-names.ts';
import { languageKey } from '../../core/language.ts';
import type { Article, ArticleTranslation, ExclusionReason, LanguageTag } from '../../core/model.ts';
import { type Problem, problem } from '../../core/problems.ts';
import { relativePath } from '../../core/user-folder.ts';
import type { AdapterReading, ArticlesRead } from '../adapter.ts';
import { normaliseArticle } from '../normalise/article.ts';
import { applySchedule, endsOf } from '../normalise/schedule.ts';
import { fileOfLanguage } from '../problem-places.ts';
import type { StoredArticle } from '../snapshot/format.ts';
import type { FolderArticle, FolderRead, RenderedRecord } from './folder-read.ts';
import type { FolderListing } from './list-folder.ts';
import { describeTargets } from './references.ts';

/** Articles that are rendered before the one before them is stored: enough that no thread waits, few enough that they take little memory. */
const articlesAhead = 32;

const notRendered: RenderedRecord = { record: {}, problems: [] };

/** Makes a path relative to the folder of the configuration. */
type InProject = (path: string) => string;

/** What a source that is a folder found in it, before anything is rendered. */
interface FoundFiles
  extends Pick<FolderRead, 'articles' | 'problems' | 'scheduleMs'>,
    Required<Pick<ArticlesRead, 'unread'>>,
    Pick<FolderListing, 'etag'> {}

/**
 * Renders the articles of a folder that are not as in the last snapshot. Files in the result are relative to the folder of the configuration.
 * @param startMs when reading the folder began, in milliseconds since 1970
 * @param isBuiltSite whether another program published the files: then names are no secret, and no front matter could keep the id of a renamed page
 */
export async function readFileArticles(
  read: FoundFiles,
  { base, root }: { readonly base: string; readonly root: string },
  { store, previous, settings }: AdapterReading,
  startMs: number,
  isBuiltSite = false,
): Promise<ArticlesRead> {
  const start = relativePath(base, root);
  const inProject: InProject = (path) => posix.join(start, path);
  // Another version of the program may render the same file differently.
  const usable = previous?.header.generator === settings.generator ? previous : null;
  const known = new Map(usable?.content.articles.map((stored) => [stored.article.id, stored]));
  const knownMs = usable?.header.scheduleMs ?? Number.POSITIVE_INFINITY;
  let scheduleMs = Math.min(read.scheduleMs, startMs < knownMs ? knownMs : Number.POSITIVE_INFINITY);
  const articles: StoredArticle[] = [];
  const excluded = new Map<string, ExclusionReason>();
  const excludedFiles = new Map<string, string>();
  const hiddenNames = new Map<string, readonly string[]>();
  const place = (problem: Problem, { files }: Pick<FolderArticle, 'files'>): Problem => {
    const file = problem.file ?? fileOfLanguage(Object.fromEntries(files), problem.language);
    return file === null ? problem : { ...problem, file: inProject(file) };
  };
  const none = { files: new Map<string, string>() };
  const problems: Problem[] = read.problems.map((problem) => place(problem, none));
  let done = 0;
  let reused = 0;
  const renames = createRenameFinder((!isBuiltSite && usable?.content.articles) || [], read.articles);
  const findSame = (article: FolderArticle) => {
    const before = known.get(article.id);
    const targets = before?.fingerprint === article.fingerprint ? findSameTargets(article, before) : null;
    const isSame = targets !== null && startMs < knownMs && before && store.has(before.article);
    return isSame ? { before, targets } : null;
  };
  const looked = workAhead(read.articles, articlesAhead, async (article) => {
    const same = findSame(article);
    const isNeeded = same === null && article.excluded === null;
    return { article, same, rendered: isNeeded ? await article.render() : notRendered };
  });
  for await (const { article, same, rendered } of looked) {
    const { id, fingerprint } = article;
    const ofPages = article.hiddenPaths.flatMap(keysOfPath);
    const before = known.get(id);
    if (same !== null) {
      const stored = same.before.article;
      const article = { ...stored, replaces: renames.stillReplaced(stored) };
      articles.push({ ...same.before, ...same.targets, article });
      reused += 1;
    } else if (article.excluded !== null) {
      excluded.set(id, article.excluded);
      hiddenNames.set(id, ofPages);
      problems.push(...article.problems.map((problem) => place(problem, article)));
    } else {
      const timed = applySchedule(rendered.record, startMs);
      scheduleMs = Math.min(scheduleMs, timed.nextMs);
      const normalised = normaliseArticle(timed.record, settings.defaultLanguage);
      if (normalised.kind === 'public') {
        const bodyBytes = store.put(normalised.article, normalised.bodies);
        const found = [...article.problems, ...rendered.problems, ...normalised.problems].map((problem) =>
          place(problem, article),
        );
        const files = Object.fromEntries([...article.files].map(([tag, path]) => [tag, inProject(path)]));
        const stored = withPlaces(normalised.article, article, inProject);
        const { replaces, former } = renames.find(stored, bodyBytes, before?.article ?? null);
        const renamed = former && describeRenamed(former, files, before === undefined);
        if (renamed !== null) found.push(renamed);
        articles.push({
          article: { ...stored, replaces },
          ...{ bodyBytes, hidden: normalised.hidden, fingerprint, problems: found, files },
          hiddenNames: isBuiltSite ? [] : [...ofPages, ...normalised.hiddenNames],
          ...endsOf(stored, timed.unpublishAt),
          ...(article.targets && { targets: describeTargets(article.targets, rendered.references ?? []) }),
        });
      } else {
        excluded.set(id, normalised.reason);
        const ofFiles = [article.path, ...article.files.values()].flatMap(keysOfPath);
        if (!isBuiltSite) hiddenNames.set(id, [...ofPages, ...ofFiles, ...normalised.hiddenNames]);
        const found = [...article.problems, ...normalised.problems];
        problems.push(...found.map((problem) => place(problem, article)));
      }
    }
    if (excluded.has(id)) excludedFiles.set(id, inProject(article.path));
    done += 1;
    settings.onProgress?.({ kind: 'articles', done, total: read.articles.length });
  }
  return {
    listed: read.articles.length,
    unread: read.unread,
    articles,
    excluded,
    excludedFiles,
    hiddenNames,
    problems,
    mode: reused > 0 ? 'incremental' : 'full',
    listedAtMs: startMs,
    fullReadAtMs: startMs,
    isListWithBodies: true,
    etag: read.etag,
    singleReads: 0,
    ...(Number.isFinite(scheduleMs) ? { scheduleMs } : {}),
  };
}

/** The targets of an article that is as before, to be stored with it; `null` if one of its references leads elsewhere now. */
function findSameTargets(
  { targets: now }: FolderArticle,
  { targets: before }: StoredArticle,
): Pick<StoredArticle, 'targets'> | null {
  if (now === undefined || before?.layout === now.layout) return {};
  if (before === undefined) return null;
  const targets = describeTargets(now, before.references);
  return targets.hash === before.hash ? { targets } : null;
}

/** Adds what is known of an article from its place in the folder, which records of the API do not have. */
function withPlaces(article: Article, { places, isListed }: FolderArticle, inProject: InProject): Article {
  const translations = article.translations.map((translation) => {
    const place = places.get(languageKey(translation.language));
    return place === undefined ? translation : { ...translation, ...place, file: inProject(place.file) };
  });
  return { ...article, isListed, translations };
}

/** Shorter texts, such as those of stubs, are often the same in several pages: then the title must be the same, too. */
const minBytes = 40;

/** Equal for two pages that have the same text. @param bytes size of the body */
function textKey({ language, bodyHash, title }: ArticleTranslation, bytes: number): string {
  return `${language} ${bodyHash} ${bytes < minBytes ? title : ''}`;
}

/** A page whose text was found under another file name. */
interface FormerPage {
  readonly language: LanguageTag;
  readonly stored: StoredArticle;
}

/** @param before the published articles of the last run */
function createRenameFinder(before: readonly StoredArticle[], now: readonly FolderArticle[]) {
  const languagesById = new Map(
    now.map(({ id, files }) => [id, new Set([...files.keys()].map(languageKey))]),
  );
  const isGone = (id: string, language: LanguageTag): boolean => {
    const languages = languagesById.get(id);
    // The files of an invalid record are unknown.
    return languages === undefined || (languages.size > 0 && !languages.has(languageKey(language)));
  };
  const byText = new Map<string, StoredArticle[]>();
  /** Languages and ids of pages that are gone and that no article continues yet. */
  const unclaimed = new Set<string>();
  for (const stored of before) {
    stored.article.translations.forEach((translation, at) => {
      const { language } = translation;
      if (!isGone(stored.article.id, language)) return;
      unclaimed.add(`${language} ${stored.article.id}`);
      const key = textKey(translation, stored.bodyBytes[at] ?? 0);
      getOrMake(byText, key, () => []).push(stored);
    });
  }
  /** `Article.replaces` of an article that was not read again: without pages that exist again. */
  const stillReplaced = ({ replaces }: Article): Article['replaces'] =>
    Object.fromEntries(Object.entries(replaces).filter(([language, id]) => isGone(id, language)));
  /** Takes a page that is gone; the next article does not get it. */
  const claim = (language: LanguageTag, id: string): boolean => unclaimed.delete(`${language} ${id}`);
  return {
    stillReplaced,
    /**
     * Finds the pages that an article continues, each language by itself: translators rename their files later than authors. A page continues
     * one that is gone if it has its text, or if another language of the article continues that article.
     * @param before the article with the same id in the last run
     */
    find({ translations }: Article, bodyBytes: readonly number[], before: Article | null) {
      const replaces: Record<LanguageTag, string> = before === null ? {} : { ...stillReplaced(before) };
      const hashes = new Map(before?.translations.map(({ language, bodyHash }) => [language, bodyHash]));
      let former: FormerPage | null = null;
      for (const [at, translation] of translations.entries()) {
        const { language } = translation;
        if (hashes.get(language) === translation.bodyHash) continue;
        const [stored, ...others] = byText.get(textKey(translation, bodyBytes[at] ?? 0)) ?? [];
        if (stored === undefined || others.length > 0 || !claim(language, stored.article.id)) continue;
        replaces[language] = stored.article.id;
        former ??= { language, stored };
      }
      for (const { language } of translations) {
        if (hashes.has(language) || replaces[language] !== undefined) continue;
        const id = Object.values(replaces).find((one) => claim(language, one));
        if (id !== undefined) replaces[language] = id;
      }
      return { replaces, former };
    },
  };
}

/** @param isNew whether the article has a new id, too */
function describeRenamed(
  { language, stored }: FormerPage,
  files: Readonly<Record<LanguageTag, string>>,
  isNew: boolean,
): Problem | null {
  const path = fileOfLanguage(files, language);
  const former = fileOfLanguage(stored.files ?? {}, language);
  // A file that was given another id is not another file.
  if (path === null || path === former) return null;
  const what = isNew
    ? `to keep its id, add the line "article_id: ${stored.article.id}" to the front matter of ${path}`
    : 'its old URL leads to the new one';
  const message = `${path} has the text of ${former ?? 'a page'}, which is gone; ${what}`;
  return problem('PAGE_RENAMED', message, { file: path, line: 1 });
}

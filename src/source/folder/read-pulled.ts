import { hash } from 'node:crypto';
import { posix } from 'node:path';
import { folderAddress } from '../../core/addresses.ts';
import type { ArticleCreate } from '../../core/api/article.ts';
import { once } from '../../core/concurrency.ts';
import { isSameLanguage } from '../../core/language.ts';
import { type Problem, problem } from '../../core/problems.ts';
import { readLive, readVisibility } from '../normalise/visibility.ts';
import type { FileMemory } from '../snapshot/file-memory.ts';
import type { TextReference } from '../snapshot/format.ts';
import type { OpenFileMemory } from '../snapshot/snapshot-file.ts';
import {
  deriveId,
  describeUnopened,
  type FolderArticle,
  type FolderRead,
  type FolderRecord,
  type FolderSettings,
  notPublic,
  type RenderedRecord,
} from './folder-read.ts';
import { type FrontMatterFile, parseFrontMatter } from './front-matter.ts';
import { describeMistake, type FolderEntry, type FolderMistake, readCorrectRecords } from './read-folder.ts';
import { isArticleBody, type LanguageFile, toArticle } from './records.ts';
import { type ReferenceTarget, type ReportReference, resolveReferences } from './references.ts';
import { readTextInside, type ScannedFiles } from './safe-files.ts';

/**
 * Reads a folder in the format of `lectern pull`, without a service: a record without an id gets one derived from its subfolder, and images
 * stay files.
 * @throws PATH_UNUSABLE
 */
export function readPulled(
  settings: FolderSettings,
  scanned: ScannedFiles,
  openFiles: OpenFileMemory,
): FolderRead {
  const { root, defaultLanguage, nowMs } = settings;
  const memory = openFiles('pulled', nowMs);
  const pages: string[] = [];
  const publicFolders = new Set<string>();
  const bodyHashes = new Map<string, string>();
  const files = openPulled(root, scanned.stamps, memory, publicFolders);
  const read = (path: string): PulledFile => {
    const file = files.read(path);
    bodyHashes.set(path, file.bodyHash);
    pages.push(path);
    // The other files of a record have its translations.
    if (readVisibility(file.data) === 'public') publicFolders.add(posix.dirname(path));
    return file;
  };
  const { content, mistakes } = readCorrectRecords(root, scanned, {
    toHtml: (markdown) => markdown,
    readFile: read,
    defaultLanguage,
  });
  const { categories, loose } = content;
  const ids = new Map<string, string>();
  for (const { folder, record } of content.articles)
    ids.set(folder, record.article_id ?? deriveId('article', folder));
  for (const { folder, record } of categories)
    ids.set(folder, record.category_id ?? deriveId('category', folder));
  const shared = skipSharedIds(ids);
  const articles = content.articles.filter(({ folder }) => ids.has(folder));
  const layout = hash('sha256', JSON.stringify([[...ids], [...scanned.stamps.keys()], scanned.links]));
  const find = createTargets(ids, scanned);
  const records = articles.map((entry): FolderArticle => {
    const path = entry.folder;
    const id = ids.get(path) as string;
    const content = entry.files.map(({ name, data }) => [name, data, bodyHashes.get(`${path}/${name}`)]);
    return {
      ...notPublic(id, path, null),
      files: new Map(entry.files.map(({ language, name }) => [language, `${path}/${name}`])),
      fingerprint: hash('sha256', JSON.stringify([defaultLanguage, id, content])).slice(0, 32),
      targets: { layout, find: ([file, path]) => find(file, path) },
      render: () => renderEntry(entry, id, settings, files, find),
    };
  });
  const known = new Set(records.map(({ id }) => id));
  for (const { path } of [...mistakes, ...shared]) {
    const folder = /^articles\/[^/]+/.exec(path)?.[0];
    const id = folder === undefined ? '' : deriveId('article', folder);
    if (folder === undefined || known.has(id)) continue;
    known.add(id);
    records.push(notPublic(id, folder, 'invalid', [folder]));
  }
  return {
    articles: records.sort((a, b) => (a.id < b.id ? -1 : 1)),
    pages,
    scheduleMs: Number.POSITIVE_INFINITY,
    categories: categories
      .filter(({ folder }) => ids.has(folder))
      .map(({ folder, record, language }) =>
        withOwnLanguage({ ...record, category_id: ids.get(folder) }, language, defaultLanguage),
      ),
    problems: [
      ...[...mistakes, ...shared].map((mistake) =>
        problem('FILE_SKIPPED', describeMistake(mistake), {
          file: mistake.path,
          line: mistake.line,
        }),
      ),
      ...describeUnopened(scanned),
      ...loose
        .filter((path) => !scanned.links.includes(path))
        .map((path) => problem('FILE_IGNORED', `${path} is not in the folder of a record`, { file: path })),
    ],
  };
}

/** What is remembered of a file. */
interface PulledFile extends FrontMatterFile {
  /** Empty for a valid body of an article, which only rendering needs. */
  readonly body: string;
  readonly bodyHash: string;
}

/** The files of a folder in the format of `lectern pull`. */
interface PulledFiles {
  /** Opens the file only if it may have changed. */
  read(path: string): PulledFile;
  readBody(path: string): string;
}

/** @param publicFolders those of public records, complete when everything has been read */
function openPulled(
  root: string,
  stamps: ScannedFiles['stamps'],
  memory: FileMemory,
  publicFolders: ReadonlySet<string>,
): PulledFiles {
  const bodies = new Map<string, string>();
  return {
    read(path) {
      const text = once(() => readTextInside(root, path));
      return memory.get(path, {
        stamp: stamps.get(path) ?? '',
        hash: () => hash('sha256', text()),
        make() {
          const { data, body } = parseFrontMatter(text());
          bodies.set(path, body);
          const isLeft = path.startsWith('articles/') && isArticleBody(body);
          return { data, body: isLeft ? '' : body, bodyHash: hash('sha256', body) };
        },
        isPublic: ({ data }) => publicFolders.has(posix.dirname(path)) && readLive(data) === 'live',
      });
    },
    readBody: (path) => bodies.get(path) ?? parseFrontMatter(readTextInside(root, path)).body,
  };
}

/** Removes records whose derived id equals the id of an earlier one, and returns them. */
function skipSharedIds(ids: Map<string, string>): readonly FolderMistake[] {
  const folders = new Map<string, string>();
  return [...ids].flatMap(([folder, id]) => {
    const key = `${folder.split('/')[0]} ${id}`;
    const other = folders.get(key);
    if (other === undefined) {
      folders.set(key, folder);
      return [];
    }
    ids.delete(folder);
    return [{ path: folder, line: null, why: `${other} has the same id ${id}` }];
  });
}

type Find = (file: string, path: string) => ReferenceTarget;

function createTargets(ids: ReadonlyMap<string, string>, { stamps, links }: ScannedFiles): Find {
  return (file, path) => {
    if (path.startsWith('/')) return { kind: 'none' };
    const target = posix.normalize(posix.join(posix.dirname(file), path));
    if (/^\.\.(?:\/|$)/.test(target)) return { kind: 'outside' };
    if (links.some((link) => target === link || target.startsWith(`${link}/`))) return { kind: 'link' };
    const [, folder = '', kind = ''] =
      /^((articles|categories)\/[^/]+)(?:\/?|\/[^/]+\.(?:md|html))$/.exec(target) ?? [];
    const id = ids.get(folder);
    if (id !== undefined)
      return { kind: 'page', href: `/${kind === 'articles' ? 'article' : 'category'}/${id}` };
    const isFile = stamps.has(target) && !/^(?:articles|categories)\/.*\.(?:md|html)$/.test(target);
    return isFile ? { kind: 'file', address: folderAddress(target) } : { kind: 'none' };
  };
}

async function renderEntry(
  { files, folder }: FolderEntry<ArticleCreate>,
  id: string,
  { defaultLanguage, markdown }: FolderSettings,
  { readBody }: PulledFiles,
  find: Find,
): Promise<RenderedRecord> {
  const problems: Problem[] = [];
  const references: TextReference[] = [];
  const render = async (file: LanguageFile): Promise<LanguageFile> => {
    const path = `${folder}/${file.name}`;
    const report: ReportReference = (code, message) => {
      problems.push(problem(code, message, { articleId: id, language: file.language, file: path }));
    };
    const text = readBody(path);
    const html = file.name.endsWith('.md')
      ? await markdown(text, () => report('TEXT_TOO_COMPLEX', `the Markdown of ${path} is published as text`))
      : text;
    const findNoted = (address: string): ReferenceTarget => {
      references.push([path, address]);
      return find(path, address);
    };
    const body = resolveReferences(html, path, findNoted, report);
    return { ...file, body };
  };
  const rendered: LanguageFile[] = [];
  for (const file of files) rendered.push(await render(file));
  const { record, language } = toArticle(rendered, defaultLanguage);
  const own = withOwnLanguage({ ...record, article_id: id }, language, defaultLanguage);
  return { record: own, problems, references };
}

/** The record's own texts must be in the default language of the run; if they are in another language, they become a translation. */
function withOwnLanguage(record: FolderRecord, language: string, defaultLanguage: string): FolderRecord {
  if (isSameLanguage(language, defaultLanguage)) return record;
  const { title, slug, description, body, updated_at, multilingual } = record;
  const own = { language_code: language, title, slug, description, body, updated_at, is_live: true };
  const others = Array.isArray(multilingual) ? (multilingual as readonly unknown[]) : [];
  return { ...record, title: null, description: null, body: null, multilingual: [own, ...others] };
}

import { type Dirent, existsSync, readdirSync, rmSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import type { ArticleCreate } from '../../core/api/article.ts';
import type { CategoryCreate } from '../../core/api/category.ts';
import { LecternError, LineError, messageOf } from '../../core/errors.ts';
import { readJsonOrNull } from '../../core/file-system.ts';
import { pageFile } from '../../core/hidden-names.ts';
import { isSameLanguage } from '../../core/language.ts';
import { z } from '../../core/schema.ts';
import { refuseInvalidFiles } from './folder-read.ts';
import { type FrontMatterFile, parseFrontMatter } from './front-matter.ts';
import { aboutFile, listOrderFile, syncStateFile } from './list-folder.ts';
import { type LanguageFile, type ReadRecord, toArticle, toCategory } from './records.ts';
import { inlineImages, renderMarkdown } from './render-markdown.ts';
import { isUnnamed, readTextInside, type ScannedFiles, scanFiles } from './safe-files.ts';
import { writeFile } from './write-record.ts';

/** One record of the folder. */
export interface FolderEntry<T> extends ReadRecord<T> {
  /** The subfolder of its language files, relative to the folder, `/`-separated. */
  readonly folder: string;
  readonly files: readonly LanguageFile[];
}

/** A knowledge base in a folder, in the order of the service it was pulled from, then by subfolder name. */
export interface FolderContent {
  readonly articles: readonly FolderEntry<ArticleCreate>[];
  readonly categories: readonly FolderEntry<CategoryCreate>[];
  /** Pages anywhere below the folder, and links in place of records, that are not read; relative to it, `/`-separated. */
  readonly loose: readonly string[];
  /** Subfolders that contain files but no page, and are no records; relative to the folder, `/`-separated. */
  readonly withoutPages: readonly string[];
}

/**
 * Reads `DIR/categories/<any-name>/<language>.md` and `DIR/articles/<any-name>/<language>.md` (or `.html`); `docs/service.md` describes the
 * format. Reports the errors of all files at once. Throws `PATH_UNUSABLE` with files and errors, and `PATH_UNUSABLE` if there is nothing
 * to read.
 * @param defaultLanguage in which new records are written; `null`: unknown
 */
export function readFolder(root: string, defaultLanguage: string | null = null): FolderContent {
  const files = scanFiles(root, [], Number.POSITIVE_INFINITY);
  const readFile: ReadFile = (path) => parseFrontMatter(readTextInside(root, path));
  const how = { toHtml: renderSelfContained, readFile, defaultLanguage };
  const { content, mistakes } = readCorrectRecords(root, files, how);
  refuseInvalidFiles(mistakes.map(describeMistake));
  return content;
}

/** Why a file or the folder of a record cannot be read. */
export interface FolderMistake {
  /** Relative to the root, `/`-separated. */
  readonly path: string;
  /** Number of the line; the first one is 1. `null` if it is unknown. */
  readonly line: number | null;
  readonly why: string;
}

/** A mistake as a sentence. */
export function describeMistake({ path, why }: FolderMistake): string {
  return `${path}: ${why}`;
}

/**
 * Like {@link readFolder}, but skips records with mistakes and returns these. Of two records with one id, the first is read.
 * @param files those below the root
 * @throws PATH_UNUSABLE
 */
export function readCorrectRecords(
  root: string,
  files: ScannedFiles,
  how: HowToRead,
): { readonly content: FolderContent; readonly mistakes: readonly FolderMistake[] } {
  const mistakes: FolderMistake[] = [];
  if (!existsSync(join(root, 'articles')) && !existsSync(join(root, 'categories'))) {
    throw new LecternError('PATH_UNUSABLE', `${root} has no folder "articles" or "categories"`, {
      hint: 'pass a folder in the layout that lectern pull writes',
    });
  }
  const reading = { ...how, root, mistakes, bare: [] };
  const all = {
    categories: readEntries(reading, 'categories', toCategory),
    articles: readEntries(reading, 'articles', toArticle),
  };
  const categories = withoutDuplicates(all.categories, (record) => record.category_id, mistakes);
  const articles = withoutDuplicates(all.articles, (record) => record.article_id, mistakes);
  const ids = {
    articles: new Set(articles.map(({ record }) => record.article_id)),
    categories: new Set(categories.map(({ record }) => record.category_id)),
  };
  refuseLostPages(reading, ids);
  const withoutPages = reading.bare.map(({ path }) => path);
  return { content: { articles, categories, loose: findLoose(files), withoutPages }, mistakes };
}

function findLoose({ stamps, links }: ScannedFiles): readonly string[] {
  const isRead = /^(?:articles|categories)\/[^/]+\/[^/]+\.(?:md|html)$/;
  const isRecord = /^(?:articles|categories)\/[^/]+$/;
  const isPage = (path: string) => isPageName(posix.basename(path)) && !isRead.test(path);
  return [
    ...[...stamps.keys()].filter(isPage),
    ...links.filter((path) => isPage(path) || (isRecord.test(path) && !aboutFile.test(posix.basename(path)))),
  ].sort();
}

function isPageName(name: string): boolean {
  return pageFile.test(name) && !aboutFile.test(name);
}

type ReadFile = (path: string) => FrontMatterFile;

function renderSelfContained(markdown: string, path: string, root: string): string {
  const html = renderMarkdown(markdown, () => {
    throw new Error('its Markdown takes too much work to render: split its paragraphs, tables or lists');
  });
  return inlineImages(html, join(root, path), root);
}

interface HowToRead {
  /** Converts the Markdown of an article file to its body. @param path of the file, relative to the root */
  readonly toHtml: (markdown: string, path: string, root: string) => string;
  /** Reads a path relative to the root. */
  readonly readFile: ReadFile;
  /** Language of new records; `null`: unknown. */
  readonly defaultLanguage: string | null;
}

interface FolderReading extends HowToRead {
  readonly root: string;
  readonly mistakes: FolderMistake[];
  readonly bare: BareFolder[];
}

/** A subfolder that contains something, but no page. */
interface BareFolder {
  readonly kind: 'articles' | 'categories';
  /** Relative to the root, `/`-separated. */
  readonly path: string;
  readonly hasFolders: boolean;
}

/** The part of the sync state that tells which folders without a page have lost one. */
const knownRecords = z.object({
  articles: z.record(z.string(), z.unknown()),
  categories: z.record(z.string(), z.unknown()),
  withoutPages: z.array(z.string()).default([]),
});

/**
 * Refuses folders that may have lost the pages of a record, which a push would delete: some record of the last sync is missing, or its
 * pages may be one level deeper. Folders that had no page at the last sync are not refused.
 */
function refuseLostPages(
  { root, bare, mistakes }: FolderReading,
  ids: Readonly<Record<BareFolder['kind'], ReadonlySet<string | undefined>>>,
): void {
  if (bare.length === 0) return;
  const known = knownRecords.safeParse(readJsonOrNull(join(root, syncStateFile))).data;
  for (const { kind, path, hasFolders } of bare) {
    if (known?.withoutPages.includes(path)) continue;
    const isComplete = known !== undefined && Object.keys(known[kind]).every((id) => ids[kind].has(id));
    if (isComplete && !hasFolders) continue;
    const why = 'the folder has no .md or .html file; restore its pages, or move or delete it';
    mistakes.push({ path, line: null, why });
  }
}

function readEntries<T>(
  reading: FolderReading,
  kind: 'articles' | 'categories',
  toRecord: (files: readonly LanguageFile[], defaultLanguage: string | null) => ReadRecord<T>,
): FolderEntry<T>[] {
  const entries: FolderEntry<T>[] = [];
  const order = new Map(readListOrder(reading.root)?.[kind].map((name, index) => [name, index]));
  const position = (name: string): number => order.get(name) ?? order.size;
  const whole = join(reading.root, kind);
  const folders = existsSync(whole) ? list(whole).filter((entry) => entry.isDirectory()) : [];
  for (const { name } of folders.sort((a, b) => position(a.name) - position(b.name))) {
    const folder = `${kind}/${name}`;
    const files = readLanguageFiles(reading, folder);
    if (files === null) continue;
    try {
      entries.push({ folder, files, ...toRecord(files, reading.defaultLanguage) });
    } catch (error) {
      reading.mistakes.push({ path: folder, line: null, why: messageOf(error) });
    }
  }
  return entries;
}

function readLanguageFiles(
  { root, toHtml, readFile, mistakes, bare }: FolderReading,
  folder: string,
): readonly LanguageFile[] | null {
  const files: LanguageFile[] = [];
  const before = mistakes.length;
  const inside = list(join(root, folder));
  if (!inside.some((entry) => isPageName(entry.name))) {
    const [kind] = folder.split('/');
    const hasFolders = inside.some((entry) => entry.isDirectory());
    // Files with a dot count: a cloud drive keeps a removed `en.md` as `.en.md.icloud`.
    const isEmpty = readdirSync(join(root, folder)).every((one) => one === '.DS_Store');
    if (!isEmpty) bare.push({ kind: kind as BareFolder['kind'], path: folder, hasFolders });
    return null;
  }
  for (const { name } of inside) {
    const extension = extname(name);
    if ((extension !== '.md' && extension !== '.html') || aboutFile.test(name)) continue;
    const path = `${folder}/${name}`;
    try {
      const { data, body } = readFile(path);
      const isHtml = extension === '.html' || folder.startsWith('categories');
      const html = isHtml ? body : toHtml(body, path, root);
      files.push({ name, language: name.slice(0, -extension.length), data, body: html, text: body });
    } catch (error) {
      const line = error instanceof LineError ? error.line : null;
      mistakes.push({ path, line, why: messageOf(error) });
    }
  }
  for (const [at, file] of files.entries()) {
    const same = files.slice(0, at).find((one) => isSameLanguage(one.language, file.language));
    const why = `${same?.name} and ${file.name} are in the same language`;
    if (same !== undefined) mistakes.push({ path: folder, line: null, why });
  }
  return mistakes.length > before ? null : files;
}

/**
 * The folder with another spelling of its languages: the file `DE.md` is `de` there. `notes.md` is refused: it could be a tag, but
 * no language has a code of four letters or more.
 * @param known tags of a record, as they are to be spelled; `all`: those that any record of the service has
 * @throws PATH_UNUSABLE
 */
export function spellLanguages(
  { articles, categories, ...others }: FolderContent,
  known: Readonly<Record<'article' | 'category', (id: string | undefined) => readonly string[]>> & {
    readonly all: ReadonlySet<string>;
  },
): FolderContent {
  const mistakes: string[] = [];
  const spellIn = <T extends ArticleCreate | CategoryCreate>(
    entry: FolderEntry<T>,
    tags: readonly string[],
  ): FolderEntry<T> => {
    const spell = (code: string) => tags.find((tag) => isSameLanguage(tag, code)) ?? code;
    const files = entry.files.map((file) => ({ ...file, language: spell(file.language) }));
    for (const { name, language } of files) {
      if (!/^[a-z]{4}/i.test(language) || tags.includes(language) || known.all.has(language)) continue;
      mistakes.push(
        `${entry.folder}/${name}: "${language}" is not a language; give files of your own another extension`,
      );
    }
    const multilingual = entry.record.multilingual?.map((element) => ({
      ...element,
      language_code: spell(element.language_code),
    }));
    return { ...entry, files, language: spell(entry.language), record: { ...entry.record, multilingual } };
  };
  const spelled = {
    categories: categories.map((one) => spellIn(one, known.category(one.record.category_id))),
    articles: articles.map((one) => spellIn(one, known.article(one.record.article_id))),
    ...others,
  };
  refuseInvalidFiles(mistakes);
  return spelled;
}

function list(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && !isUnnamed(join(folder, entry.name)))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function withoutDuplicates<T>(
  entries: readonly FolderEntry<T>[],
  idOf: (record: T) => string | undefined,
  mistakes: FolderMistake[],
): readonly FolderEntry<T>[] {
  const folders = new Map<string, string>();
  return entries.filter(({ folder, record }) => {
    const id = idOf(record);
    if (id === undefined) return true;
    const first = folders.get(id);
    if (first !== undefined)
      mistakes.push({ path: folder, line: null, why: `${first} has the same id ${id}` });
    else folders.set(id, folder);
    return first === undefined;
  });
}

const schema = z.object({ articles: z.array(z.string()), categories: z.array(z.string()) });

/** Names of subfolders in the order of the service's lists; records without `sort_order` follow this order. */
export type ListOrder = z.infer<typeof schema>;

/** The order that a pull wrote; `null` if it is the order of the names, or the file cannot be used. */
function readListOrder(root: string): ListOrder | null {
  return schema.safeParse(readJsonOrNull(join(root, listOrderFile))).data ?? null;
}

/** Writes the order to the folder; deletes the file if it is the order of the names. */
export function writeListOrder(root: string, order: ListOrder): void {
  const isByName = [order.articles, order.categories].every((names) =>
    names.every((name, index) => index === 0 || (names[index - 1] as string) < name),
  );
  if (isByName) rmSync(join(root, listOrderFile), { force: true });
  else writeFile(join(root, listOrderFile), `${JSON.stringify(order, null, 2)}\n`);
}

import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import type { ArticleCreate } from '../api/article.ts';
import type { CategoryCreate } from '../api/category.ts';
import { LecternError } from '../foundation/errors.ts';
import { parseFrontMatter } from './front-matter.ts';
import { type LanguageFile, type ReadRecord, toArticle, toCategory } from './records.ts';
import { inlineImages, renderMarkdown } from './render-markdown.ts';

/** One record of the folder. */
export interface FolderEntry<T> extends ReadRecord<T> {
  /** The sub-folder that holds its language files, relative to the folder. */
  readonly folder: string;
  readonly files: readonly LanguageFile[];
}

/** A knowledge base in a folder, sorted by sub-folder name. */
export interface FolderContent {
  readonly articles: readonly FolderEntry<ArticleCreate>[];
  readonly categories: readonly FolderEntry<CategoryCreate>[];
}

/**
 * Reads `DIR/categories/<any-name>/<language>.md` and `DIR/articles/<any-name>/<language>.md` (or `.html`);
 * `docs/service.md` describes the format. Every mistake of every file is collected first.
 * Throws `FOLDER_INVALID` naming file and mistake, and `FOLDER_MISSING` when there is nothing to read.
 */
export function readFolder(root: string): FolderContent {
  const mistakes: string[] = [];
  if (!existsSync(join(root, 'articles')) && !existsSync(join(root, 'categories'))) {
    throw new LecternError('FOLDER_MISSING', `${root} holds no folder "articles" or "categories".`, {
      hint: 'Name a folder written by "lectern pull", or one laid out like it.',
    });
  }
  const categories = readEntries(root, 'categories', toCategory, mistakes);
  const articles = readEntries(root, 'articles', toArticle, mistakes);
  findDuplicates(categories, (record) => record.category_id, mistakes);
  findDuplicates(articles, (record) => record.article_id, mistakes);
  if (mistakes.length > 0) {
    const more = mistakes.length > 10 ? `\n  and ${mistakes.length - 10} more` : '';
    throw new LecternError('FOLDER_INVALID', `${mistakes.slice(0, 10).join('\n  ')}${more}`, {
      hint: 'Correct the files named above; nothing was read from the folder.',
    });
  }
  return { articles, categories };
}

function readEntries<T>(
  root: string,
  kind: 'articles' | 'categories',
  toRecord: (files: readonly LanguageFile[]) => ReadRecord<T>,
  mistakes: string[],
): FolderEntry<T>[] {
  const entries: FolderEntry<T>[] = [];
  for (const { name } of list(join(root, kind)).filter((entry) => entry.isDirectory())) {
    const folder = join(kind, name);
    const files = readLanguageFiles(root, folder, mistakes);
    if (files === null) continue;
    try {
      entries.push({ folder, files, ...toRecord(files) });
    } catch (error) {
      mistakes.push(`${folder}: ${messageOf(error)}`);
    }
  }
  return entries;
}

function readLanguageFiles(root: string, folder: string, mistakes: string[]): readonly LanguageFile[] | null {
  const files: LanguageFile[] = [];
  const before = mistakes.length;
  for (const { name } of list(join(root, folder))) {
    const extension = extname(name);
    if (extension !== '.md' && extension !== '.html') continue;
    const path = join(root, folder, name);
    try {
      const { data, body } = parseFrontMatter(readFileSync(path, 'utf8'));
      const isHtml = extension === '.html' || folder.startsWith('categories');
      const html = isHtml ? body : inlineImages(renderMarkdown(body), path, root);
      files.push({ name, language: name.slice(0, -extension.length), data, body: html, text: body });
    } catch (error) {
      mistakes.push(`${relative(root, path)}: ${messageOf(error)}`);
    }
  }
  return mistakes.length > before ? null : files;
}

function list(folder: string): Dirent[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function findDuplicates<T>(
  entries: readonly FolderEntry<T>[],
  idOf: (record: T) => string | undefined,
  mistakes: string[],
): void {
  const folders = new Map<string, string>();
  for (const { folder, record } of entries) {
    const id = idOf(record);
    if (id === undefined) continue;
    const first = folders.get(id);
    if (first !== undefined) mistakes.push(`${folder}: ${first} has the same id ${id}`);
    folders.set(id, folder);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

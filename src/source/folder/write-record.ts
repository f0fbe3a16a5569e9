import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ArticleRecord } from '../../core/api/article.ts';
import type { CategoryRecord } from '../../core/api/category.ts';
import { LecternError } from '../../core/errors.ts';
import {
  makeFolder,
  readFileOrNull,
  readWholeFile,
  renameOver,
  writeFileAtomically,
} from '../../core/file-system.ts';
import { isSameLanguage } from '../../core/language.ts';
import type { ToBodyForm } from './body-markdown.ts';
import { formatFrontMatter, keepComments } from './front-matter.ts';
import { aboutFile } from './list-folder.ts';
import type { LanguageFile } from './records.ts';

/** An image that was embedded in a body, named by its content. */
const imageFile = /^image-[0-9a-f]{12}\.[a-z]+$/;
const languageFile = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*\.(?:md|html)$/;

/**
 * Makes a record's subfolder contain exactly these language files and their images; other files in it stay. A file is replaced atomically,
 * and only if its content differs. Throws LANGUAGE_UNUSABLE for a language that cannot be a file name.
 */
export function writeRecordFiles(root: string, folder: string, files: RecordFiles): void {
  const final = join(root, folder);
  for (const [name, content] of files) if (typeof content === 'string') checkLanguageFile(folder, name);
  const isNew = !existsSync(final);
  // A kill leaves no half of a new record, in which the missing languages would count as deleted.
  const path = isNew ? join(dirname(final), `.${basename(final)}.partial`) : final;
  if (isNew) rmSync(path, { recursive: true, force: true });
  makeFolder(path);
  for (const name of readdirSync(path)) {
    if (aboutFile.test(name)) continue;
    const isStale = languageFile.test(name) || (imageFile.test(name) && !isNamed(name, files));
    if (isStale && !files.has(name)) rmSync(join(path, name));
  }
  // Images first, so that a language file never refers to a missing image.
  for (const [name, content] of files) if (typeof content !== 'string') writeFile(join(path, name), content);
  for (const [name, content] of files) if (typeof content === 'string') writeFile(join(path, name), content);
  if (isNew) renameOver(path, final);
}

/** The files, with the comments in the front matter of those that they replace. */
export function withComments(root: string, folder: string, files: RecordFiles): RecordFiles {
  const replace = (name: string, content: string): string => {
    const before = readFileOrNull(join(root, folder, name));
    return before === null ? content : keepComments(content, before.toString());
  };
  return new Map(
    Array.from(files, ([name, content]) => [
      name,
      typeof content === 'string' ? replace(name, content) : content,
    ]),
  );
}

/** Whether a language file refers to a file: an author may use an image in several languages. */
function isNamed(name: string, files: RecordFiles): boolean {
  return [...files.values()].some((content) => typeof content === 'string' && content.includes(name));
}

/** @throws LANGUAGE_UNUSABLE for a name such as `../de.md`, made from an invalid language code */
export function checkLanguageFile(folder: string, name: string): void {
  if (languageFile.test(name)) return;
  throw new LecternError('LANGUAGE_UNUSABLE', `${folder}: ${name} cannot be the name of a language file`, {
    hint: 'correct the language code in the knowledge base; it must be a tag such as "de" or "pt-BR"',
  });
}

/** The language files of a record and their images; `null` if it has no subfolder. */
export function readRecordFiles(root: string, folder: string): RecordFiles | null {
  const path = join(root, folder);
  if (!existsSync(path)) return null;
  const names = readdirSync(path).filter((name) => languageFile.test(name) || imageFile.test(name));
  return new Map(
    names.sort().map((name) => {
      const content = readWholeFile(join(path, name));
      return [name, languageFile.test(name) ? content.toString() : content];
    }),
  );
}

/** Longest name of a subfolder, in bytes: disks take 255, also of the longer name while it is written. */
const maxNameBytes = 200;

/** Name of the subfolder of a new record, `<id>-<slug>`, of characters that are safe in a file name everywhere. Other records may have the same. */
export function recordFolderName(id: string, slug: string): string {
  const safe = (text: string) => text.replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '');
  const name = [safe(id), [...safe(slug)].slice(0, 60).join('')].filter(Boolean).join('-') || 'record';
  const characters = [...name];
  while (Buffer.byteLength(characters.join('')) > maxNameBytes) characters.pop();
  return characters.join('');
}

/**
 * Removes the files of a record, and its subfolder unless other files of the user are in it.
 * @param languageFiles names
 * @returns names of those files
 */
export function removeRecord(
  root: string,
  folder: string,
  languageFiles: readonly string[],
): readonly string[] {
  const path = join(root, folder);
  const names = readdirSync(path);
  // A killed run leaves a file such as `en.md.4711.partial`.
  const isOwn = (name: string) => languageFiles.includes(name) || imageFile.test(name);
  const others = names.filter((name) => !isOwn(name.replace(/\.\d+\.partial$/, '')));
  const isEmpty = others.every((name) => name === '.DS_Store');
  if (isEmpty) rmSync(path, { recursive: true });
  else for (const name of names) if (!others.includes(name)) rmSync(join(path, name));
  return isEmpty ? [] : others;
}

/** Writes a file atomically; a file with the same content is not touched. */
export function writeFile(path: string, content: string | Uint8Array): void {
  if (readFileOrNull(path)?.equals(Buffer.from(content as string)) === true) return;
  writeFileAtomically(path, [content]);
}

/**
 * Writes the id of a new record into its file; all other characters of the file stay.
 * @param field `article_id` or `category_id`
 */
export function adoptId(root: string, folder: string, fileName: string, field: string, id: string): void {
  const path = join(root, folder, fileName);
  const text = readWholeFile(path).toString();
  const line = `${field}: ${JSON.stringify(id)}`;
  const existing = new RegExp(`^${field}:.*$`, 'm');
  const end = text.indexOf('\n---', 3);
  const frontMatter = text.slice(0, end);
  const changed = existing.test(frontMatter)
    ? frontMatter.replace(existing, line)
    : frontMatter.replace(/^(\uFEFF?---(\r?\n))/, `$1${line}$2`);
  writeFile(path, changed + text.slice(end));
}

/** File name → content, for the subfolder of one record: text of language files, bytes of images. */
export type RecordFiles = ReadonlyMap<string, string | Uint8Array>;

/** The files of an article, and the reasons why bodies are HTML. */
interface ArticleFiles {
  readonly files: RecordFiles;
  /** One per body that is HTML. */
  readonly reasons: readonly string[];
}

/** An article as it is written; without a slug, a service makes one. */
export type WritableArticle = Omit<
  ArticleRecord,
  'account_id' | 'url' | 'relative_url' | 'slug' | 'multilingual'
> & {
  readonly slug: string | null;
  readonly multilingual: readonly WritableTranslation<ArticleRecord>[];
};

/** A category as it is written. */
export type WritableCategory = Omit<CategoryRecord, 'account_id' | 'slug' | 'multilingual'> & {
  readonly slug: string | null;
  readonly multilingual: readonly WritableTranslation<CategoryRecord>[];
};

type WritableTranslation<T extends ArticleRecord | CategoryRecord> = Omit<
  T['multilingual'][number],
  'slug'
> & { readonly slug: string | null };

/**
 * Formats an article as one file per language; the front matter omits default values. A Markdown file in `current` that renders to the same
 * body does not change. Other bodies become Markdown if `toForm` can convert them.
 * @param language language of the record's own texts
 */
export function formatArticleFiles(
  article: WritableArticle,
  language: string,
  current: readonly LanguageFile[],
  toForm: ToBodyForm,
): ArticleFiles {
  const { multilingual, body = '' } = article;
  const fields = {
    article_id: article.article_id,
    ...withoutDefault(null, { category_id: article.category_id }),
    title: article.title,
    ...withoutDefault(null, { slug: article.slug }),
    ...withoutDefault(null, { description: article.description, short_version: article.short_version }),
    ...(article.tags.length === 0 ? {} : { tags: article.tags }),
    is_published: article.is_published,
    is_private: article.is_private,
    ...withoutDefault(null, { permission_groups: article.permission_groups }),
    ...withoutDefault(null, { publish_at: article.publish_at, unpublish_at: article.unpublish_at }),
    ...withoutDefault(false, { is_featured: article.is_featured }),
    ...withoutDefault(true, { show_toc: article.show_toc }),
    ...withoutDefault(null, { sort_order: article.sort_order }),
    ...withoutDefault('', { created_at: article.created_at, updated_at: article.updated_at }),
  };
  const files = new Map<string, string | Uint8Array>();
  const reasons: string[] = [];
  const add = (code: string, data: Readonly<Record<string, unknown>>, html: string): void => {
    const markdown = current.find((file) => file.language === code && file.name.endsWith('.md'));
    if (markdown?.body === html) {
      files.set(markdown.name, formatFrontMatter({ data, body: markdown.text }));
      return;
    }
    const form = toForm(html, code);
    const text = form.kind === 'markdown' ? form.markdown : html;
    files.set(`${code}.${form.kind === 'markdown' ? 'md' : 'html'}`, formatFrontMatter({ data, body: text }));
    if (form.kind === 'html') reasons.push(form.reason);
    else for (const [name, content] of form.images) files.set(name, content);
  };
  add(language, fields, body);
  for (const element of withoutLanguage(multilingual, language)) {
    const data = {
      ...withoutDefault(null, { title: element.title, slug: element.slug, description: element.description }),
      ...withoutDefault(true, { is_live: element.is_live }),
      ...withoutDefault(null, { publish_at: element.publish_at, unpublish_at: element.unpublish_at }),
      ...(element.body === null ? { body: null } : {}),
    };
    add(element.language_code, data, element.body ?? '');
  }
  return { files, reasons };
}

/** Formats a category as one file per language, with the description as the text of the file. */
export function formatCategoryFiles(category: WritableCategory, language: string): RecordFiles {
  const { title, slug } = category;
  const fields = {
    category_id: category.category_id,
    ...withoutDefault(null, { parent_category_id: category.parent_category_id }),
    title,
    ...withoutDefault(null, { slug, sort_order: category.sort_order, icon: category.icon }),
    ...withoutDefault('', { created_at: category.created_at, updated_at: category.updated_at }),
  };
  const files = new Map([formatDescription(language, fields, category.description)]);
  for (const element of withoutLanguage(category.multilingual, language)) {
    const data = withoutDefault(null, { title: element.title, slug: element.slug });
    const [name, content] = formatDescription(element.language_code, data, element.description);
    files.set(name, content);
  }
  return files;
}

/** A description that would change as the body of a file becomes a front matter field. */
function formatDescription(
  language: string,
  data: Readonly<Record<string, unknown>>,
  description: string | null,
): [name: string, content: string] {
  const isPlain = description === null || (description !== '' && description === description.trim());
  const file = isPlain ? { data, body: description ?? '' } : { data: { ...data, description }, body: '' };
  return [`${language}.md`, formatFrontMatter(file)];
}

/** Removes the translation in the record's own language, which would overwrite the record's own file. */
function withoutLanguage<T extends { readonly language_code: string }>(
  elements: readonly T[],
  language: string,
): readonly T[] {
  return elements.filter((element) => !isSameLanguage(element.language_code, language));
}

/** Removes the fields that have the default value, which a file does not repeat. */
function withoutDefault(
  defaultValue: unknown,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== defaultValue));
}

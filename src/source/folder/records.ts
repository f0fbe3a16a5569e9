import { type ArticleCreate, articleCreate } from '../../core/api/article.ts';
import { type CategoryCreate, categoryCreate } from '../../core/api/category.ts';
import { findIllFormedText } from '../../core/api/record-text.ts';
import { describeIssue, valueAt, z } from '../../core/schema.ts';

/** The file of one language of a record. */
export interface LanguageFile {
  /** e.g. `de.md`. */
  readonly name: string;
  readonly language: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** HTML of an article, plain text of a category. */
  readonly body: string;
  /** The body as in the file: Markdown in a `.md` file. */
  readonly text: string;
}

/** A record with the language of its main texts. */
export interface ReadRecord<T> {
  readonly record: T;
  readonly language: string;
}

/** A service may have records without a title, so the folder must support them. */
const folderArticle = articleCreate.extend({ title: z.string() });
const folderCategory = categoryCreate.extend({ title: z.string() });

/** Text fields: a title `2024` is read as text. */
const textFields = [
  'article_id',
  'category_id',
  'parent_category_id',
  'title',
  'slug',
  'description',
  'short_version',
  'icon',
];

/**
 * Merges the language files of one article. The file with `article_id` or `category_id` (or the only file) is
 * the default language. Throws an `Error` naming file and field.
 */
export function toArticle(files: readonly LanguageFile[]): ReadRecord<ArticleCreate> {
  const source = findSource(files, ['article_id', 'category_id']);
  const multilingual = files
    .filter((file) => file !== source)
    .map((file) => ({ language_code: file.language, body: file.body, ...texts(file.data) }));
  const record = { body: source.body, ...texts(source.data), multilingual };
  return check<ArticleCreate>(folderArticle, record, source, files);
}

/**
 * Merges the language files of one category; the file with `category_id` is the default language.
 * A description in the front matter wins over the body. Throws an `Error` naming file and field.
 */
export function toCategory(files: readonly LanguageFile[]): ReadRecord<CategoryCreate> {
  const source = findSource(files, ['category_id']);
  const fieldsOf = (file: LanguageFile) => ({ description: file.body.trim() || null, ...texts(file.data) });
  const multilingual = files
    .filter((file) => file !== source)
    .map((file) => ({ language_code: file.language, ...fieldsOf(file) }));
  return check<CategoryCreate>(folderCategory, { ...fieldsOf(source), multilingual }, source, files);
}

/** Whether {@link toArticle} accepts the body of an article or translation, whatever else its record has. */
export function isArticleBody(body: string): boolean {
  return articleCreate.shape.body.safeParse(body).success && findIllFormedText(body) === null;
}

function findSource(files: readonly LanguageFile[], marks: readonly string[]): LanguageFile {
  const [only] = files;
  if (only === undefined) throw new Error('the folder has no .md or .html file');
  if (files.length === 1) return only;
  const marked = files.filter((file) => marks.some((mark) => mark in file.data));
  const [source] = marked;
  if (source === undefined)
    throw new Error(`no file has ${marks.join(' or ')}, so the default language is unknown`);
  if (marked.length > 1) {
    throw new Error(
      `${marked.map((file) => file.name).join(' and ')} both have ${marks.join(' or ')}; only one file may`,
    );
  }
  return source;
}

function texts(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result: Record<string, unknown> = { ...data };
  for (const field of textFields) {
    const value = result[field];
    if (typeof value === 'number' || typeof value === 'boolean') result[field] = String(value);
  }
  if (Array.isArray(result.tags)) {
    result.tags = result.tags.map((tag) => (typeof tag === 'object' ? tag : String(tag)));
  }
  return result;
}

function check<T>(
  schema: z.ZodType<T>,
  record: { readonly multilingual: readonly unknown[] },
  source: LanguageFile,
  files: readonly LanguageFile[],
): ReadRecord<T> {
  const parsed = schema.safeParse(record);
  const badPath = findIllFormedText(record);
  if (badPath !== null) throw new Error(`${badPath.join('.')} contains NUL or half a surrogate pair`);
  if (parsed.success) return { record: parsed.data, language: source.language };
  const others = files.filter((file) => file !== source);
  const sentences = parsed.error.issues.map((issue) => {
    const { path } = issue;
    const isTranslation = path[0] === 'multilingual';
    const file = isTranslation ? others[Number(path[1])] : source;
    return `${file?.name}: ${[...path.slice(isTranslation ? 2 : 0), describeIssue(issue, valueAt(record, path))].join(' ')}`;
  });
  throw new Error(sentences.join('; '));
}

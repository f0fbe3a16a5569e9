import { type ArticleCreate, articleCreate } from '../../core/api/article.ts';
import { type CategoryCreate, categoryCreate } from '../../core/api/category.ts';
import { findIllFormedText } from '../../core/api/record-text.ts';
import { isSameLanguage } from '../../core/language.ts';
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

/** Fields that a file of one language may have; every other field of a record belongs to it as a whole. */
const languageFields = ['title', 'slug', 'description', 'body', 'is_live', 'publish_at', 'unpublish_at'];

const ownFieldsOf = (schema: z.ZodObject): readonly string[] =>
  Object.keys(schema.shape).filter((field) => ![...languageFields, 'multilingual'].includes(field));

const articleFields = { ids: ['article_id', 'category_id'], own: ownFieldsOf(folderArticle) };
const categoryFields = { ids: ['category_id'], own: ownFieldsOf(folderCategory) };

/**
 * Merges the language files of one article. The main file is the only one, or the one with `article_id` or `category_id`; of a new article
 * without both, the one with other fields of the article as a whole, or that in the default language.
 * @param defaultLanguage `null`: unknown
 * @throws an `Error` that names file and field
 */
export function toArticle(
  files: readonly LanguageFile[],
  defaultLanguage: string | null,
): ReadRecord<ArticleCreate> {
  const source = findSource(files, articleFields, defaultLanguage);
  const multilingual = files
    .filter((file) => file !== source)
    .map((file) => ({ language_code: file.language, body: file.body, ...texts(file.data) }));
  const record = { body: source.body, ...texts(source.data), multilingual };
  return check<ArticleCreate>(folderArticle, record, source, files);
}

/**
 * Merges the language files of one category, of which the main one is found as that of an article. A description in the front matter wins over
 * the body.
 * @param defaultLanguage `null`: unknown
 * @throws an `Error` that names file and field
 */
export function toCategory(
  files: readonly LanguageFile[],
  defaultLanguage: string | null,
): ReadRecord<CategoryCreate> {
  const source = findSource(files, categoryFields, defaultLanguage);
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

function findSource(
  files: readonly LanguageFile[],
  { ids, own }: typeof articleFields,
  defaultLanguage: string | null,
): LanguageFile {
  const [only] = files;
  if (only === undefined) throw new Error('the folder has no .md or .html file');
  if (files.length === 1) return only;
  const withIds = files.filter((file) => ids.some((id) => id in file.data));
  if (withIds.length > 0) return onlyOne(withIds, ids.join(' or '));
  const fieldIn = (file: LanguageFile) => own.find((field) => field in file.data);
  const withFields = files.filter((file) => fieldIn(file) !== undefined);
  const inDefault = files.find(
    ({ language }) => defaultLanguage !== null && isSameLanguage(language, defaultLanguage),
  );
  const [first] = withFields;
  // A visibility that only a translation states must not get lost, and must not count for the whole record.
  const wrong = inDefault === undefined ? undefined : withFields.find((file) => file !== inDefault);
  if (wrong !== undefined)
    throw new Error(
      `${wrong.name} has ${fieldIn(wrong)}, which belongs in the file in the default language, ${inDefault?.name}; move it there, or set ` +
        'defaultLanguage (LECTERN_DEFAULT_LANGUAGE) to the language of your main files',
    );
  if (inDefault !== undefined) return inDefault;
  if (first !== undefined) return onlyOne(withFields, 'fields of the whole record');
  throw new Error(
    `no file has ${ids.join(' or ')}, so it is unknown which one is in the default language; write a field of the whole record into it, ` +
      `such as ${own.includes('is_published') ? 'is_published: false' : 'sort_order: 1'}`,
  );
}

function onlyOne(files: readonly LanguageFile[], what: string): LanguageFile {
  const [source, ...others] = files;
  if (source !== undefined && others.length === 0) return source;
  const names = files.map(({ name }) => name).join(' and ');
  throw new Error(`${names} ${files.length > 2 ? 'all' : 'both'} have ${what}; only one file may`);
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

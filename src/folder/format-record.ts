import type { Article } from '../api/article.ts';
import type { Category } from '../api/category.ts';
import { formatFrontMatter } from './front-matter.ts';
import type { LanguageFile } from './records.ts';

/** File name → content, for the sub-folder of one record. */
export type RecordFiles = ReadonlyMap<string, string>;

/**
 * Formats an article as one file per language; the front matter omits default values.
 * Bodies become `.html`, but a Markdown file in `current` that renders to the same body stays Markdown.
 * @param language the language of the record's own texts
 */
export function formatArticleFiles(
  article: Article,
  language: string,
  current: readonly LanguageFile[],
): RecordFiles {
  const { multilingual, body = '' } = article;
  const fields = {
    article_id: article.article_id,
    ...unless(null, { category_id: article.category_id }),
    title: article.title,
    slug: article.slug,
    ...unless(null, { description: article.description, short_version: article.short_version }),
    ...(article.tags.length === 0 ? {} : { tags: article.tags }),
    is_published: article.is_published,
    is_private: article.is_private,
    ...unless(null, { permission_groups: article.permission_groups }),
    ...unless(false, { is_featured: article.is_featured }),
    ...unless(true, { show_toc: article.show_toc }),
    ...unless(null, { sort_order: article.sort_order }),
    ...unless('', { created_at: article.created_at, updated_at: article.updated_at }),
  };
  const files = new Map([formatBody(language, fields, body, current)]);
  for (const element of withoutLanguage(multilingual, language)) {
    const data = {
      ...unless(null, { title: element.title, slug: element.slug, description: element.description }),
      ...unless(true, { is_live: element.is_live }),
      ...(element.body === null ? { body: null } : {}),
    };
    const [name, content] = formatBody(element.language_code, data, element.body ?? '', current);
    files.set(name, content);
  }
  return files;
}

/** Formats a category as one file per language, the description as the text of the file. */
export function formatCategoryFiles(category: Category, language: string): RecordFiles {
  const { title, slug } = category;
  const fields = {
    category_id: category.category_id,
    ...unless(null, { parent_category_id: category.parent_category_id }),
    title,
    slug,
    ...unless(null, { sort_order: category.sort_order, icon: category.icon }),
    ...unless('', { created_at: category.created_at, updated_at: category.updated_at }),
  };
  const files = new Map([formatDescription(language, fields, category.description)]);
  for (const element of withoutLanguage(category.multilingual, language)) {
    const data = unless(null, { title: element.title, slug: element.slug });
    const [name, content] = formatDescription(element.language_code, data, element.description);
    files.set(name, content);
  }
  return files;
}

function formatBody(
  language: string,
  data: Readonly<Record<string, unknown>>,
  body: string,
  current: readonly LanguageFile[],
): [name: string, content: string] {
  const markdown = current.find((file) => file.language === language && file.name.endsWith('.md'));
  if (markdown?.body === body) return [markdown.name, formatFrontMatter({ data, body: markdown.text })];
  return [`${language}.html`, formatFrontMatter({ data, body })];
}

/** A description that the body of a file cannot hold unchanged is a front matter field. */
function formatDescription(
  language: string,
  data: Readonly<Record<string, unknown>>,
  description: string | null,
): [name: string, content: string] {
  const isPlain = description === null || (description !== '' && description === description.trim());
  const file = isPlain ? { data, body: description ?? '' } : { data: { ...data, description }, body: '' };
  return [`${language}.md`, formatFrontMatter(file)];
}

/** A translation into the record's own language would overwrite the record's own file. */
function withoutLanguage<T extends { readonly language_code: string }>(
  elements: readonly T[],
  language: string,
): readonly T[] {
  return elements.filter((element) => element.language_code !== language);
}

function unless(
  usual: unknown,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== usual));
}

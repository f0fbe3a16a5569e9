import type { Article } from '../api/article.ts';
import type { Category } from '../api/category.ts';
import type { ToBodyForm } from './body-markdown.ts';
import { formatFrontMatter } from './front-matter.ts';
import type { LanguageFile } from './records.ts';

/** File name → content, for the sub-folder of one record: text of language files, bytes of images. */
export type RecordFiles = ReadonlyMap<string, string | Uint8Array>;

/** The files of an article, and why bodies among them are HTML. */
export interface ArticleFiles {
  readonly files: RecordFiles;
  /** One per body that is HTML. */
  readonly reasons: readonly string[];
}

/**
 * Formats an article as one file per language; the front matter omits default values.
 * A Markdown file in `current` that renders to the same body stays as it is. Other bodies become Markdown where `toForm` finds that possible;
 * a language that is Markdown already gets HTML only where there is no other way.
 * @param language the language of the record's own texts
 */
export function formatArticleFiles(
  article: Article,
  language: string,
  current: readonly LanguageFile[],
  toForm: ToBodyForm,
): ArticleFiles {
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
  const files = new Map<string, string | Uint8Array>();
  const reasons: string[] = [];
  const add = (code: string, data: Readonly<Record<string, unknown>>, html: string): void => {
    const markdown = current.find((file) => file.language === code && file.name.endsWith('.md'));
    if (markdown?.body === html) {
      files.set(markdown.name, formatFrontMatter({ data, body: markdown.text }));
      return;
    }
    let form = toForm(html, code, false);
    if (form.kind === 'html' && markdown !== undefined) form = toForm(html, code, true);
    const text = form.kind === 'markdown' ? form.markdown : html;
    files.set(`${code}.${form.kind === 'markdown' ? 'md' : 'html'}`, formatFrontMatter({ data, body: text }));
    if (form.kind === 'html') reasons.push(form.reason);
    else for (const [name, content] of form.images) files.set(name, content);
  };
  add(language, fields, body);
  for (const element of withoutLanguage(multilingual, language)) {
    const data = {
      ...unless(null, { title: element.title, slug: element.slug, description: element.description }),
      ...unless(true, { is_live: element.is_live }),
      ...(element.body === null ? { body: null } : {}),
    };
    add(element.language_code, data, element.body ?? '');
  }
  return { files, reasons };
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

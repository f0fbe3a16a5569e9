import type { ArticleCreate } from '../api/article.ts';
import type { ToBodyForm } from '../folder/body-markdown.ts';
import type { FolderEntry } from '../folder/read-folder.ts';
import type { Comparable } from './comparable.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The local article with the service's body in every language whose Markdown is what a pull makes of that body, though
 * rendering it gives other HTML.
 */
export function takeOverBodies(
  local: Comparable,
  remote: Comparable,
  { files, language }: Pick<FolderEntry<ArticleCreate>, 'files' | 'language'>,
  toForm: ToBodyForm,
): Comparable {
  const takeOver = (own: Fields, other: Fields | undefined, code: string): Fields => {
    const file = files.find((one) => one.language === code && one.name.endsWith('.md'));
    const body = other?.body;
    if (file === undefined || typeof body !== 'string' || own.body === body || own.body !== file.body)
      return own;
    const isForm = [false, true].some((keepsMarkdown) => {
      const form = toForm(body, code, keepsMarkdown);
      return form.kind === 'markdown' && form.markdown === file.text;
    });
    return isForm ? { ...own, body } : own;
  };
  return {
    fields: takeOver(local.fields, remote.fields, language),
    translations: Object.fromEntries(
      Object.entries(local.translations).map(([code, own]) => [
        code,
        takeOver(own, remote.translations[code], code),
      ]),
    ),
  };
}

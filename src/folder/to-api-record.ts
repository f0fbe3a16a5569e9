import { languageKey } from '../foundation/language-tag.ts';
import type { FolderRecord } from './folder-read.ts';

/** One public language of an article. */
export interface FolderText {
  readonly language: string;
  readonly title: string | null;
  readonly slug: string | null;
  readonly description: string | null;
  /** HTML. */
  readonly body: string | null;
  readonly updatedAt: string | null;
}

/**
 * Makes a record as the API gives it, whose own texts are those of the default language; where there are none, all languages are
 * translations.
 */
export function toApiRecord(
  defaultLanguage: string,
  texts: readonly FolderText[],
  fields: Readonly<Record<string, unknown>>,
): FolderRecord {
  const isOwn = ({ language }: FolderText): boolean => languageKey(language) === languageKey(defaultLanguage);
  const own = texts.find(isOwn);
  const newest =
    texts
      .flatMap(({ updatedAt }) => updatedAt ?? [])
      .sort()
      .at(-1) ?? null;
  return {
    ...fields,
    title: own?.title ?? null,
    slug: own?.slug ?? texts.find(({ slug }) => slug !== null)?.slug ?? null,
    description: own?.description ?? null,
    body: own?.body ?? null,
    updated_at: own === undefined ? newest : own.updatedAt,
    multilingual: texts
      .filter((text) => !isOwn(text))
      .map(({ language, title, slug, description, body, updatedAt }) => ({
        language_code: language,
        title,
        slug,
        description,
        body,
        is_live: true,
        updated_at: updatedAt,
      })),
  };
}

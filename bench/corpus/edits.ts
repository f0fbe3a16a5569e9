import type { CorpusText } from './corpus.ts';

/** A change of a knowledge base between two builds. */
export type CorpusEdit =
  /** Every viewed article is viewed once more; the order does not change. */
  | { readonly kind: 'views' }
  | {
      readonly kind: 'body' | 'title';
      /** Indexes of the articles, from 0. */
      readonly articles: readonly number[];
      /** Only in the default language, only in the last one, or in all. */
      readonly languages: 'first' | 'last' | 'all';
      /** Text that is new in every run. */
      readonly note: string;
    };

type TextEdit = Exclude<CorpusEdit, { kind: 'views' }>;

/** Edits a text, at its position among the `count` languages of its article. */
export function editText<Text extends Pick<CorpusText, 'title' | 'body'>>(
  text: Text,
  place: number,
  count: number,
  { kind, languages, note }: TextEdit,
): Text {
  if (languages !== 'all' && place !== (languages === 'first' ? 0 : count - 1)) return text;
  if (kind === 'title') return { ...text, title: `${text.title.replace(/ \(.*\)$/, '')} (${note})` };
  return { ...text, body: `${text.body}\n<p>Edited: ${note}.</p>` };
}

/** The most viewed articles, in the form of statistics. */
export function mostViewed(ids: readonly string[], extraViews: number) {
  return ids.slice(0, viewedArticles).map((articleId, place) => ({
    articleId,
    count: 1000 - 10 * place + extraViews,
  }));
}

const viewedArticles = 20;

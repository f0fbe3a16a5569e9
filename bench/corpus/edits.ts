import type { CorpusText } from './corpus.ts';

/** Something that happens to a knowledge base between two builds. */
export type CorpusEdit =
  /** Every article that was viewed is viewed once more; the order stays. */
  | { readonly kind: 'views' }
  | {
      readonly kind: 'body' | 'title';
      /** Which articles, counted from 0. */
      readonly articles: readonly number[];
      /** In the default language alone, in the last one alone, or in all. */
      readonly languages: 'first' | 'last' | 'all';
      /** Text that is new in every run. */
      readonly note: string;
    };

export type TextEdit = Exclude<CorpusEdit, { kind: 'views' }>;

/** An edit of a text, at its place among the `count` languages of its article. */
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

/** Articles that readers viewed most, the first one most, as statistics give them. */
export function mostViewed(ids: readonly string[], extraViews: number) {
  return ids.slice(0, viewedArticles).map((articleId, place) => ({
    articleId,
    count: 1000 - 10 * place + extraViews,
  }));
}

const viewedArticles = 20;

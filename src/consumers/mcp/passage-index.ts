import { decodePercent } from '../../core/addresses.ts';
import { countEach, getOrMake } from '../../core/group-by.ts';
import { tokenize } from '../../core/search/language-words.ts';
import type { ChunkRecord, DocumentRecord } from '../../feed/records/record-schemas.ts';
import type { LanguageIndex } from './language-index.ts';
import { rankLanguages } from './rank-languages.ts';

/** A category with the number of its own articles, without those of its subcategories. */
interface CategoryCount {
  readonly language: string;
  /** Titles, outermost first. */
  readonly path: readonly string[];
  readonly articles: number;
}

/** The published articles of all languages. */
export interface PassageIndex {
  /** Ids of the passages that share a term with the query, best first. */
  rank(
    query: string,
    language: string,
  ): Promise<readonly { readonly id: string; readonly document: string }[]>;
  /** All languages in the order in which to search them: that of the query, the default language, the others. */
  rankLanguages(query: string): readonly string[];
  /** Whether texts of the language have at least half of the words of a query, without stop words, in any form. */
  knows(query: string, language: string): Promise<boolean>;
  /** The passages of a document, in order. */
  passagesOf(documentId: string): Promise<readonly ChunkRecord[]>;
  document(id: string): DocumentRecord | null;
  /** Documents of an article, with this URL, or with this {@link pageKey}; by language. */
  documentsLike(key: string): readonly DocumentRecord[];
  categories(language: string | null): readonly CategoryCount[];
  /** Tags of all languages with documents, sorted. */
  languages(): readonly string[];
}

interface PassageIndexParts {
  readonly languages: readonly LanguageIndex[];
  readonly defaultLanguage: string;
  /** Groups of synonyms of the site. */
  readonly synonyms: readonly (readonly string[])[];
}

/** Makes the index of several languages. */
export function createPassageIndex({
  languages: all,
  defaultLanguage,
  synonyms,
}: PassageIndexParts): PassageIndex {
  const languages = all
    .filter(({ listed }) => listed.length > 0)
    .sort((one, other) => (one.tag < other.tag ? -1 : 1));
  const places = new Map<string, readonly [index: LanguageIndex, number: number]>();
  const ofKey = new Map<string, string[]>();
  for (const index of languages)
    for (const [number, { id, article_id, url }] of index.listed.entries()) {
      places.set(id, [index, number]);
      for (const key of new Set([article_id, url, pageKey(url)])) getOrMake(ofKey, key, () => []).push(id);
    }
  const document = (id: string): DocumentRecord | null => {
    const [index, number] = places.get(id) ?? [];
    return index === undefined || number === undefined ? null : index.document(number);
  };
  const indexOf = (tag: string) => languages.find((index) => index.tag === tag);
  return {
    async rank(query, language) {
      const index = indexOf(language);
      const found = (await (await index?.chunks())?.rank(query, synonyms)) ?? [];
      return found.map(({ id, document: number }) => ({ id, document: index?.listed[number]?.id ?? '' }));
    },
    rankLanguages: (query) => rankLanguages(query, languages, defaultLanguage),
    async knows(query, language) {
      const index = indexOf(language);
      const topics = tokenize(query, true, language).filter((term) => !index?.words.stopWords.has(term));
      const chunks = await index?.chunks();
      const known = chunks?.count(topics).filter((count) => count > 0) ?? [];
      return 2 * known.length >= topics.length;
    },
    async passagesOf(documentId) {
      const [index, number] = places.get(documentId) ?? [];
      return index === undefined || number === undefined ? [] : (await index.chunks()).of(number);
    },
    document,
    documentsLike: (key) => (ofKey.get(key) ?? []).flatMap((id) => document(id) ?? []),
    categories: (language) =>
      languages.filter(({ tag }) => language === null || tag === language).flatMap(countCategories),
    languages: () => languages.map(({ tag }) => tag),
  };
}

/** What the URLs of a page have in common: people copy them with and without the end of its file, assistants take that of its Markdown. */
export function pageKey(url: string): string {
  const path = url.trim().replace(/^https?:\/\/|[?#].*$/gs, '');
  return decodePercent(path)
    .normalize('NFC')
    .replace(/(?:\/index)?\.html?(?:\.md)?$|\/+$/, '');
}

function countCategories({ tag, listed }: LanguageIndex): readonly CategoryCount[] {
  return [...countEach(listed.map(({ category }) => JSON.stringify(category?.path ?? [])))]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, articles]) => ({ language: tag, path: JSON.parse(key) as string[], articles }));
}

import type { LanguageTag } from '../../model.ts';
import type { RenderedFile } from '../assets.ts';
import type { LanguageContext, SiteContext } from '../context.ts';
import { openLastIndex, type ReadPrevious } from './last-index.ts';
import type { Scratch } from './scratch.ts';
import type { SearchEntry, SearchHead } from './search-entry.ts';
import { createSearchIndex, type SearchIndex } from './search-index.ts';

/** The search indexes of all languages. */
export interface SiteSearch {
  /** What an article's entry is made with, besides its document. */
  readonly head: (language: LanguageContext, articleId: string) => SearchHead;
  /** Entries of a language must come in the same order in every run. */
  readonly add: (language: LanguageContext, entry: SearchEntry) => void;
  /** Adds an article as it is in the index of the previous output. @param position of it there */
  readonly repeat: (language: LanguageContext, position: number) => void;
  /** The files of one language; empties its index. */
  readonly files: (language: LanguageContext) => Iterable<RenderedFile>;
}

/** What the indexes of all languages keep in memory together, where there is a scratch for the rest. */
const memoryBytes = 48 * 1024 * 1024;

/**
 * @param scratch takes what would need much memory; `null`: everything stays in memory
 * @param readPrevious reads the index of the previous output
 */
export function createSiteSearch(
  { plan, languages }: SiteContext,
  scratch: Scratch | null,
  readPrevious: ReadPrevious,
): SiteSearch {
  const memory = { scratch, bytes: memoryBytes / Math.max(1, plan.languages.length) };
  const indexes = new Map<LanguageTag, SearchIndex>();
  const indexOf = (tag: LanguageTag): SearchIndex => {
    const known = indexes.get(tag);
    if (known !== undefined) return known;
    const index = createSearchIndex(`assets/search/${tag}`, memory, undefined, () => {
      const manifest = languages.get(tag)?.addresses.searchIndex.path ?? '';
      return openLastIndex(manifest, plan.basePath, readPrevious);
    });
    indexes.set(tag, index);
    return index;
  };
  return {
    head({ planned }, articleId) {
      const article = plan.articles.get(articleId);
      const page = article?.pages.get(planned.tag);
      if (article === undefined || page === undefined) {
        throw new Error(`the plan has no page for article "${articleId}" in "${planned.tag}"`);
      }
      const category = article.categoryId === null ? undefined : planned.categoryById.get(article.categoryId);
      const { href, title } = page;
      return { href, title, category: category?.page.title ?? '', tags: article.tags };
    },
    add: ({ planned }, entry) => indexOf(planned.tag).add(entry),
    repeat: ({ planned }, position) => indexOf(planned.tag).repeat(position),
    *files({ planned, addresses, texts }) {
      const { searchNone, searchCount } = texts.entries;
      yield* indexOf(planned.tag).files(addresses.searchIndex.path, plan.basePath, {
        locale: texts.locale,
        searchNone,
        searchCount,
      });
      indexes.delete(planned.tag);
    },
  };
}

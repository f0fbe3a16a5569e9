import { countEach, getOrMake } from '../../../core/group-by.ts';
import { isSameLanguage, languageKey } from '../../../core/language.ts';
import { deriveId, type FolderRecord, withoutDates } from '../folder-read.ts';
import type { PlainArticle } from './find-articles.ts';
import type { Page } from './load-pages.ts';
import { orderField, textField } from './page-fields.ts';
import { ancestors, splitOrder, titleOfName, withoutExportId } from './page-path.ts';
import type { PagePaths } from './page-paths.ts';

/** The folders that are categories. */
interface PlainCategories {
  readonly records: readonly FolderRecord[];
  /** The id of a folder's category; `null` if the folder is not a category. */
  idOf(folder: string): string | null;
  /**
   * The folder whose category a page is in, which need not exist if `category` names it. For a page that shares its folder only with its
   * images, it is the parent folder.
   */
  folderOf(page: Page): string;
}

/**
 * Makes a category of every folder that contains public pages, also in subfolders. Its title is that of its index page, else that of a page
 * beside it with the name of the folder, as exports of Notion have it, else its name.
 */
export function makeCategories(
  articles: readonly PlainArticle[],
  defaultLanguage: string,
  pathsOfFolder: (folder: string) => Omit<PagePaths, 'isGiven'>,
): PlainCategories {
  const counts = countEach(
    articles.flatMap(({ pages: [first], isEmpty }) =>
      isEmpty || first === undefined ? [] : ancestors(first.folder),
    ),
  );
  const folderOf = ({ folder, isIndex, data }: Page): string =>
    categoryField(data) ??
    withoutDates(
      isIndex && folder !== '' && counts.get(folder) === 1
        ? folder.split('/').slice(0, -1).join('/')
        : folder,
    );
  /** Folders with the languages of their pages. */
  const folders = new Map<string, Set<string>>();
  /** The pages that describe a folder, its index page first. */
  const describing = new Map<string, PlainArticle[]>();
  for (const article of articles) {
    const first = article.pages[0] as Page;
    const languages = publicPages(article).map(({ language }) => language);
    if (languages.length > 0 && !article.isEmpty)
      for (const folder of ancestors(folderOf(first)))
        for (const language of languages) getOrMake(folders, folder, () => new Set()).add(language);
    const described = first.isIndex ? first.folder : first.key;
    const known = describing.get(described) ?? [];
    describing.set(described, first.isIndex ? [article, ...known] : [...known, article]);
  }
  folders.delete('');
  const ids = new Map([...folders.keys()].map((folder) => [folder, deriveId('category', folder)]));
  const idOf = (folder: string): string | null => ids.get(folder) ?? null;
  const records = [...folders]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, languages]): FolderRecord => {
      const name = folder.split('/').at(-1) ?? folder;
      const texts = new Map<string, { language: string; title: string; description: string | null }>();
      const add = (language: string, title: string | null, description: string | null): void => {
        if (title !== null && !texts.has(languageKey(language)))
          texts.set(languageKey(language), { language, title, description });
      };
      const pages = (describing.get(folder) ?? []).flatMap((article) =>
        publicPages(article).map((page) => ({ ...page, isOnlyTitle: article.isEmpty })),
      );
      for (const { language, title, data, isOnlyTitle } of pages)
        add(language, title, isOnlyTitle ? textField(data, 'description') : null);
      const title = texts.get(languageKey(defaultLanguage));
      const hasDefault = [...languages].some((tag) => isSameLanguage(tag, defaultLanguage));
      // The name of a folder is in the language of its pages.
      if (!hasDefault) for (const language of languages) add(language, titleOfName(name), null);
      return {
        category_id: idOf(folder),
        parent_category_id: idOf(folder.split('/').slice(0, -1).join('/')),
        title: title?.title ?? (hasDefault ? titleOfName(name) : null),
        slug: counts.has(folder) ? splitOrder(withoutExportId(name)).rest : pathOfNamed(name),
        description: title?.description ?? null,
        ...pathsOfFolder(counts.has(folder) ? folder : pathOfNamed(folder)),
        sort_order: pages.flatMap(({ data }) => orderField(data) ?? [])[0] ?? splitOrder(name).order,
        multilingual: [...texts.values()]
          .filter((text) => text !== title)
          .map(({ language, ...text }) => ({ language_code: language, ...text })),
      };
    });
  return { records, idOf, folderOf };
}

/** The folder that `category` in the front matter names: `02-Guides`, or `guides/setup` for a category inside another one. */
function categoryField(data: Page['data']): string | null {
  const named =
    textField(data, 'category')
      ?.split('/')
      .map((name) => name.trim()) ?? [];
  return named.length === 0 || named.some((name) => /^\.*$/.test(name)) ? null : named.join('/');
}

/** A category that has no folder is published at a path of plain words. */
function pathOfNamed(folder: string): string {
  const names = folder.split('/').map((name) => splitOrder(name).rest);
  return names.join('/').toLowerCase().replaceAll(/\s+/g, '-');
}

function publicPages({ pages }: PlainArticle): readonly Page[] {
  return pages.filter(({ visibility }) => visibility.reason === 'public');
}

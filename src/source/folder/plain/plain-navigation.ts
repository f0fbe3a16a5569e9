import { posix } from 'node:path';
import { languageKey } from '../../../core/language.ts';
import { type Problem, problem } from '../../../core/problems.ts';
import { deriveId, type FolderRecord } from '../folder-read.ts';
import type { Navigation, NavigationItem } from '../project/navigation.ts';
import type { PagePaths } from '../project/site-paths.ts';
import { readTextInside } from '../safe-files.ts';
import type { PlainArticle } from './find-articles.ts';
import type { Page } from './load-pages.ts';
import { dateField, orderField, textField } from './page-fields.ts';
import { splitOrder } from './page-path.ts';
import type { PlainCategories } from './plain-categories.ts';

/** The place of an article in the navigation of its project. */
export interface NavigationPlace {
  readonly categoryId: string | null;
  readonly order: number;
  /** Titles in lists, by `languageKey`. */
  readonly titles: ReadonlyMap<string, string>;
}

/** Articles and categories in the order of a project's navigation. */
interface PlainNavigation {
  /** `null`: the navigation does not contain the article. */
  placeOf(article: PlainArticle): NavigationPlace | null;
  readonly records: readonly FolderRecord[];
  readonly problems: readonly Problem[];
}

interface PlacedSection {
  readonly id: string;
  readonly record: FolderRecord;
}

/**
 * Arranges articles as a navigation says. A section whose pages are in one folder keeps the id and path of the category of this folder. Pages
 * that do not exist are reported.
 * @param forest categories by folder
 */
export function arrange(
  { items, refs, file }: Navigation,
  articles: readonly PlainArticle[],
  forest: PlainCategories,
  paths: ReadonlyMap<Page, PagePaths>,
  settings: { readonly root: string; readonly defaultLanguage: string },
): PlainNavigation {
  const { defaultLanguage } = settings;
  const shown = articles.filter(
    ({ isEmpty, visibility }) =>
      !isEmpty && [...visibility.values()].some(({ reason }) => reason === 'public'),
  );
  const byRef = new Map<string, PlainArticle>();
  for (const article of articles) {
    for (const ref of refsOf(article, refs, paths)) if (!byRef.has(ref)) byRef.set(ref, article);
  }
  const spellings = new Map(
    articles.flatMap(({ pages }) =>
      pages.flatMap(({ language }) =>
        language === null ? [] : [[languageKey(language), language] as const],
      ),
    ),
  );
  const byId = new Map(forest.records.map((record) => [record.category_id as string, record]));
  const places = new Map<PlainArticle, NavigationPlace>();
  const sections: PlacedSection[] = [];
  const used = new Set<string>();
  const problems: Problem[] = [];
  let order = 0;

  function find(ref: string): PlainArticle | undefined {
    return byRef.get(refs === 'path' ? routeKey(ref) : ref.replace(/^\.?\//, ''));
  }

  function place(
    article: PlainArticle,
    categoryId: string | null,
    titles: ReadonlyMap<string, string>,
  ): void {
    order += 1;
    if (!places.has(article)) places.set(article, { categoryId, order, titles });
  }

  function addSection(id: string, record: FolderRecord, parentId: string | null): void {
    order += 1;
    used.add(id);
    sections.push({
      id,
      record: { ...record, category_id: id, parent_category_id: parentId, sort_order: order },
    });
  }

  function walk(all: readonly NavigationItem[], parentId: string | null, trail: string): void {
    for (const item of all) {
      if (item.kind === 'folder')
        walkFolder(item.folder, parentId, item.isNewestFirst === true ? compareDates : compareOrder);
      else if (item.kind === 'page') {
        const article = find(item.ref);
        if (article === undefined) problems.push(describeMissing(item.ref));
        else place(article, parentId, titlesOf(item.title, item.titles));
      } else if (item.title === '') walk(item.items, parentId, trail);
      else {
        const own = `${trail}/${item.title}`;
        const folder = commonFolder(item.items);
        const known = folder === null || folder === '' ? null : forest.idOf(folder);
        const id = known !== null && !used.has(known) ? known : deriveId('category', `navigation${own}`);
        const multilingual = Object.entries(item.titles).flatMap(([tag, title]) => {
          // As the pages spell the language; without a page, it is none of the site.
          const language_code = spellings.get(languageKey(tag));
          return language_code === undefined ? [] : [{ language_code, title }];
        });
        const {
          path = `category/${slugPath(own)}`,
          slug = null,
          description = null,
          aliases = [],
        } = id === known ? (byId.get(id) ?? {}) : {};
        addSection(id, { title: item.title, slug, description, path, aliases, multilingual }, parentId);
        walk(item.items, id, own);
      }
    }
  }

  /** Pages of a folder that are not in the navigation yet, with its subfolders as sections. */
  function walkFolder(folder: string, parentId: string | null, compare = compareOrder): void {
    const here = shown
      .filter((article) => !places.has(article) && forest.folderOf(article.pages[0] as Page) === folder)
      .toSorted(compare);
    for (const article of here) place(article, parentId, new Map());
    const below = forest.records
      .filter(
        ({ category_id: id }) => forest.parentFolderOf(id as string) === folder && !used.has(id as string),
      )
      .toSorted((a, b) => compareNumbers(a.sort_order, b.sort_order));
    for (const record of below) {
      const id = record.category_id as string;
      addSection(id, record, parentId);
      walkFolder(forest.folderById(id) ?? '', id, compare);
    }
  }

  function commonFolder(all: readonly NavigationItem[]): string | null {
    const folders = all.flatMap((item): readonly string[] => {
      if (item.kind === 'folder') return [item.folder];
      if (item.kind === 'section') return [commonFolder(item.items)].filter((one) => one !== null);
      const article = find(item.ref);
      return article === undefined ? [] : [(article.pages[0] as Page).folder];
    });
    const [first, ...others] = folders;
    if (first === undefined) return null;
    let common = first;
    while (common !== '' && !others.every((one) => one === common || one.startsWith(`${common}/`)))
      common = posix.dirname(common).replace(/^\.$/, '');
    return common;
  }

  function titlesOf(
    title: string | null,
    titles: Readonly<Record<string, string>>,
  ): ReadonlyMap<string, string> {
    const own = title === null ? [] : [[languageKey(defaultLanguage), title] as const];
    return new Map([
      ...Object.entries(titles).map(([tag, text]) => [languageKey(tag), text] as const),
      ...own,
    ]);
  }

  function describeMissing(ref: string): Problem {
    const at = readTextInside(settings.root, file)
      .split('\n')
      .findIndex((line) => line.includes(ref) || line.includes(posix.basename(ref)));
    return problem(
      'NAVIGATION_UNKNOWN',
      `the navigation in ${file} names ${JSON.stringify(ref)}, which is no page`,
      {
        file,
        line: at === -1 ? null : at + 1,
      },
    );
  }

  walk(items, null, '');
  return {
    placeOf: (article) => places.get(article) ?? null,
    records: sections.map(({ record }) => record),
    problems,
  };
}

/** All names that a navigation may use for an article. */
function refsOf(
  { pages }: PlainArticle,
  refs: Navigation['refs'],
  paths: ReadonlyMap<Page, PagePaths>,
): readonly string[] {
  const [first] = pages as [Page, ...Page[]];
  if (refs === 'path') return [routeKey(paths.get(first)?.path ?? '')];
  if (refs === 'file') return pages.flatMap(({ pathInTree, key }) => [pathInTree, `${key}.md`]);
  const parts = first.folder.split('/').filter(Boolean);
  const own = textField(first.data, 'id');
  const plain = [...parts, own ?? first.name].join('/');
  return [plain, [...parts, own ?? first.name].map((part) => splitOrder(part).rest).join('/')];
}

function routeKey(path: string): string {
  return path
    .replace(/[?#].*$/, '')
    .replace(/^\/+|(?:(?<=^|\/)index)?(?:\.html|\.md)?$/g, '')
    .replace(/\/+$/, '')
    .toLowerCase();
}

function slugPath(trail: string): string {
  return trail
    .toLowerCase()
    .replace(/[^\p{L}\p{N}/]+/gu, '-')
    .replace(/^\/|-+(?=\/|$)|(?<=\/)-+/g, '');
}

/** The newest first. */
function compareDates(a: PlainArticle, b: PlainArticle): number {
  const [first = '', second = ''] = [a, b].map(({ pages }) => dateField(pages[0]?.data ?? {}, 'date') ?? '');
  return first === second ? compareOrder(a, b) : first < second ? 1 : -1;
}

function compareOrder(a: PlainArticle, b: PlainArticle): number {
  const [first, second] = [a.pages[0] as Page, b.pages[0] as Page];
  const order = ({ data, name }: Page) => orderField(data) ?? splitOrder(name).order;
  return (
    compareNumbers(order(first), order(second)) ||
    Number(second.isIndex) - Number(first.isIndex) ||
    (first.key < second.key ? -1 : 1)
  );
}

function compareNumbers(a: unknown, b: unknown): number {
  const number = (value: unknown): number => (typeof value === 'number' ? value : Number.MAX_SAFE_INTEGER);
  return number(a) - number(b);
}

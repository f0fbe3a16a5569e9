import { LecternError, LineError, messageOf } from '../../../core/errors.ts';
import { languageKey } from '../../../core/language.ts';
import { type Problem, problem } from '../../../core/problems.ts';
import { parseYaml } from '../../../core/yaml.ts';
import { deriveId, type FolderRecord } from '../folder-read.ts';
import type { PlainProject } from '../project/project-pages.ts';
import type { PagePaths } from '../project/site-paths.ts';
import { readTextInside, type ScannedFiles } from '../safe-files.ts';
import type { PlainArticle } from './find-articles.ts';
import type { Page } from './load-pages.ts';
import { orderField, textField } from './page-fields.ts';
import { ancestors, type PlainSettings, parsePagePath, splitOrder, titleOfName } from './page-path.ts';

/** The folders that are categories. */
export interface PlainCategories {
  readonly records: readonly FolderRecord[];
  /** The id of a folder's category; `null` if the folder is not a category. */
  idOf(folder: string): string | null;
  /** The folder whose category a page is in. For a page that shares its folder only with its images, it is the parent folder. */
  folderOf(page: Page): string;
  /** The folder of a category, and the folder above it. */
  folderById(id: string): string | undefined;
  parentFolderOf(id: string): string | undefined;
  /** Problems of category files that cannot be read. */
  readonly problems: readonly Problem[];
}

/** A Docusaurus `_category_.json` in one language. */
interface CategoryFile {
  readonly label: string | null;
  readonly description: string | null;
  readonly order: number | null;
}

/** Makes a category of every folder that contains public pages, also in subfolders. */
export function makeCategories(
  articles: readonly PlainArticle[],
  project: PlainProject,
  scanned: ScannedFiles,
  settings: PlainSettings,
  pathOf: (folder: string) => Pick<PagePaths, 'path' | 'aliases'>,
): PlainCategories {
  const { defaultLanguage } = settings;
  const { found: files, problems } = readCategoryFiles(project, scanned, settings);
  const counts = new Map<string, number>();
  for (const { pages, isEmpty } of articles) {
    if (isEmpty) continue;
    for (const folder of ancestors((pages[0] as Page).folder))
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const folderOf = ({ folder, name, isIndex }: Page): string =>
    isIndex && name !== '_index' && folder !== '' && counts.get(folder) === 1
      ? folder.split('/').slice(0, -1).join('/')
      : folder;
  const folders = new Set<string>();
  const indexes = new Map<string, PlainArticle[]>();
  for (const article of articles) {
    const first = article.pages[0] as Page;
    const isPublic = [...article.visibility.values()].some(({ reason }) => reason === 'public');
    if (isPublic && !article.isEmpty) for (const folder of ancestors(folderOf(first))) folders.add(folder);
    if (first.isIndex) indexes.set(first.folder, [...(indexes.get(first.folder) ?? []), article]);
  }
  folders.delete('');
  const idOf = (folder: string): string | null => (folders.has(folder) ? deriveId('category', folder) : null);
  const records = [...folders].sort().map((folder): FolderRecord => {
    const name = folder.split('/').at(-1) ?? folder;
    const texts = new Map<string, { language: string; title: string; description: string | null }>();
    const add = (language: string, title: string | null, description: string | null): void => {
      if (title !== null && !texts.has(languageKey(language)))
        texts.set(languageKey(language), { language, title, description });
    };
    const own = files.get(folder);
    for (const [language, { label, description }] of own ?? []) add(language, label, description);
    const pages = (indexes.get(folder) ?? [])
      .toSorted((a, b) => ((a.pages[0] as Page).name < (b.pages[0] as Page).name ? -1 : 1))
      .flatMap((article) =>
        article.pages.filter((page) => article.visibility.get(page)?.reason === 'public'),
      );
    for (const page of pages) {
      add(
        page.language ?? defaultLanguage,
        page.title,
        page.name === '_index' ? textField(page.data, 'description') : null,
      );
    }
    const orders = [...(own?.values() ?? [])].flatMap(({ order }) => order ?? []);
    const title = texts.get(languageKey(defaultLanguage));
    return {
      category_id: idOf(folder),
      parent_category_id: idOf(folder.split('/').slice(0, -1).join('/')),
      title: title?.title ?? titleOfName(name),
      slug: splitOrder(name).rest,
      description: title?.description ?? null,
      ...pathOf(folder),
      sort_order:
        orders[0] ?? pages.flatMap(({ data }) => orderField(data) ?? [])[0] ?? splitOrder(name).order,
      multilingual: [...texts.values()]
        .filter((text) => text !== title)
        .map(({ language, ...text }) => ({ language_code: language, ...text })),
    };
  });
  const byId = new Map([...folders].map((folder) => [deriveId('category', folder), folder]));
  const folderById = (id: string): string | undefined => byId.get(id);
  const parentFolderOf = (id: string): string | undefined => byId.get(id)?.split('/').slice(0, -1).join('/');
  return { records, idOf, folderOf, folderById, parentFolderOf, problems };
}

/** Category files by folder, then by language. One that cannot be read is reported, and the folder named as without it. */
function readCategoryFiles(
  { trees }: PlainProject,
  scanned: ScannedFiles,
  settings: PlainSettings,
): {
  readonly found: ReadonlyMap<string, ReadonlyMap<string, CategoryFile>>;
  readonly problems: readonly Problem[];
} {
  const { root, defaultLanguage } = settings;
  const found = new Map<string, Map<string, CategoryFile>>();
  const problems: Problem[] = [];
  for (const { folder: tree, language, prefix } of trees) {
    for (const path of scanned.stamps.keys()) {
      if (
        !path.startsWith(tree === '' ? '' : `${tree}/`) ||
        !/(?:^|\/)_category_\.(?:json|ya?ml)$/.test(path)
      )
        continue;
      const parsed = parsePagePath(
        prefix + (tree === '' ? path : path.slice(tree.length + 1)),
        settings,
        language,
      );
      try {
        const files = found.get(parsed.folder) ?? new Map<string, CategoryFile>();
        files.set(parsed.language ?? defaultLanguage, parseCategoryFile(readTextInside(root, path), path));
        found.set(parsed.folder, files);
      } catch (error) {
        if (error instanceof LecternError) throw error;
        const line = error instanceof LineError ? error.line : null;
        problems.push(problem('FILE_SKIPPED', `${path}: ${messageOf(error)}`, { file: path, line }));
      }
    }
  }
  return { found, problems };
}

function parseCategoryFile(text: string, path: string): CategoryFile {
  // Docusaurus reads an empty file as one without fields.
  const source = text.trim() === '' ? '{}' : text.replace(/^\uFEFF/, '');
  const value: unknown = path.endsWith('.json') ? JSON.parse(source) : parseYaml(source, () => {});
  if (typeof value !== 'object' || value === null) throw new Error('the file must be a list of fields');
  const data = value as Readonly<Record<string, unknown>>;
  return {
    label: textField(data, 'label'),
    description: textField(data, 'description'),
    order: orderField(data),
  };
}

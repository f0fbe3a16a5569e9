import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { messageOf } from '../../../core/errors.ts';
import { parseYaml } from '../../../core/yaml.ts';
import { entriesOf } from '../front-matter.ts';
import { readTextInside } from '../safe-files.ts';
import {
  docusaurusDocs,
  fieldsOf,
  listOf,
  type MkDocsBlog,
  type ProjectConfig,
  readBlog,
  textOf,
} from './config.ts';
import { notData, readLiteralData } from './literal-data.ts';

/** An entry of the navigation of a project. */
export type NavigationItem =
  | {
      readonly kind: 'page';
      /** As {@link Navigation.refs} says. */
      readonly ref: string;
      /** `null`: that of the page. */
      readonly title: string | null;
      readonly titles: Titles;
    }
  | {
      readonly kind: 'section';
      readonly title: string;
      readonly titles: Titles;
      readonly items: readonly NavigationItem[];
    }
  /** All pages in a folder and below, in the order of their fields and names. */
  | { readonly kind: 'folder'; readonly folder: string; readonly isNewestFirst?: boolean };

/** Titles in other languages, by tag. */
type Titles = Readonly<Record<string, string>>;

/** The navigation of a project. */
export interface Navigation {
  readonly items: readonly NavigationItem[];
  /** How items name pages: by file, by the id of Docusaurus, or by the path on the site. */
  readonly refs: 'file' | 'id' | 'path';
  /** The file that contains it. */
  readonly file: string;
  /** Whether everything in it is data. Otherwise, pages that it does not name may be part of it. */
  readonly isComplete: boolean;
}

/**
 * Reads the navigation of a project; `null` if it has none, and folders are its sections.
 * @param tree folder of the pages
 * @param files names of pages and subfolders in a folder of the tree
 */
export function readNavigation(
  config: ProjectConfig,
  tree: string,
  files: (folder: string) => readonly string[],
): Navigation | null {
  const { root } = config;
  const reader: ItemReader = { isComplete: true };
  const make = (
    given: unknown,
    read: typeof readMkDocsItems,
    refs: Navigation['refs'],
    file: string,
  ): Navigation | null => {
    if (given === undefined || given === null || given === false || given === notData) return null;
    const items = read(given, reader);
    return items.length === 0 ? null : { items, refs, file, isComplete: reader.isComplete };
  };
  if (config.generator === 'mkdocs') {
    if (config.all.nav !== undefined) {
      const own = make(config.all.nav, readMkDocsItems, 'file', config.file);
      return own && { ...own, items: withPosts(own.items, readBlog(config)) };
    }
    const file = readFolderSettings(root, tree)?.file ?? config.file;
    const items = readPagesFolder({ root, tree, files }, '');
    return items === null ? null : { items, refs: 'file', file, isComplete: true };
  }
  if (config.generator === 'starlight')
    return make(config.options.sidebar, readStarlightItems, 'path', config.file);
  if (config.generator === 'docusaurus') {
    const file = findSidebars(root, config, tree);
    return file === null ? null : make(readSidebars(root, file), readDocusaurusSidebars, 'id', file);
  }
  if (config.generator !== 'vitepress') return null;
  const own = sidebarOf(config.all);
  if (own !== undefined) return make(own, readVitePressSidebar, 'path', config.file);
  // An additional configuration beside the pages.
  for (const extension of ['ts', 'mts', 'js', 'mjs']) {
    const file = posix.join(tree, `config.${extension}`);
    if (existsSync(join(root, file)))
      return make(sidebarOf(fieldsOf(readSidebars(root, file))), readVitePressSidebar, 'path', file);
  }
  return null;
}

interface ItemReader {
  isComplete: boolean;
}

function readSidebars(root: string, file: string): unknown {
  try {
    return readLiteralData(root, file);
  } catch (error) {
    throw new Error(`${file} cannot be read: ${messageOf(error)}`);
  }
}

/** The lists of a value that should be one. What is not data makes the navigation incomplete. */
function elements(value: unknown, reader: ItemReader): readonly unknown[] {
  if (!Array.isArray(value)) {
    if (value === notData) reader.isComplete = false;
    return [];
  }
  if (value.includes(notData)) reader.isComplete = false;
  return value.filter((one) => one !== notData);
}

function isExternal(ref: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(ref);
}

function page(ref: string, title: string | null, titles: Titles = {}): readonly NavigationItem[] {
  return isExternal(ref) ? [] : [{ kind: 'page', ref, title, titles }];
}

/** `nav` of MkDocs: files, `Title: file`, and `Title:` with a list. */
function readMkDocsItems(given: unknown, reader: ItemReader): readonly NavigationItem[] {
  return elements(given, reader).flatMap((one): readonly NavigationItem[] => {
    if (typeof one === 'string') return page(one, null);
    return entriesOf(one).flatMap(([title, value]): readonly NavigationItem[] => {
      if (typeof value === 'string') return page(value, title);
      return [{ kind: 'section', title, titles: {}, items: readMkDocsItems(value, reader) }];
    });
  });
}

/** The blog plugin lists its posts, the newest first, on the page of the blog. */
function withPosts(items: readonly NavigationItem[], blog: MkDocsBlog | null): readonly NavigationItem[] {
  if (blog === null) return items;
  return items.flatMap((item): readonly NavigationItem[] => {
    if (item.kind === 'section') return [{ ...item, items: withPosts(item.items, blog) }];
    if (item.kind !== 'page' || item.ref !== posix.join(blog.folder, 'index.md')) return [item];
    const posts = { kind: 'folder', folder: blog.posts, isNewestFirst: true } as const;
    return [item, posts];
  });
}

interface PagesReader {
  readonly root: string;
  readonly tree: string;
  readonly files: (folder: string) => readonly string[];
}

/** What `.nav.yml` of awesome-nav or `.pages` of awesome-pages says about a folder; `null` if there is none. */
function readFolderSettings(root: string, folder: string) {
  for (const name of ['.nav.yml', '.nav.yaml', '.pages']) {
    const file = posix.join(folder, name);
    if (existsSync(join(root, file)))
      return {
        file,
        isPages: name === '.pages',
        data: fieldsOf(parseYaml(readTextInside(root, file), () => {})),
      };
  }
  return null;
}

/** The order of a folder and of those below; `null` if none has one. */
function readPagesFolder(reader: PagesReader, folder: string): readonly NavigationItem[] | null {
  const { root, tree, files } = reader;
  const settings = readFolderSettings(root, posix.join(tree, folder));
  const data = settings?.data ?? {};
  if (data.hide === true) return [];
  const names = files(folder);
  let isFound = settings !== null;
  const item = (given: string, title: string | null): readonly NavigationItem[] => {
    const name = given.replace(/^\.\/|\/$/g, '');
    const inside = posix.join(folder, name);
    if (isExternal(given)) return [];
    if (/\.(?:mdx?|markdown|html?)$/i.test(name) || files(inside).length === 0) return page(inside, title);
    const below = readPagesFolder(reader, inside);
    if (below !== null) isFound = true;
    const items: readonly NavigationItem[] = below ?? [{ kind: 'folder', folder: inside }];
    const own = textOf(readFolderSettings(root, posix.join(tree, inside))?.data.title);
    const words = posix.basename(name).replace(/[-_]+/g, ' ');
    const shown = title ?? own ?? words.charAt(0).toUpperCase() + words.slice(1);
    return items.length === 0 ? [] : [{ kind: 'section', title: shown, titles: {}, items }];
  };
  const lists = [data.nav, data.arrange, data.order].filter((one) => Array.isArray(one));
  const [given = ['...']] = lists as readonly (readonly unknown[])[];
  const all = settings?.isPages === false && data.append_unmatched === true ? [...given, '...'] : given;
  const named = new Set(namesIn(all).map((name) => name.replace(/^\.\/|\/$/g, '')));
  const rest = (pattern: RegExp): readonly NavigationItem[] =>
    names
      .filter((name) => !named.has(name) && pattern.test(name))
      .flatMap((name) => {
        named.add(name);
        return item(name, null);
      });
  const itemsOf = (list: readonly unknown[]): readonly NavigationItem[] =>
    list.flatMap((one): readonly NavigationItem[] => {
      const glob = typeof one === 'string' ? one : fieldsOf(one).glob;
      if (typeof glob === 'string' && /^\.\.\.\s*(?:\||$)/.test(glob)) return rest(/^/);
      if (typeof glob === 'string' && glob.includes('*')) return rest(nameGlob(glob));
      if (typeof one === 'string') return item(one, null);
      return entriesOf(one).flatMap(([title, value]): readonly NavigationItem[] => {
        if (typeof value === 'string') return item(value, title);
        return [{ kind: 'section', title, titles: {}, items: itemsOf(listOf(value)) }];
      });
    });
  const items = itemsOf(all);
  return isFound ? items : null;
}

/** The files and folders that a list names, also inside sections. */
function namesIn(list: readonly unknown[]): readonly string[] {
  return list.flatMap((one): readonly string[] =>
    typeof one === 'string'
      ? [one]
      : entriesOf(one).flatMap(([, value]) => (typeof value === 'string' ? [value] : namesIn(listOf(value)))),
  );
}

/** A pattern of names: `*.md`, `guide-*`. */
function nameGlob(glob: string): RegExp {
  const parts = glob.replace(/\/$/, '').split(/\*+\/?/);
  return new RegExp(`^${parts.map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&')).join('.*')}$`);
}

/** `sidebar` of Starlight: slugs, links, groups and folders. */
function readStarlightItems(given: unknown, reader: ItemReader): readonly NavigationItem[] {
  return elements(given, reader).flatMap((one): readonly NavigationItem[] => {
    if (typeof one === 'string') return page(one, null);
    const { label, slug, link, items, autogenerate, translations } = fieldsOf(one);
    const titles = textsOf(translations);
    const title = textOf(label) ?? textOf(fieldsOf(label).en);
    const { directory } = fieldsOf(autogenerate);
    const below: readonly NavigationItem[] =
      typeof directory === 'string'
        ? [{ kind: 'folder', folder: directory.replace(/^\/+|\/+$/g, '') }]
        : readStarlightItems(items, reader);
    if (items !== undefined || (directory !== undefined && title !== null))
      return [{ kind: 'section', title: title ?? '', titles, items: below }];
    if (directory !== undefined) return below;
    const ref = typeof slug === 'string' ? slug : link;
    return typeof ref === 'string' ? page(ref, title, titles) : [];
  });
}

function textsOf(value: unknown): Titles {
  return Object.fromEntries(
    entriesOf(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The file of the sidebars: that of the published version, else `sidebarPath`. Without one, Docusaurus follows the folders. */
function findSidebars(root: string, config: ProjectConfig, tree: string): string | null {
  const version = /^versioned_docs\/version-([^/]+)$/.exec(tree)?.[1];
  const { sidebarPath } = docusaurusDocs(config);
  const path =
    version === undefined
      ? typeof sidebarPath === 'string'
        ? posix.join(sidebarPath)
        : null
      : `versioned_sidebars/version-${version}-sidebars.json`;
  return path !== null && !path.startsWith('..') && existsSync(join(root, path)) ? path : null;
}

function readDocusaurusSidebars(given: unknown, reader: ItemReader): readonly NavigationItem[] {
  return Object.values(fieldsOf(given)).flatMap((sidebar) => readDocusaurusItems(sidebar, reader));
}

/** A sidebar of Docusaurus: ids, categories, folders, and the short form `{ Label: […] }`. */
function readDocusaurusItems(given: unknown, reader: ItemReader): readonly NavigationItem[] {
  if (!Array.isArray(given) && given !== notData)
    return entriesOf(given).map(([title, items]) => ({
      ...{ kind: 'section' as const, title, titles: {} },
      items: readDocusaurusItems(items, reader),
    }));
  return elements(given, reader).flatMap((one): readonly NavigationItem[] => {
    if (typeof one === 'string') return page(one, null);
    const { type, id, label, items, link, dirName } = fieldsOf(one);
    if (type === undefined) return readDocusaurusItems(one, reader);
    if (type === 'autogenerated')
      return [{ kind: 'folder', folder: String(dirName).replace(/^\.?\/*|\/+$/g, '') }];
    if ((type === 'doc' || type === 'ref') && typeof id === 'string') return page(id, textOf(label));
    if (type !== 'category') return [];
    const own = fieldsOf(link);
    const first = own.type === 'doc' && typeof own.id === 'string' ? page(own.id, null) : [];
    const all = [...first, ...readDocusaurusItems(items, reader)];
    return [{ kind: 'section', title: textOf(label) ?? '', titles: {}, items: all }];
  });
}

/** The sidebar of VitePress, also that of the root language. */
function sidebarOf(config: Readonly<Record<string, unknown>>): unknown {
  const { root } = fieldsOf(config.locales);
  return fieldsOf(fieldsOf(root).themeConfig).sidebar ?? fieldsOf(config.themeConfig).sidebar;
}

function readVitePressSidebar(given: unknown, reader: ItemReader): readonly NavigationItem[] {
  if (Array.isArray(given)) return readVitePressItems(given, '', reader);
  return Object.values(fieldsOf(given)).flatMap((one) => {
    const { base, items } = fieldsOf(one);
    return Array.isArray(one) || one === notData
      ? readVitePressItems(one, '', reader)
      : readVitePressItems(items, textOf(base) ?? '', reader);
  });
}

function readVitePressItems(given: unknown, base: string, reader: ItemReader): readonly NavigationItem[] {
  return elements(given, reader).flatMap((one): readonly NavigationItem[] => {
    const { text, link, items, base: own } = fieldsOf(one);
    const start = textOf(own) ?? base;
    const title = textOf(text);
    const self = typeof link === 'string' ? page(isExternal(link) ? link : `${start}${link}`, title) : [];
    if (items === undefined) return self;
    return [
      {
        kind: 'section',
        title: title ?? '',
        titles: {},
        items: [...self, ...readVitePressItems(items, start, reader)],
      },
    ];
  });
}

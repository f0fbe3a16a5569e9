import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { LecternError, messageOf } from '../../foundation/errors.ts';
import { isLanguageTag, languageKey } from '../../foundation/language.ts';
import { type Problem, problem } from '../../foundation/problems.ts';
import { refuseInvalidFiles } from '../folder-read.ts';
import { entriesOf, parseSettingsFile, settingOf } from '../front-matter.ts';
import { readTextInside, type ScannedFiles } from '../safe-files.ts';
import { keyOfLocale, type PlainSettings, parsePagePath, readBoolean } from './page-fields.ts';
import { isPartial, type Page, type PageCache, pageFile, readPageFile, stemOf } from './read-page.ts';

/** The pages of a folder, by key and language. */
interface LoadedPages {
  /** Pages by key, then by {@link languageKey}; the default language first, then sorted. */
  readonly byKey: ReadonlyMap<string, readonly Page[]>;
  readonly problems: readonly Problem[];
}

/**
 * Reads every page of a project and reports all errors at once.
 * @throws FOLDER_INVALID: front matter that cannot be read, text that is not UTF-8, two files for one page in one language
 */
export function loadPages(
  settings: PlainSettings,
  { trees, contentFolders, problems: found }: PlainProject,
  scanned: ScannedFiles,
  cache: PageCache,
): LoadedPages {
  const { root, defaultLanguage } = settings;
  const byKey = new Map<string, Page[]>();
  const problems: Problem[] = [...found];
  const mistakes: string[] = [];
  const skip = (path: string, why: string): void => {
    problems.push(problem('FILE_SKIPPED', `${path} ${why}`));
  };
  for (const { folder, language } of trees) {
    const start = folder === '' ? '' : `${folder}/`;
    const inner = trees.filter((one) => one.folder !== folder && one.folder.startsWith(start));
    const inTree = [...scanned.stamps].filter(
      ([path]) => path.startsWith(start) && !inner.some((one) => path.startsWith(`${one.folder}/`)),
    );
    const stems = new Set(inTree.map(([path]) => stemOf(path.slice(start.length))));
    for (const [path, stamp] of inTree) {
      const pathInTree = path.slice(start.length);
      if (isPartial(pathInTree) || !pageFile.test(path)) continue;
      try {
        const file = readPageFile(root, path, stamp, cache);
        if ('why' in file) {
          skip(path, file.why);
          continue;
        }
        const owner = contentFolders.find((one) => path.startsWith(`${one.folder}/`));
        const inPath = parsePagePath(pathInTree, settings, owner?.isDisabled ? owner.language : language);
        const parsed = { ...inPath, language: inPath.language ?? owner?.language ?? null };
        // If two files claim to be the page of a folder, `README` is an ordinary page.
        const isReadme = /^readme$/i.test(parsed.name);
        const isIndex = parsed.isIndex && !(isReadme && stems.has(pathInTree.replace(/[^/]+$/, 'index')));
        const page = {
          ...file,
          ...parsed,
          isIndex,
          path,
          pathInTree,
          tree: folder,
          isHtml: /\.html?$/i.test(path),
        };
        const pages = byKey.get(page.key) ?? [];
        const same = pages.find((other) => keyOf(other) === keyOf(page));
        if (same === undefined) byKey.set(page.key, [...pages, page]);
        else mistakes.push(`${path}: ${same.path} is the same page in the same language`);
      } catch (error) {
        if (error instanceof LecternError) throw error;
        mistakes.push(`${path}: ${messageOf(error)}`);
      }
    }
  }
  for (const path of cache.keys()) if (!scanned.stamps.has(path)) cache.delete(path);
  refuseInvalidFiles(mistakes);
  for (const path of scanned.links) {
    problems.push(problem('SYMLINK_SKIPPED', `${path} is not a regular file`));
  }
  for (const pages of byKey.values()) pages.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  return { byKey: new Map([...byKey].sort(([a], [b]) => (a < b ? -1 : 1))), problems };

  function keyOf(page: Pick<Page, 'language'>): string {
    return languageKey(page.language ?? defaultLanguage);
  }
  function sortKey(page: Page): string {
    const key = keyOf(page);
    return key === languageKey(defaultLanguage) ? '' : key;
  }
}

interface ContentFolder {
  readonly folder: string;
  /** `null`: several languages share it, it is for those without their own folder, or the name is not a language tag. */
  readonly language: string | null;
  readonly isDisabled: boolean;
}

/** The folders of a project that contain pages; paths are relative to its folder. */
export interface PlainProject {
  /** Folders of pages. `language` is that of all pages in the folder; `null` if subfolders and suffixes determine it. */
  readonly trees: readonly { readonly folder: string; readonly language: string | null }[];
  /** Folders of images and files to which root-relative URLs (`/img/a.png`) refer. */
  readonly assets: readonly string[];
  /** Language tags in its configuration; empty if there are none. */
  readonly languages: readonly string[];
  /** Languages that its configuration disables, by {@link keyOfLocale}; their pages are not published. */
  readonly disabled: ReadonlySet<string>;
  /** Folders that the configuration assigns to languages, innermost first. */
  readonly contentFolders: readonly ContentFolder[];
  /** Problems of its configuration. */
  readonly problems: readonly Problem[];
  /** Why its pages cannot be read, as sentences; empty if they can. */
  readonly mistakes: readonly string[];
}

/** Files of Hugo alone; projects of other tools have a `config.yml` too. */
const hugoMarks = ['hugo.toml', 'hugo.yaml', 'hugo.yml', 'hugo.json', 'config/_default'];

const generators: readonly { marks: readonly string[]; folder: string; assets: readonly string[] }[] = [
  {
    marks: ['docusaurus.config.js', 'docusaurus.config.ts', 'docusaurus.config.mjs', 'docusaurus.config.cjs'],
    folder: 'docs',
    assets: ['static'],
  },
  {
    marks: ['astro.config.mjs', 'astro.config.js', 'astro.config.ts', 'astro.config.mts'],
    folder: 'src/content/docs',
    assets: ['public', 'src/assets'],
  },
  {
    marks: [...hugoMarks, 'config.toml', 'config.yaml', 'config.yml', 'config.json'],
    folder: 'content',
    assets: ['static', 'assets'],
  },
  { marks: ['mkdocs.yml', 'mkdocs.yaml'], folder: 'docs', assets: [] },
];

/**
 * Finds the folder of the pages in a project of a site generator, by its configuration file. Other folders contain the pages directly.
 * @param list names of the subfolders of a folder in the project
 */
export function findPages(root: string, list: (folder: string) => readonly string[]): PlainProject {
  const has = (path: string): boolean => existsSync(join(root, path));
  let other = plainProject('');
  for (const { marks, folder, assets } of generators) {
    const mark = marks.find(has);
    if (mark === undefined) continue;
    const found = folder === 'content' ? readHugoProject(root, has) : plainProject(folder);
    const { folders, ...project } = found;
    if (!folders.some(has)) {
      // Pages that are elsewhere are not guessed, and what the configuration hides stays hidden.
      const mistakes = [`${mark}: the folder ${folder} does not exist`];
      if (other.mistakes.length === 0) other = folder === 'content' ? found : { ...found, mistakes };
      continue;
    }
    const translations = folder === 'docs' && has('i18n') ? list('i18n') : [];
    const trees = [
      ...folders.map((one) => ({ folder: one, language: null })),
      ...translations.map((language) => ({
        folder: `i18n/${language}/docusaurus-plugin-content-docs/current`,
        language,
      })),
    ];
    return { trees: trees.filter((tree) => has(tree.folder)), assets: assets.filter(has), ...project };
  }
  const { folders: _, ...project } = other;
  return { trees: [{ folder: '', language: null }], assets: [], ...project };
}

/** Folders of pages, and what the configuration says of languages. */
interface ProjectPages extends Omit<PlainProject, 'trees' | 'assets'> {
  readonly folders: readonly string[];
}

function plainProject(folder: string): ProjectPages {
  return {
    folders: [folder],
    languages: [],
    disabled: new Set(),
    contentFolders: [],
    problems: [],
    mistakes: [],
  };
}

/**
 * The files that may configure Hugo in a default build; later ones override earlier ones. In those called `languages`, the languages are at
 * the top level.
 */
const hugoFiles = ['', 'config/_default/', 'config/production/'].flatMap((folder) =>
  ['config', 'hugo', ...(folder === '' ? [] : ['languages'])].flatMap((name) =>
    ['json', 'yml', 'yaml', 'toml'].map((extension) => `${folder}${name}.${extension}`),
  ),
);

/** A language in the configuration of Hugo. */
interface HugoLanguage {
  readonly name: string;
  readonly isDisabled: boolean;
  /** `contentDir`. */
  readonly folder: string | null;
}

/**
 * The folders and languages of a Hugo site, and which languages it disables. Nothing is read if a file of its configuration cannot be read,
 * since it may disable more, or without a folder of pages, unless all files could be those of another tool.
 */
function readHugoProject(root: string, has: (path: string) => boolean): ProjectPages {
  const found = new Map<string, HugoLanguage>();
  let listed: readonly string[] = [];
  let common: string | null = null;
  const problems: Problem[] = [];
  const mistakes: string[] = [];
  for (const path of hugoFiles.filter(has)) {
    try {
      const data = parseSettingsFile(readTextInside(root, path), path);
      const languages = path.includes('/languages.') ? data : settingOf(data, 'languages');
      for (const [name, language] of entriesOf(languages)) {
        const before = found.get(keyOfLocale(name));
        const disabled = readBoolean(settingOf(language, 'disabled')) ?? before?.isDisabled ?? false;
        found.set(keyOfLocale(name), {
          name,
          // Any value except `false` may disable the language, so its pages are not published.
          isDisabled: disabled !== false,
          folder: folderSetting(language) ?? before?.folder ?? null,
        });
      }
      if (languages !== data) common = folderSetting(data) ?? common;
      const names = settingOf(data, 'disableLanguages');
      if (typeof names === 'string') listed = names.split(/[\s,]+/);
      else if (names !== undefined) listed = entriesOf(names).map(([, name]) => String(name));
    } catch (error) {
      mistakes.push(`${path} cannot be read: ${messageOf(error)}`);
    }
  }
  const languages = [...found.values()];
  const off = languages.filter(({ isDisabled }) => isDisabled).map(({ name }) => name);
  const disabled = new Set([...off, ...listed].map(keyOfLocale));
  const base = common ?? 'content';
  const named = [common, ...languages.map(({ folder }) => folder)];
  const contentFolders = findContentFolders(languages, disabled, base);
  const enabled = contentFolders.filter(({ isDisabled }) => !isDisabled).map(({ folder }) => folder);
  // Hugo does not read the base folder if each language has its own.
  const isBaseRead = enabled.length === 0 || contentFolders.some(({ folder }) => folder === base);
  const all = [...new Set([...(isBaseRead ? [base] : []), ...enabled])];
  const folders = all.filter((folder) => !isOutside(folder) && has(folder));
  for (const folder of all.filter((one) => named.includes(one) && !folders.includes(one))) {
    const why = isOutside(folder)
      ? `${folder} is read only if contentDir is a folder inside the project`
      : `the contentDir ${folder} does not exist`;
    problems.push(problem('FILE_SKIPPED', why));
  }
  if (folders.length === 0) {
    for (const { message } of problems) mistakes.push(message);
    const isHugo = hugoMarks.some(has) || named.some((folder) => folder !== null);
    if (mistakes.length === 0 && isHugo) mistakes.push(`the contentDir ${base} does not exist`);
  }
  return {
    folders,
    mistakes,
    languages: languages.map(({ name }) => name).filter((name) => isLanguageTag(name.replaceAll('_', '-'))),
    disabled,
    contentFolders,
    problems,
  };
}

/** @param base folder of the languages without their own */
function findContentFolders(
  languages: readonly HugoLanguage[],
  disabled: ReadonlySet<string>,
  base: string,
): readonly ContentFolder[] {
  const folders = new Map<string, ContentFolder>();
  for (const { name, folder: own } of languages) {
    const isDisabled = disabled.has(keyOfLocale(name));
    const folder = own ?? base;
    const other = folders.get(folder);
    if (isDisabled && (own === null || other !== undefined)) continue;
    // If languages share a folder, suffixes distinguish them.
    const isAlone = own !== null && (other === undefined || other.isDisabled);
    const tag = name.replaceAll('_', '-');
    const language = isAlone && (isDisabled || isLanguageTag(tag)) ? tag : null;
    folders.set(folder, { folder, language, isDisabled });
  }
  return [...folders.values()].sort((a, b) => b.folder.length - a.folder.length);
}

function isOutside(folder: string): boolean {
  return /^(?:\.{0,2}(?:\/|$)|[a-z]:)/i.test(folder);
}

/** `contentDir`: `./content/de/` and `content\de` are `content/de`. */
function folderSetting(settings: unknown): string | null {
  const folder = settingOf(settings, 'contentDir');
  return typeof folder === 'string' ? posix.join(folder.replaceAll('\\', '/'), '.').replace(/\/$/, '') : null;
}

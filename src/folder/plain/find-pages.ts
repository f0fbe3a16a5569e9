import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { messageOf } from '../../foundation/errors.ts';
import { isLanguageTag } from '../../foundation/language.ts';
import { type Problem, problem } from '../../foundation/problems.ts';
import { entriesOf, parseSettingsFile, settingOf } from '../front-matter.ts';
import { commonMarkup } from '../markup/common.ts';
import { docusaurusMarkup } from '../markup/docusaurus.ts';
import { withEmoji } from '../markup/emoji.ts';
import { loadsMath, withDollars } from '../markup/math.ts';
import { createMkDocsMarkup } from '../markup/mkdocs.ts';
import type { Markup } from '../markup/rules.ts';
import { starlightMarkup } from '../markup/starlight.ts';
import { vitepressMarkup } from '../markup/vitepress.ts';
import type { Generator } from '../project/config.ts';
import { readTextInside } from '../safe-files.ts';
import { readHugoPages } from './hugo-project.ts';
import { readJekyllProject } from './jekyll-project.ts';
import { readMkDocsSettings, readMkDocsSyntax } from './mkdocs-settings.ts';
import { keyOfLocale, type PageRules, readBoolean } from './page-fields.ts';

interface ContentFolder {
  readonly folder: string;
  /** `null`: several languages share it, it is for those without their own folder, or the name is not a language tag. */
  readonly language: string | null;
  readonly isDisabled: boolean;
}

/** The folders of a project that contain pages; paths are relative to its folder. */
export interface PlainProject {
  /** The site generator and the file of its configuration; `null`: none. */
  readonly generator: { readonly name: Generator; readonly mark: string } | null;
  /** Folders of pages. `language` is that of all pages in the folder; `null` if subfolders and suffixes determine it. */
  readonly trees: readonly {
    readonly folder: string;
    readonly language: string | null;
    /** What the paths of its pages begin with, so that pages of several trees differ: `docs/` for `_docs` of Jekyll. */
    readonly prefix: string;
  }[];
  /** Folders of images and files to which root-relative URLs (`/img/a.png`) refer. */
  readonly assets: readonly string[];
  /** Language tags in its configuration; empty if there are none. */
  readonly languages: readonly string[];
  /** Languages that its configuration disables, by {@link keyOfLocale}; their pages are not published. */
  readonly disabled: ReadonlySet<string>;
  /** Folders that the configuration assigns to languages, innermost first. */
  readonly contentFolders: readonly ContentFolder[];
  /** Why its generator does not publish a file; `null` if it does. `no-source`: it does not see a translation of no page. */
  hiddenAs(path: string): 'private' | 'draft' | 'no-source' | null;
  /** The syntax of its pages. */
  readonly markup: Markup;
  /** What its generator makes pages of. */
  readonly pages: PageRules;
  /** Problems of its configuration. */
  readonly problems: readonly Problem[];
  /** Why its pages cannot be read, as sentences; empty if they can. */
  readonly mistakes: readonly string[];
}

const everyFile: PageRules = {
  ignores: () => false,
  needsFrontMatter: false,
  fieldsOf: () => ({}),
  pathOf: null,
  cascade: [],
};

/** Files of Hugo alone; projects of other tools have a `config.yml` too. */
const hugoMarks = ['hugo.toml', 'hugo.yaml', 'hugo.yml', 'hugo.json', 'config/_default'];

/** Finds the pages with the configuration file of a generator. */
type FindPages = (root: string, mark: string, has: (path: string) => boolean) => ProjectPages;

/** Generators by their configuration files, and where their pages are: in a folder, or where the configuration says. */
const generators: readonly {
  readonly name: Generator;
  readonly marks: readonly string[];
  readonly pages: FindPages;
  readonly assets: readonly string[];
}[] = [
  {
    name: 'docusaurus',
    marks: ['docusaurus.config.js', 'docusaurus.config.ts', 'docusaurus.config.mjs', 'docusaurus.config.cjs'],
    pages: readDocusaurusProject,
    assets: ['static'],
  },
  {
    name: 'starlight',
    marks: ['astro.config.mjs', 'astro.config.js', 'astro.config.ts', 'astro.config.mts'],
    pages: readStarlightProject,
    assets: ['public', 'src/assets'],
  },
  {
    name: 'hugo',
    marks: [...hugoMarks, 'config.toml', 'config.yaml', 'config.yml', 'config.json'],
    pages: readHugoProject,
    assets: ['static', 'assets'],
  },
  { name: 'mkdocs', marks: ['mkdocs.yml', 'mkdocs.yaml'], pages: readMkDocsProject, assets: [] },
  {
    name: 'vitepress',
    marks: ['', 'docs/'].flatMap((folder) =>
      ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'].map((extension) => `${folder}.vitepress/config.${extension}`),
    ),
    pages: readVitePressProject,
    assets: ['public', 'docs/public'],
  },
  { name: 'jekyll', marks: ['_config.yml', '_config.yaml'], pages: readJekyll, assets: [''] },
];

/** The site generator of a project by its configuration file; `null` if there is none. */
export function findGenerator(has: (path: string) => boolean): PlainProject['generator'] {
  for (const { name, marks } of generators) {
    const mark = marks.find(has);
    if (mark !== undefined) return { name, mark };
  }
  return null;
}

/**
 * Finds the folder of the pages in a project of a site generator, by its configuration file. Other folders contain the pages directly.
 * @param list names of the subfolders of a folder in the project
 */
export function findPages(root: string, list: (folder: string) => readonly string[]): PlainProject {
  const has = (path: string): boolean => existsSync(join(root, path));
  let other = plainProject([]);
  for (const { name, marks, pages, assets } of generators) {
    const mark = marks.find(has);
    if (mark === undefined) continue;
    const found = pages(root, mark, has);
    const { folders, markup = commonMarkup, translations, ...project } = found;
    if (folders.length === 0) {
      // Pages that are elsewhere are not guessed, and what the configuration hides stays hidden.
      if (other.mistakes.length === 0) other = found;
      continue;
    }
    const languages = translations !== undefined && has('i18n') ? list('i18n') : [];
    const trees = [
      ...folders.map((one) => ({ folder: one, language: null, prefix: found.prefixes?.get(one) ?? '' })),
      ...languages.map((language) => ({
        folder: `i18n/${language}/${translations}`,
        language,
        prefix: '',
      })),
    ];
    const existing = trees.filter((tree) => has(tree.folder));
    return {
      trees: existing,
      assets: assets.filter(has),
      pages: everyFile,
      ...project,
      generator: { name, mark },
      markup,
    };
  }
  const { folders: _, markup: __, ...project } = other;
  const trees = [{ folder: '', language: null, prefix: '' }];
  return { trees, assets: [], markup: commonMarkup, pages: everyFile, ...project, generator: null };
}

/** Folders of pages that exist, and what the configuration says of languages. */
interface ProjectPages
  extends Omit<PlainProject, 'generator' | 'trees' | 'assets' | 'markup' | 'pages'>,
    Partial<Pick<PlainProject, 'markup' | 'pages'>> {
  readonly folders: readonly string[];
  /** Folder of translations inside `i18n/<language>/`. */
  readonly translations?: string;
  /** What the paths of pages begin with, by folder. */
  readonly prefixes?: ReadonlyMap<string, string>;
}

function plainProject(folders: readonly string[], mistakes: readonly string[] = []): ProjectPages {
  return {
    folders,
    languages: [],
    disabled: new Set(),
    contentFolders: [],
    hiddenAs: () => null,
    problems: [],
    mistakes,
  };
}

function findFolder(folder: string, mark: string, has: (path: string) => boolean): ProjectPages {
  return has(folder)
    ? plainProject([folder])
    : plainProject([], [`${mark}: the folder ${folder} does not exist`]);
}

/** A Jekyll site. Jupyter Book has a `_config.yml`, too. */
function readJekyll(root: string, mark: string, has: (path: string) => boolean): ProjectPages {
  if (has('_toc.yml')) return plainProject([]);
  try {
    const { folders, markup, ...pages } = readJekyllProject(root, mark);
    const prefixes = new Map(folders.map(({ folder, prefix }) => [folder, prefix]));
    return { ...plainProject([...prefixes.keys()]), prefixes, markup, pages };
  } catch (error) {
    return plainProject([], [`${mark} cannot be read: ${messageOf(error)}`]);
  }
}

/**
 * Docusaurus lists the pages in `docs/`, or those of the version it serves at the root, and then looks for a translation of each, under the
 * same name with the same extension. So it does not see the translation of a page that was deleted or renamed.
 */
function readDocusaurusProject(root: string, mark: string, has: (path: string) => boolean): ProjectPages {
  let versions: DocusaurusVersions;
  try {
    versions = readDocusaurusVersions(root, mark, has);
  } catch (error) {
    return plainProject([], [messageOf(error)]);
  }
  const { folder, name, others } = versions;
  const start = `docusaurus-plugin-content-docs/${name}`;
  const hiddenAs = (path: string) => {
    const inside = /^i18n\/[^/]+\/(.+\.(?:mdx?|markdown|html?))$/i.exec(path)?.[1];
    if (inside === undefined || !inside.startsWith(`${start}/`)) return null;
    return has(folder + inside.slice(start.length)) ? null : 'no-source';
  };
  const problems =
    others.length === 0
      ? []
      : [problem('VERSION_IGNORED', `${folder} is published; these versions are not: ${others.join(', ')}`)];
  const config = readTextInside(root, mark);
  const plain = /\bemoji\s*:\s*false\b/.test(config) ? docusaurusMarkup : withEmoji(docusaurusMarkup);
  const markup = loadsMath(config) ? withDollars(plain) : plain;
  return { ...findFolder(folder, mark, has), hiddenAs, problems, translations: start, markup };
}

interface DocusaurusVersions {
  readonly folder: string;
  /** `current` or `version-2.0`. */
  readonly name: string;
  readonly others: readonly string[];
}

/** The version at the root: `lastVersion`, else the first of `versions.json`, else `docs/`. */
function readDocusaurusVersions(
  root: string,
  mark: string,
  has: (path: string) => boolean,
): DocusaurusVersions {
  if (!has('versions.json')) return { folder: 'docs', name: 'current', others: [] };
  const text = readTextInside(root, mark);
  const listed: unknown = JSON.parse(readTextInside(root, 'versions.json'));
  const all = (Array.isArray(listed) ? listed : []).filter((one): one is string => typeof one === 'string');
  const [, , literal, name] = /\blastVersion["']?\s*:\s*(?:(["'`])([^"'`$\n]+)\1|(\w+))/.exec(text) ?? [];
  const constant = new RegExp(`\\b(?:const|let|var)\\s+${name}\\s*=\\s*(["'\`])([^"'\`$\\n]+)\\1`);
  const last = literal ?? (name === undefined ? undefined : constant.exec(text)?.[2]) ?? all[0] ?? 'current';
  const folder = `versioned_docs/version-${last}`;
  const isVersion = last !== 'current' && /^[^/\\]+$/.test(last) && !last.includes('..') && has(folder);
  const chosen = isVersion ? last : 'current';
  const isCurrentPublished = !/\bincludeCurrentVersion["']?\s*:\s*false/.test(text);
  return {
    folder: isVersion ? folder : 'docs',
    name: isVersion ? `version-${last}` : 'current',
    others: [...(isCurrentPublished ? ['current'] : []), ...all].filter(
      (one) => one !== chosen && (one === 'current' || has(`versioned_docs/version-${one}`)),
    ),
  };
}

/** Starlight keeps its pages in one folder. */
function readStarlightProject(root: string, mark: string, has: (path: string) => boolean): ProjectPages {
  const isMath = loadsMath(readTextInside(root, mark));
  const markup = isMath ? withDollars(starlightMarkup) : starlightMarkup;
  return { ...findFolder('src/content/docs', mark, has), markup };
}

/** The pages of VitePress: the folder of `.vitepress/`, or its `srcDir`, without `srcExclude` where these are literal. */
function readVitePressProject(root: string, mark: string, has: (path: string) => boolean): ProjectPages {
  let text: string;
  try {
    text = readTextInside(root, mark);
  } catch (error) {
    return plainProject([], [messageOf(error)]);
  }
  const base = mark.startsWith('docs/') ? 'docs' : '';
  const [, , source = '.'] = /\bsrcDir\s*:\s*(['"`])([^'"`$]+)\1/.exec(text) ?? [];
  const folder = posix.join(base, normalizeFolder(source)).replace(/^\.$/, '');
  if (folder !== '' && isOutside(folder))
    return plainProject([], [`${mark}: ${folder} is read only if srcDir is a folder inside the project`]);
  const [, list = ''] = /\bsrcExclude\s*:\s*\[([^\]]*)\]/.exec(text) ?? [];
  const excluded = [...list.matchAll(/(['"`])([^'"`$]+)\1/g)].map(([, , glob = '']) => globRegex(glob));
  const start = folder === '' ? '' : `${folder}/`;
  const hiddenAs = (path: string) =>
    path.startsWith(start) && excluded.some((one) => one.test(path.slice(start.length))) ? 'private' : null;
  const isMath = /\bmath\s*:\s*true\b/.test(text);
  const plain = withEmoji(vitepressMarkup);
  const markup = isMath ? withDollars(plain) : plain;
  return { ...findFolder(folder, mark, has), markup, hiddenAs };
}

/** A path pattern with `*` and `**`. */
function globRegex(glob: string): RegExp {
  const source = glob
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*/g, (mark) => (mark === '**/' ? '(?:.*/)?' : mark === '**' ? '.*' : '[^/]*'));
  return new RegExp(`^${source}$`);
}

/** The `docs_dir` of a MkDocs project, and which files in it MkDocs does not publish. */
function readMkDocsProject(root: string, mark: string, has: (path: string) => boolean): ProjectPages {
  try {
    const settings = readMkDocsSettings(root, mark);
    const folder = normalizeFolder(settings.folder);
    if (isOutside(folder))
      return plainProject([], [`${mark}: ${folder} is read only if docs_dir is a folder inside the project`]);
    const hiddenAs = (path: string) =>
      path.startsWith(`${folder}/`) ? settings.hiddenAs(path.slice(folder.length + 1)) : null;
    const text = readTextInside(root, mark);
    const basic = createMkDocsMarkup(readMkDocsSyntax(root, mark, folder));
    const plain = /(?:^|[[,])\s*(?:-\s*)?["']?pymdownx\.emoji\b/m.test(text) ? withEmoji(basic) : basic;
    const isMath = /(?:^|[[,])\s*(?:-\s*)?["']?(?:pymdownx\.)?arithmatex\b/m.test(text);
    const markup: Markup = isMath ? { ...plain, math: ['dollars', 'brackets'] } : plain;
    return { ...findFolder(folder, mark, has), hiddenAs, markup };
  } catch (error) {
    return plainProject([], [messageOf(error)]);
  }
}

/** Folders and settings of Hugo. A `config.yml` without any of them is that of another tool. */
const hugoFolders = ['content', 'archetypes', 'layouts', 'themes'];
const hugoSettings = /baseURL|contentDir|languages/i;

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
function readHugoProject(root: string, _mark: string, has: (path: string) => boolean): ProjectPages {
  const isHugo = hugoMarks.some(has);
  const isLikelyHugo = isHugo || hugoFolders.some(has);
  const found = new Map<string, HugoLanguage>();
  let listed: readonly string[] = [];
  let common: string | null = null;
  const problems: Problem[] = [];
  const mistakes: string[] = [];
  const configs: unknown[] = [];
  for (const path of hugoFiles.filter(has)) {
    let text: string | null = null;
    try {
      text = readTextInside(root, path);
      const data = parseSettingsFile(text, path);
      configs.push(data);
      const languages = path.includes('/languages.') ? data : settingOf(data, 'languages');
      for (const [name, language] of entriesOf(languages)) {
        const before = found.get(keyOfLocale(name));
        const disabled = readBoolean(settingOf(language, 'disabled')) ?? before?.isDisabled ?? false;
        found.set(keyOfLocale(name), {
          name,
          // Any value except `false` may disable the language, so its pages are not published.
          isDisabled: disabled !== false,
          folder: folderSetting(language, 'contentDir') ?? before?.folder ?? null,
        });
      }
      if (languages !== data) common = folderSetting(data, 'contentDir') ?? common;
      for (const { folder, language } of readHugoMounts(data)) {
        if (language === null) common = folder;
        else {
          const before = found.get(keyOfLocale(language)) ?? { name: language, isDisabled: false };
          found.set(keyOfLocale(language), { ...before, folder });
        }
      }
      const names = settingOf(data, 'disableLanguages');
      if (typeof names === 'string') listed = names.split(/[\s,]+/);
      else if (names !== undefined) listed = entriesOf(names).map(([, name]) => String(name));
    } catch (error) {
      if (isLikelyHugo || text === null || hugoSettings.test(text))
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
    const isNamed = named.some((folder) => folder !== null);
    if (mistakes.length === 0 && (isHugo || isNamed)) mistakes.push(`the contentDir ${base} does not exist`);
  }
  return {
    ...(folders.length === 0 ? {} : readHugoPages(root, configs, folders)),
    folders,
    mistakes,
    languages: languages.map(({ name }) => name).filter((name) => isLanguageTag(name.replaceAll('_', '-'))),
    disabled,
    contentFolders,
    hiddenAs: () => null,
    problems,
  };
}

/**
 * The folders that `module.mounts` mounts as `content`, with their language. None if two of them are merged into one, because the whole
 * folder `content` is read then.
 */
function readHugoMounts(data: unknown): readonly Pick<ContentFolder, 'folder' | 'language'>[] {
  type Mount = Pick<ContentFolder, 'folder' | 'language'>;
  const given = entriesOf(settingOf(settingOf(data, 'module'), 'mounts'));
  const mounts = given.flatMap(([, mount]): readonly Mount[] => {
    const folder = folderSetting(mount, 'source');
    if (folder === null || folderSetting(mount, 'target') !== 'content') return [];
    const { lang } = Object.fromEntries(entriesOf(mount));
    const ofMatrix = settingOf(settingOf(settingOf(mount, 'sites'), 'matrix'), 'languages');
    const named = [lang ?? ofMatrix].flat().filter((one): one is string => typeof one === 'string');
    return named.length === 0
      ? [{ folder, language: null }]
      : named.map((language) => ({ folder, language }));
  });
  const names = mounts.map(({ language }) => language);
  return new Set(names).size === names.length ? mounts : [];
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

/** A folder in the settings: `./content/de/` and `content\de` are `content/de`. */
function folderSetting(settings: unknown, name: string): string | null {
  const folder = settingOf(settings, name);
  return typeof folder === 'string' ? normalizeFolder(folder) : null;
}

function normalizeFolder(folder: string): string {
  return posix.join(folder.replaceAll('\\', '/'), '.').replace(/\/$/, '');
}

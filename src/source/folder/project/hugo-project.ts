import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isLanguageTag } from '../../../core/language.ts';
import { type Problem, problem } from '../../../core/problems.ts';
import { entriesOf, readBoolean, settingOf } from '../front-matter.ts';
import { keyOfLocale } from '../locales.ts';
import { withEmoji } from '../markup/emoji.ts';
import { createHugoMarkup } from '../markup/hugo.ts';
import type { MathMarks } from '../markup/rules.ts';
import { fieldsOf, hugoFiles, hugoSetting, type ProjectConfig } from './config.ts';
import { isOutside, normalizeFolder, type ProjectPages } from './project-pages.ts';

/** Folders and settings of Hugo. A `config.yml` without any of them is that of another tool. */
const hugoFolders = ['content', 'archetypes', 'layouts', 'themes'];
const hugoSettings = /baseURL|contentDir|languages/i;

/** A folder of a language, or of several. */
type LanguageFolder = ProjectPages['contentFolders'][number];

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
export function readHugoProject(config: ProjectConfig, has: (path: string) => boolean): ProjectPages {
  const isHugo = hugoFiles.some(has);
  const isLikelyHugo = isHugo || hugoFolders.some(has);
  const mistakes = config.unread
    .filter(({ text }) => isLikelyHugo || text === null || hugoSettings.test(text))
    .map(({ message }) => message);
  const problems: Problem[] = [];
  const found = new Map<string, HugoLanguage>();
  for (const [name, language] of entriesOf(hugoSetting(config, 'languages'))) {
    const before = found.get(keyOfLocale(name));
    const disabled = readBoolean(settingOf(language, 'disabled')) ?? before?.isDisabled ?? false;
    found.set(keyOfLocale(name), {
      name,
      // Any value except `false` may disable the language, so its pages are not published.
      isDisabled: disabled !== false,
      folder: folderSetting(language, 'contentDir') ?? before?.folder ?? null,
    });
  }
  let common = folderSetting(config.all, 'contentDir');
  for (const { folder, language } of readHugoMounts(config.all)) {
    if (language === null) common = folder;
    else {
      const before = found.get(keyOfLocale(language)) ?? { name: language, isDisabled: false };
      found.set(keyOfLocale(language), { ...before, folder });
    }
  }
  const names = hugoSetting(config, 'disableLanguages');
  const listed =
    typeof names === 'string' ? names.split(/[\s,]+/) : entriesOf(names).map(([, name]) => String(name));
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
    ...(folders.length === 0 ? {} : readHugoPages(config, folders)),
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
function readHugoMounts(data: unknown): readonly Pick<LanguageFolder, 'folder' | 'language'>[] {
  type Mount = Pick<LanguageFolder, 'folder' | 'language'>;
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
): readonly LanguageFolder[] {
  const folders = new Map<string, LanguageFolder>();
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

/** A folder in the settings: `./content/de/` and `content\de` are `content/de`. */
function folderSetting(settings: unknown, name: string): string | null {
  const folder = settingOf(settings, name);
  return typeof folder === 'string' ? normalizeFolder(folder) : null;
}

/** The syntax of the pages, the `cascade` of the site, and which files are pages. */
function readHugoPages(
  config: ProjectConfig,
  folders: readonly string[],
): Pick<ProjectPages, 'markup' | 'pages'> {
  const setting = (...path: readonly string[]): unknown =>
    path.reduce<unknown>((value, name) => settingOf(value, name), config.all);
  const params = fieldsOf(hugoSetting(config, 'params'));
  const known = new Map<string, boolean>();
  const hasIndex = (folder: string): boolean => {
    const found =
      known.get(folder) ?? bundlePages.some((name) => existsSync(join(config.root, folder, name)));
    known.set(folder, found);
    return found;
  };
  const hasBlockAttributes = setting('markup', 'goldmark', 'parser', 'attribute', 'block') === true;
  const passthrough = ['markup', 'goldmark', 'extensions', 'passthrough'];
  const delimiters = JSON.stringify(setting(...passthrough, 'delimiters') ?? []);
  const isMath = setting(...passthrough, 'enable') === true;
  const math: MathMarks[] = [
    ...(isMath && delimiters.includes('$') ? (['dollars'] as const) : []),
    ...(isMath && delimiters.includes('\\\\') ? (['brackets'] as const) : []),
  ];
  const markup = createHugoMarkup({ params, hasBlockAttributes, math });
  return {
    markup: setting('enableEmoji') === true ? withEmoji(markup) : markup,
    pages: {
      ignores: (path) => folders.some((folder) => isResource(folder, path, hasIndex)),
      needsFrontMatter: false,
      fieldsOf: () => ({}),
      pathOf: null,
      cascade: [hugoSetting(config, 'cascade') ?? []].flat(),
    },
  };
}

const bundle = /^index(?:\.[A-Za-z-]+)?\.(?:mdx?|markdown|html?)$/;
const bundlePages = ['index.md', 'index.markdown', 'index.html'];

/** Whether a file belongs to a page bundle: below a folder with an `index.md`, only this and its translations are pages. */
function isResource(tree: string, path: string, hasIndex: (folder: string) => boolean): boolean {
  if (!path.startsWith(`${tree}/`)) return false;
  let folder = posix.dirname(path);
  if (folder === tree || (bundle.test(posix.basename(path)) && hasIndex(folder)))
    folder = posix.dirname(folder);
  for (; folder.length > tree.length; folder = posix.dirname(folder)) if (hasIndex(folder)) return true;
  return false;
}

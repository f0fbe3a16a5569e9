import { posix } from 'node:path';
import { languageKey } from '../../../core/language.ts';
import type { Page } from '../plain/load-pages.ts';
import { dateField, textField } from '../plain/page-fields.ts';
import {
  docusaurusDocs,
  fieldsOf,
  hugoSetting,
  listOf,
  type MkDocsBlog,
  mkdocsPlugin,
  type ProjectConfig,
  readBlog,
  textOf,
} from './config.ts';

/** What the path of a page depends on. */
type PathFacts = Pick<
  Page,
  'data' | 'path' | 'pathInTree' | 'key' | 'folder' | 'name' | 'language' | 'isIndex' | 'title'
>;

/** The path of a page on the site of its generator, and further paths that lead to it. */
export interface PagePaths {
  readonly path: string;
  readonly aliases: readonly string[];
}

/** The paths of a project's own site, decoded, without slash at the start. */
export interface SitePaths {
  /** The path of a page; a slash at its end and `.html` are as the generator writes them. */
  pathOf(page: PathFacts): string;
  /** The path of a folder in the default language. */
  folderPath(folder: string): string;
  /** Former paths in its front matter. */
  aliasesOf(page: PathFacts): readonly string[];
  /** The paths of languages without a translation, at which the generator shows a page of the default language. */
  fallbacksOf(path: string, translated: ReadonlySet<string>): readonly string[];
  /** Paths that the configuration redirects. */
  readonly redirects: readonly { readonly from: string; readonly to: string }[];
}

type PathOf = (page: PathFacts) => string;

/**
 * @param defaultLanguage its pages have no folder of a language, even if their files do, except where folders are paths
 * @param routeOf the path of a page of Jekyll by its own rules, which need the collections
 */
export function createSitePaths(
  config: ProjectConfig | null,
  defaultLanguage: string,
  routeOf: ((page: PathFacts) => string) | null,
): SitePaths {
  const make = config === null ? plainPath : (routeOf ?? makers[config.generator](config));
  const isDefault = (language: string): boolean => languageKey(language) === languageKey(defaultLanguage);
  const pathOf: PathOf = (page) =>
    config !== null && page.language !== null && isDefault(page.language)
      ? make({ ...page, language: null })
      : make(page);
  return {
    pathOf: (page) => clean(pathOf(page)),
    folderPath: (folder) => {
      const key = `${folder}/index`;
      const place = { path: `${key}.md`, pathInTree: `${key}.md`, key, folder, name: 'index' };
      return clean(pathOf({ ...place, data: {}, language: null, isIndex: true, title: null }));
    },
    aliasesOf: (page) => readAliases(page, config),
    fallbacksOf: (path, translated) => {
      const own = `${defaultLanguage}/`;
      const rest = path.startsWith(own) ? path.slice(own.length) : path;
      return fallbackLanguages(config)
        .filter((one) => !isDefault(one) && !translated.has(languageKey(one)))
        .map((one) => `${one}/${rest}`);
    },
    redirects:
      config === null ? [] : readRedirects(config).map(({ from, to }) => ({ from: clean(from), to })),
  };
}

/** Languages in which the generator shows the original of a page that has no translation, by their folders. */
function fallbackLanguages(config: ProjectConfig | null): readonly string[] {
  if (config?.generator === 'starlight')
    return Object.keys(fieldsOf(config.options.locales)).filter((one) => one !== 'root');
  if (config?.generator === 'docusaurus')
    return listOf(fieldsOf(config.all.i18n).locales).flatMap((one) => textOf(one) ?? []);
  if (config?.generator !== 'mkdocs') return [];
  const { fallback_to_default: falls, languages } = mkdocsPlugin(config, 'i18n') ?? {};
  return falls === false
    ? []
    : listOf(languages).flatMap((one) =>
        fieldsOf(one).build === false ? [] : (textOf(fieldsOf(one).locale) ?? []),
      );
}

const makers: Readonly<Record<ProjectConfig['generator'], (config: ProjectConfig) => PathOf>> = {
  docusaurus: docusaurusPaths,
  starlight: () => starlightPath,
  vitepress: vitepressPaths,
  mkdocs: mkdocsPaths,
  hugo: hugoPaths,
  jekyll: () => plainPath,
};

function clean(path: string): string {
  return path
    .replace(/\/{2,}/g, '/')
    .replace(/^\/+/, '')
    .normalize('NFC');
}

/** A folder without a generator: the path of the file. */
function plainPath({ key, folder, language, isIndex }: PathFacts): string {
  return `${prefixOf(language)}${isIndex ? folder : key}`;
}

function prefixOf(language: string | null): string {
  return language === null ? '' : `${language}/`;
}

/** See getSlug and numberPrefix of @docusaurus/plugin-content-docs. */
function docusaurusPaths(config: ProjectConfig): PathOf {
  const docs = docusaurusDocs(config);
  const base = textOf(docs.routeBasePath) ?? 'docs';
  const strip = (part: string): string =>
    docs.numberPrefixParser === false || /^\d{4}-\d\d-\d\d|^\d+[-_.]\d+/.test(part)
      ? part
      : part.replace(/^\d+\s*[-_.]+\s*(?=[^-_.\s])/, '');
  return ({ data, folder, name, language, isIndex }) => {
    const parts = folder.split('/').filter(Boolean).map(strip);
    const slug = textField(data, 'slug');
    const own = textField(data, 'id') ?? strip(name);
    const isFolder = isIndex || name.toLowerCase() === posix.basename(folder).toLowerCase();
    const inside =
      slug?.startsWith('/') === true
        ? slug
        : posix.join('/', ...parts, ...(slug === null ? (isFolder ? [] : [own]) : [slug]));
    return `${prefixOf(language)}${base}/${inside}`.replace(/(?<=.)\/+$/, '');
  };
}

/** The path that Astro's content collections give a file: the slug of GitHub for each part. */
function starlightPath({ data, pathInTree }: PathFacts): string {
  const slug = textField(data, 'slug');
  const path = pathInTree
    .replace(/\.[^./]+$/, '')
    .split('/')
    .map((part) =>
      part
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
        .replaceAll(' ', '-'),
    )
    .join('/')
    .replace(/(?:^|\/)index$/, '');
  return `${slug ?? path}/`;
}

function vitepressPaths({ all }: ProjectConfig): PathOf {
  const isClean = all.cleanUrls === true;
  const rewrites = Object.entries(fieldsOf(all.rewrites)).flatMap(([from, to]) =>
    typeof to === 'string' ? [{ pattern: rewritePattern(from), to }] : [],
  );
  return ({ pathInTree }) => {
    let path = pathInTree;
    for (const { pattern, to } of rewrites) {
      const groups = pattern.exec(pathInTree)?.groups;
      if (groups === undefined) continue;
      path = to.replace(/:(\w+)[*+?]?/g, (_all, name: string) => groups[name] ?? '');
      break;
    }
    const stem = path.replace(/\.[^./]+$/, '');
    if (/(?:^|\/)index$/.test(stem)) return stem.replace(/index$/, '');
    return isClean ? stem : `${stem}.html`;
  };
}

/** A path of path-to-regexp: `en/:rest*`. */
function rewritePattern(from: string): RegExp {
  const source = from
    .split(/(:\w+(?:\([^()]*\))?[*+?]?)/)
    .map((piece, at) => {
      if (at % 2 === 0) return piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
      const [, name = '', sign = ''] = /^:(\w+)(?:\([^()]*\))?([*+?]?)$/.exec(piece) ?? [];
      return `(?<${name}>${sign === '*' ? '.*' : sign === '+' ? '.+' : '[^/]+'})`;
    })
    .join('');
  return new RegExp(`^${source}()$`);
}

function mkdocsPaths(config: ProjectConfig): PathOf {
  const hasFolders = config.all.use_directory_urls !== false;
  const isTranslated = mkdocsPlugin(config, 'i18n') !== null;
  const blog = readBlog(config);
  return (page) => {
    const { key, folder, name, language, isIndex, pathInTree } = page;
    const post = blog && pathOfPost(page, blog);
    if (post !== null) return `${post}${hasFolders ? '/' : '.html'}`;
    const inFolder = isTranslated ? prefixOf(language) : '';
    const stem = isTranslated ? key : pathInTree.replace(/\.[^./]+$/, '');
    const ofFolder = isTranslated ? folder : posix.dirname(stem).replace(/^\.$/, '');
    if (isIndex && name.toLowerCase() !== '_index')
      return `${inFolder}${ofFolder}${ofFolder === '' ? '' : '/'}${hasFolders ? '' : 'index.html'}`;
    return `${inFolder}${stem}${hasFolders ? '/' : '.html'}`;
  };
}

/** The path of a post of the blog plugin; `null` for other pages. */
function pathOfPost({ data, pathInTree, name, title }: PathFacts, blog: MkDocsBlog): string | null {
  if (!pathInTree.startsWith(`${blog.posts}/`)) return null;
  const [date = ''] = (dateField(data, 'date') ?? '').split('T');
  const [year = '', month = '', day = ''] = date.split('-');
  const shown = blog.dateFormat
    .replace('yyyy', year)
    .replace(/MM/, month)
    .replace('dd', day)
    .replace('yy', year.slice(2));
  const places: Readonly<Record<string, string>> = {
    date: shown,
    slug: textField(data, 'slug') ?? slugOfTitle(title ?? name),
    file: name,
    categories: [data.categories]
      .flat()
      .slice(0, 1)
      .map((one) => slugOfTitle(String(one ?? '')))
      .join(''),
  };
  return posix.join(
    blog.folder,
    blog.format.replace(/\{(\w+)\}/g, (_all, place: string) => places[place] ?? ''),
  );
}

/** See pymdownx.slugs, in lower case. */
function slugOfTitle(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

function hugoPaths(config: ProjectConfig): PathOf {
  const isUgly = hugoSetting(config, 'uglyURLs') === true;
  const keepsCase = hugoSetting(config, 'disablePathToLower') === true;
  const permalinks = fieldsOf(hugoSetting(config, 'permalinks'));
  const ofPages = { ...permalinks, ...fieldsOf(permalinks.page) };
  const inSubfolder = hugoSetting(config, 'defaultContentLanguageInSubdir') === true;
  const main = textOf(hugoSetting(config, 'defaultContentLanguage')) ?? 'en';
  const lower = (path: string): string =>
    (keepsCase ? path : path.toLowerCase())
      .replace(/\s+/g, '-')
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}/+~.-]/gu, '');
  return ({ data, folder, name, language, isIndex }) => {
    const prefix = language === null ? (inSubfolder ? `${main}/` : '') : `${language.toLowerCase()}/`;
    const url = textField(data, 'url');
    if (url !== null) return url.startsWith('/') ? url : `${prefix}${url}`;
    const own = isIndex ? posix.basename(folder) : name;
    const parent = isIndex ? posix.dirname(`/${folder}`).slice(1) : folder;
    const slug = textField(data, 'slug');
    const pattern = textOf(ofPages[parent.split('/')[0] ?? '']);
    if (pattern !== null && name !== '_index') {
      const [year = '', month = '', day = ''] = String(data.date ?? '')
        .slice(0, 10)
        .split('-');
      const title = lower(textField(data, 'title') ?? own);
      const tokens: Readonly<Record<string, string>> = {
        year,
        month,
        day,
        title,
        section: parent.split('/')[0] ?? '',
        sections: parent,
        slug: slug ?? title,
        filename: own,
        contentbasename: own,
        slugorfilename: slug ?? own,
        slugorcontentbasename: slug ?? own,
      };
      return `${prefix}${lower(pattern.replace(/:(\w+)/g, (all, token: string) => tokens[token] ?? all))}`;
    }
    const path = lower(posix.join(parent, slug !== null && name !== '_index' ? slug : own));
    if (path === '' || path === '.') return prefix;
    return `${prefix}${path}${isUgly && !isIndex ? '.html' : '/'}`;
  };
}

/** `aliases` of Hugo and `redirect_from` of Jekyll; paths without slash are relative to the folder of the page. */
function readAliases({ data, folder, language }: PathFacts, config: ProjectConfig | null): readonly string[] {
  const given = [data.aliases, data.redirect_from].flat();
  const prefix = config?.generator === 'hugo' ? prefixOf(language) : '';
  return given.flatMap((one) => {
    if (typeof one !== 'string' || one.trim() === '' || /^[a-z]+:/i.test(one)) return [];
    const path = one.trim().replace(/[?#].*$/, '');
    return [clean(path.startsWith('/') ? path : posix.join(prefix, folder, path))];
  });
}

function readRedirects(config: ProjectConfig): readonly { readonly from: string; readonly to: string }[] {
  if (config.generator === 'mkdocs') {
    const maps = fieldsOf(mkdocsPlugin(config, 'redirects')?.redirect_maps);
    const end = config.all.use_directory_urls === false ? '.html' : '/';
    const pathOf = (file: string) =>
      file.replace(/(^|\/)(?:index|README)\.md(?=#|$)/, '$1').replace(/\.md(?=#|$)/, end);
    return Object.entries(maps).flatMap(([from, to]) =>
      typeof to === 'string' ? [{ from: pathOf(from), to: /^https?:/.test(to) ? to : pathOf(to) }] : [],
    );
  }
  if (config.generator === 'docusaurus') {
    const plugin = listOf(config.all.plugins).find((one) =>
      String(listOf(one)[0]).endsWith('plugin-client-redirects'),
    );
    return listOf(fieldsOf(listOf(plugin)[1]).redirects).flatMap((one) => {
      const { from, to } = fieldsOf(one);
      return [from]
        .flat()
        .flatMap((path) => (typeof path === 'string' && typeof to === 'string' ? [{ from: path, to }] : []));
    });
  }
  if (config.generator !== 'starlight') return [];
  return Object.entries(fieldsOf(config.all.redirects)).flatMap(([from, to]) => {
    const target = textOf(to) ?? textOf(fieldsOf(to).destination);
    return target === null ? [] : [{ from, to: target }];
  });
}

import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseUrl } from '../../../core/addresses.ts';
import { isLanguageTag } from '../../../core/language.ts';
import { entriesOf } from '../front-matter.ts';
import {
  docusaurusDocs,
  fieldsOf,
  hugoSetting,
  listOf,
  mkdocsPlugin,
  type ProjectConfig,
  readConfigs,
  textOf,
} from './config.ts';

/** What the configuration of a project says about its site; `null` for what it does not say as data. */
export interface ProjectFacts {
  readonly title: string | null;
  readonly siteUrl: string | null;
  /** The folder of files that the generator publishes unchanged. */
  readonly publicFolder: string | null;
  /** URL path of the logo, a file in that folder. */
  readonly logo: string | null;
  /** URL of the folder of the project in an editor of its repository, with a slash at the end. */
  readonly editBase: string | null;
  readonly defaultLanguage: string | null;
  /** `null`: one language. */
  readonly languages: readonly string[] | null;
  /** URL of the repository. */
  readonly repository: string | null;
}

/** Reads what a new project can take over from the site generator of a folder; `null` without a generator. */
export function readProjectFacts(root: string): ProjectFacts | null {
  const [config] = readConfigs(root);
  if (config === undefined) return null;
  const {
    siteUrl,
    languages = [],
    defaultLanguage,
    publicFolder = null,
    logo = null,
    repository,
    edit,
    ...facts
  } = readers[config.generator](config);
  const tags = [...new Set(languages.map(folderTag).filter(isLanguageTag))];
  const main = textOf(defaultLanguage);
  const isPublished =
    publicFolder !== null &&
    !/^(?:\/|\.\.(?:\/|$))/.test(publicFolder) &&
    existsSync(join(root, publicFolder));
  const hasLogo = isPublished && logo !== null && existsSync(join(root, publicFolder, logo));
  return {
    title: textOf(facts.title),
    siteUrl: urlOf(siteUrl),
    publicFolder: isPublished ? publicFolder : null,
    logo: hasLogo ? posix.join('/', logo) : null,
    editBase: urlOf(edit)?.replace(/\/*$/, '/') ?? null,
    defaultLanguage: main === null || !isLanguageTag(folderTag(main)) ? null : folderTag(main),
    languages: tags.length > 1 ? tags : null,
    repository: urlOf(repository)?.replace(/(?:\.git)?\/*$/, '') ?? null,
  };
}

interface RawFacts {
  readonly title: unknown;
  readonly siteUrl: unknown;
  readonly defaultLanguage?: unknown;
  readonly languages?: readonly string[];
  readonly publicFolder?: string;
  /** Relative to the public folder. */
  readonly logo?: string | null;
  readonly repository?: unknown;
  /** URL to edit a file, without its path in the project. */
  readonly edit?: unknown;
}

const readers: Readonly<Record<ProjectConfig['generator'], (config: ProjectConfig) => RawFacts>> = {
  docusaurus(config) {
    const { title, url, baseUrl, i18n, themeConfig, organizationName, projectName } = config.all;
    const { locales, defaultLocale } = fieldsOf(i18n);
    const { src } = fieldsOf(fieldsOf(fieldsOf(themeConfig).navbar).logo);
    const owner = textOf(organizationName);
    const name = textOf(projectName);
    return {
      title,
      siteUrl: joinUrl(url, baseUrl),
      defaultLanguage: defaultLocale,
      languages: texts(locales),
      publicFolder: 'static',
      logo: textOf(src),
      repository: owner === null || name === null ? null : `https://github.com/${owner}/${name}`,
      edit: docusaurusDocs(config).editUrl,
    };
  },
  starlight({ all, options }) {
    const { title, locales, defaultLocale, logo, editLink, social } = options;
    const { root } = fieldsOf(locales);
    const main = textOf(fieldsOf(root).lang) ?? textOf(defaultLocale);
    const src = textOf(fieldsOf(logo).src) ?? textOf(fieldsOf(logo).light);
    return {
      title: textOf(title) ?? textOf(fieldsOf(title)[main ?? 'en']),
      siteUrl: joinUrl(all.site, all.base),
      defaultLanguage: main,
      languages: localeNames(locales, main),
      publicFolder: 'public',
      logo: src?.includes('public/') ? src.replace(/^.*?public\//, '') : null,
      repository: repositoryIn(social),
      edit: fieldsOf(editLink).baseUrl,
    };
  },
  vitepress({ all, file }) {
    const { title, lang, base, sitemap, locales, themeConfig } = all;
    const { logo, editLink, socialLinks } = fieldsOf(themeConfig);
    const main = textOf(fieldsOf(fieldsOf(locales).root).lang) ?? textOf(lang);
    const src = textOf(logo) ?? textOf(fieldsOf(logo).src);
    return {
      title,
      siteUrl: joinUrl(fieldsOf(sitemap).hostname, base),
      defaultLanguage: main,
      languages: localeNames(locales, main),
      publicFolder: file.startsWith('docs/') ? 'docs/public' : 'public',
      logo: src,
      repository: repositoryIn(socialLinks),
      edit: textOf(fieldsOf(editLink).pattern)?.replace(/:path.*$/, ''),
    };
  },
  mkdocs(config) {
    const {
      site_name: title,
      site_url: siteUrl,
      repo_url: repository,
      edit_uri: edit,
      theme,
      docs_dir: docs,
    } = config.all;
    const i18n = listOf(mkdocsPlugin(config, 'i18n')?.languages).map(fieldsOf);
    const main = i18n.find((one) => one.default === true)?.locale ?? fieldsOf(theme).language;
    const folder = `${textOf(docs) ?? 'docs'}/`;
    const base = textOf(repository)?.replace(/\/*$/, '/');
    const inRepository = textOf(edit);
    const isFolder = inRepository?.replace(/\/*$/, '/').endsWith(folder) === true;
    return {
      title,
      siteUrl,
      defaultLanguage: main,
      languages: i18n.flatMap(({ locale }) => textOf(locale) ?? []),
      repository,
      edit:
        base !== undefined && inRepository !== null && isFolder
          ? `${/^https?:/.test(inRepository) ? '' : base}${inRepository.replace(/\/*$/, '/').slice(0, -folder.length)}`
          : null,
    };
  },
  hugo(config) {
    const languages = entriesOf(hugoSetting(config, 'languages')).map(([name]) => name);
    const params = fieldsOf(hugoSetting(config, 'params'));
    return {
      title: hugoSetting(config, 'title'),
      siteUrl: hugoSetting(config, 'baseURL'),
      defaultLanguage: hugoSetting(config, 'defaultContentLanguage') ?? languages[0],
      languages,
      publicFolder: textOf(hugoSetting(config, 'staticDir')) ?? 'static',
      logo: textOf(params.logo),
      repository: params.github_repo ?? params.ghrepo ?? params.repo,
    };
  },
  jekyll({ all }) {
    const repository = textOf(all.repository);
    return {
      title: textOf(all.title) ?? all.name,
      siteUrl: joinUrl(all.url, all.baseurl),
      defaultLanguage: all.lang ?? all.locale,
      repository:
        repository === null || repository.includes(':') ? repository : `https://github.com/${repository}`,
    };
  },
};

/** Languages by the names of their folders; that of the root is the default language. */
function localeNames(locales: unknown, main: string | null): readonly string[] {
  return entriesOf(locales).flatMap(([name]) => (name === 'root' ? (main ?? []) : name));
}

/** `en-US` is `en`, as pages and folders name it; regions of languages with several written forms stay. */
function folderTag(language: string): string {
  const tag = language.replaceAll('_', '-');
  return /^en-[A-Z]{2}$/.test(tag) ? 'en' : tag;
}

function texts(value: unknown): readonly string[] {
  return listOf(value).filter((one): one is string => typeof one === 'string');
}

function joinUrl(url: unknown, base: unknown): string | null {
  const origin = textOf(url);
  return origin === null ? null : origin.replace(/\/+$/, '') + posix.join('/', textOf(base) ?? '');
}

/** A complete https or http URL, without slash at the end; `null` for others. */
function urlOf(value: unknown): string | null {
  const text = textOf(value);
  if (text === null || !/^https?:\/\/[^\s"'<>{}]+$/.test(text) || parseUrl(text) === null) return null;
  return text.replace(/\/+$/, '');
}

/** The repository among the links of a theme. */
function repositoryIn(links: unknown): string | null {
  for (const one of listOf(links)) {
    const { icon, href, link } = fieldsOf(one);
    const url = textOf(href) ?? textOf(link);
    if ((icon === 'github' || icon === 'gitlab') && url !== null) return url;
  }
  return textOf(fieldsOf(links).github);
}

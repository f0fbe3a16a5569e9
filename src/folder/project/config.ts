import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { UnknownRecord } from '../../foundation/unknown-record.ts';
import { parseYaml } from '../../foundation/yaml.ts';
import { entriesOf, parseSettingsFile, settingOf } from '../front-matter.ts';
import { readTextInside } from '../safe-files.ts';
import { CallData, notData, readLiteralData } from './literal-data.ts';

/** Site generators whose projects are read. */
export type Generator = 'docusaurus' | 'starlight' | 'hugo' | 'mkdocs' | 'vitepress' | 'jekyll';

/** A project of a site generator, and what its configuration says as data. */
export interface ProjectConfig {
  readonly generator: Generator;
  /** The file of the configuration, relative to the root. */
  readonly mark: string;
  /** Options of the generator itself: those of `starlight()` in Astro. */
  readonly options: UnknownRecord;
  /** The whole configuration. */
  readonly all: UnknownRecord;
}

/**
 * Reads the configuration of a generator as far as it is data; without code, tags and what cannot be parsed. The build itself refuses a
 * configuration that may hide pages.
 */
export function readProjectConfig(root: string, generator: Generator, mark: string): ProjectConfig {
  const all = attempt(() => readers[generator](root, mark));
  return { generator, mark, all, options: generator === 'starlight' ? starlightOptions(all) : all };
}

/**
 * Hash of everything in the configuration that may change how a page is read: its data, also from files that it includes, and its text, in
 * which readers look for plugins.
 */
export function hashProjectConfig(root: string, { mark, all }: ProjectConfig): string {
  let text = '';
  try {
    text = readTextInside(root, mark);
  } catch {
    // A folder of files, whose data is known.
  }
  return hash('sha256', JSON.stringify([all, text]));
}

const readers: Readonly<Record<Generator, (root: string, mark: string) => unknown>> = {
  docusaurus: readLiteralData,
  starlight: readLiteralData,
  vitepress: readLiteralData,
  mkdocs: readMkDocs,
  hugo: readHugo,
  jekyll: (root, mark) => parseYaml(readTextInside(root, mark).replace(/^\uFEFF/, ''), () => {}),
};

/** Returns an object whatever happens. */
function attempt(read: () => unknown): UnknownRecord {
  try {
    return fieldsOf(read());
  } catch {
    return {};
  }
}

/** The fields of an object; none of other values. */
export function fieldsOf(value: unknown): UnknownRecord {
  const isFields = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isFields && !(value instanceof CallData) ? (value as UnknownRecord) : {};
}

/** The elements of a list; none of other values. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.filter((one) => one !== notData) : [];
}

/** A text that is not empty, else `null`. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Tags of Python and of the environment are not read: the value after them is. */
function readMkDocs(root: string, mark: string, level = 0): UnknownRecord {
  const text = readTextInside(root, mark).replace(/^\uFEFF/, '');
  const own = fieldsOf(parseYaml(text.replace(/(?<=[:[,-][ \t]+)!{1,2}[\w/.:-]+/g, ''), () => {}));
  const base = textOf(own.INHERIT);
  return base === null || level > 5
    ? own
    : { ...readMkDocs(root, join(mark, '..', base), level + 1), ...own };
}

const hugoNames = ['hugo', 'config'].flatMap((name) =>
  ['toml', 'yaml', 'yml', 'json'].map((extension) => `${name}.${extension}`),
);

/** The configuration file, and those of `config/_default/`, which may be one per setting. */
function readHugo(root: string): UnknownRecord {
  const merged: Record<string, unknown> = {};
  for (const folder of ['', 'config/_default/']) {
    const name = hugoNames.find((one) => existsSync(join(root, folder + one)));
    if (name !== undefined)
      Object.assign(merged, parseSettingsFile(readTextInside(root, folder + name), name));
  }
  for (const name of ['permalinks', 'menus', 'languages', 'params']) {
    for (const extension of ['toml', 'yaml', 'yml', 'json']) {
      const path = `config/_default/${name}.${extension}`;
      if (existsSync(join(root, path))) merged[name] = parseSettingsFile(readTextInside(root, path), path);
    }
  }
  return merged;
}

function starlightOptions(all: UnknownRecord): UnknownRecord {
  const call = listOf(all.integrations).find((one) => one instanceof CallData && one.name === 'starlight');
  return call instanceof CallData ? fieldsOf(call.args[0]) : {};
}

/** Options of the pages of Docusaurus: of the preset, else of the plugin without an id. */
export function docusaurusDocs({ all }: ProjectConfig): UnknownRecord {
  for (const preset of listOf(all.presets)) {
    const { docs } = fieldsOf(listOf(preset)[1]);
    if (docs !== undefined) return fieldsOf(docs);
  }
  for (const plugin of listOf(all.plugins)) {
    const [name, options] = listOf(plugin);
    if (String(name).endsWith('plugin-content-docs') && fieldsOf(options).id === undefined)
      return fieldsOf(options);
  }
  return {};
}

/** Options of a plugin of MkDocs; `null` if it is not used. */
export function mkdocsPlugin({ all }: ProjectConfig, name: string): UnknownRecord | null {
  return optionsOf(all.plugins, name);
}

/** Options of a Markdown extension of MkDocs; `null` if it is not used. */
export function mkdocsExtension({ all }: ProjectConfig, name: string): UnknownRecord | null {
  return optionsOf(all.markdown_extensions, name);
}

/** Options in a list of names and of objects `{ name: options }`, or in one object; `null` if the name is not there. */
function optionsOf(given: unknown, name: string): UnknownRecord | null {
  const all = Array.isArray(given) ? given : entriesOf(given).map(([key, value]) => ({ [key]: value }));
  for (const one of all) {
    if (one === name) return {};
    const options = entriesOf(one).find(([key]) => key === name);
    if (options !== undefined) return fieldsOf(options[1]);
  }
  return null;
}

/** Where the blog plugin of Material for MkDocs has its posts; folders are relative to that of the pages. */
export interface MkDocsBlog {
  readonly folder: string;
  readonly posts: string;
  /** `{date}/{slug}` */
  readonly format: string;
  /** `yyyy/MM/dd` */
  readonly dateFormat: string;
}

/** The blog of a MkDocs project; `null` without the plugin. */
export function readBlog(config: ProjectConfig): MkDocsBlog | null {
  const options = mkdocsPlugin(config, 'blog') ?? mkdocsPlugin(config, 'material/blog');
  if (options === null) return null;
  const folder = (textOf(options.blog_dir) ?? 'blog').replace(/^\.?\/|\/$/g, '').replace(/^\.$/, '');
  const posts = (textOf(options.post_dir) ?? '{blog}/posts').replace('{blog}', folder);
  return {
    folder,
    posts: posts.replace(/^\/|\/$/g, ''),
    format: textOf(options.post_url_format) ?? '{date}/{slug}',
    dateFormat: textOf(options.post_url_date_format) ?? 'yyyy/MM/dd',
  };
}

/** A setting of Hugo; case does not count. */
export function hugoSetting({ all }: ProjectConfig, name: string): unknown {
  return settingOf(all, name);
}

import { hash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { LecternError, LineError, messageOf } from '../../../core/errors.ts';
import type { UnknownRecord } from '../../../core/unknown-record.ts';
import { parseYaml } from '../../../core/yaml.ts';
import { entriesOf, parseSettingsFile, settingOf } from '../front-matter.ts';
import { readTextInside } from '../safe-files.ts';
import { CallData, notData, readLiteralData } from './literal-data.ts';

/** Site generators whose projects are read. */
type Generator = 'docusaurus' | 'starlight' | 'hugo' | 'mkdocs' | 'vitepress' | 'jekyll';

/** Files of Hugo alone; projects of other tools have a `config.yml` too. */
export const hugoFiles = ['hugo.toml', 'hugo.yaml', 'hugo.yml', 'hugo.json', 'config/_default'];

/** The files by which generators are recognised. */
const configFiles: Readonly<Record<Generator, readonly string[]>> = {
  docusaurus: ['js', 'ts', 'mjs', 'cjs'].map((extension) => `docusaurus.config.${extension}`),
  starlight: ['mjs', 'js', 'ts', 'mts'].map((extension) => `astro.config.${extension}`),
  hugo: [...hugoFiles, 'config.toml', 'config.yaml', 'config.yml', 'config.json'],
  mkdocs: ['mkdocs.yml', 'mkdocs.yaml'],
  vitepress: ['', 'docs/'].flatMap((folder) =>
    ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'].map((extension) => `${folder}.vitepress/config.${extension}`),
  ),
  jekyll: ['_config.yml', '_config.yaml'],
};

/** Reads the configurations in a folder, one after the other: some files could be those of another tool. */
export function* readConfigs(root: string): Iterable<ProjectConfig> {
  for (const [generator, files] of Object.entries(configFiles) as [Generator, readonly string[]][]) {
    const file = files.find((one) => existsSync(join(root, one)));
    if (file !== undefined) yield readProjectConfig(root, generator, file);
  }
}

/** A project of a site generator, and what its configuration says as data. */
export interface ProjectConfig {
  /** Absolute path of its folder. */
  readonly root: string;
  readonly generator: Generator;
  /** The file by which the generator is recognised, relative to the root; of Hugo it may be the folder `config/_default`. */
  readonly file: string;
  /** Options of the generator itself: those of `starlight()` in Astro. */
  readonly options: UnknownRecord;
  /** The whole configuration. */
  readonly all: UnknownRecord;
  /** The files that it was read from; later ones take precedence. Empty for code. */
  readonly layers: readonly ConfigLayer[];
  /** Why files of it cannot be read. The settings in them are unknown, and some may hide pages. */
  readonly unread: readonly UnreadFile[];
}

interface ConfigLayer {
  readonly file: string;
  readonly settings: UnknownRecord;
}

interface UnreadFile {
  /** A sentence that names the file. */
  readonly message: string;
  /** `null` if it could not be opened. */
  readonly text: string | null;
}

/** Reads the configuration of a generator as far as it is data, without running code. */
function readProjectConfig(root: string, generator: Generator, file: string): ProjectConfig {
  const found = attempt(() => readers[generator](root, file));
  const { all = {}, layers = [], unread = [] } = found;
  const options = generator === 'starlight' ? starlightOptions(all) : all;
  return { root, generator, file, all, layers, unread, options };
}

/**
 * Hash of everything in the configuration that may change how a page is read: its data, also from files that it includes, and its text, in
 * which readers look for plugins.
 */
export function hashProjectConfig({ root, file, all }: ProjectConfig): string {
  let text = '';
  try {
    text = readTextInside(root, file);
  } catch {
    // A folder of files, whose data is known.
  }
  return hash('sha256', JSON.stringify([all, text]));
}

type ConfigRead = Partial<Pick<ProjectConfig, 'all' | 'layers' | 'unread'>>;

const readers: Readonly<Record<Generator, (root: string, file: string) => ConfigRead>> = {
  docusaurus: readCode,
  starlight: readCode,
  vitepress: readCode,
  mkdocs: readMkDocs,
  hugo: readHugo,
  jekyll(root, file) {
    const settings = parseFile(root, file, (text) => parseYaml(text, () => {}));
    return { all: settings, layers: [{ file, settings }] };
  },
};

function readCode(root: string, file: string): ConfigRead {
  try {
    return { all: fieldsOf(readLiteralData(root, file)) };
  } catch (error) {
    throw new UnreadError(file, error, null);
  }
}

/** A file of a configuration that cannot be read. The message is a sentence that names it. */
class UnreadError extends Error {
  readonly text: string | null;
  constructor(file: string, cause: unknown, text: string | null) {
    // These name it.
    super(cause instanceof LecternError ? cause.message : `${file} cannot be read: ${messageOf(cause)}`, {
      cause,
    });
    this.text = text;
  }
}

function attempt(read: () => ConfigRead): ConfigRead {
  try {
    return read();
  } catch (error) {
    return {
      unread: [{ message: messageOf(error), text: error instanceof UnreadError ? error.text : null }],
    };
  }
}

/** @throws UnreadError */
function parseFile(root: string, file: string, parse: (text: string) => UnknownRecord): UnknownRecord {
  let text: string | null = null;
  try {
    text = readTextInside(root, file).replace(/^\uFEFF/, '');
    return parse(text);
  } catch (error) {
    throw new UnreadError(file, error, text);
  }
}

/** The fields of an object; none of other values. */
export function fieldsOf(value: unknown): UnknownRecord {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof CallData);
}

/** The elements of a list; none of other values. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.filter((one) => one !== notData) : [];
}

/** A text that is not empty, else `null`. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Fields of later layers replace those of earlier ones; objects are merged, lists are not. */
function mergeLayers(layers: readonly ConfigLayer[], ignoresCase: boolean): UnknownRecord {
  const merge = (base: unknown, over: unknown): unknown => {
    if (!isFields(base) || !isFields(over)) return over;
    const merged = new Map(Object.entries(base));
    for (const [name, value] of Object.entries(over)) {
      const isSame = (known: string): boolean => known.toLowerCase() === name.toLowerCase();
      const known = ignoresCase ? ([...merged.keys()].find(isSame) ?? name) : name;
      merged.set(known, merge(merged.get(known), value));
    }
    return Object.fromEntries(merged);
  };
  return fieldsOf(layers.reduce<unknown>((merged, { settings }) => merge(merged, settings), {}));
}

/** The file, and those that `INHERIT` names. Tags of Python and of the environment are not read: the value after them is. */
function readMkDocs(root: string, file: string): ConfigRead {
  const layers: ConfigLayer[] = [];
  for (let next: string | null = file; next !== null; ) {
    const heir = layers[0]?.file;
    if (layers.some((layer) => layer.file === next))
      throw new Error(`INHERIT of ${heir} leads back to ${next}`);
    const settings = parseFile(root, next, parseMkDocs);
    layers.unshift({ file: next, settings });
    next = 'INHERIT' in settings ? inheritedFile(next, settings.INHERIT) : null;
  }
  return { layers, all: mergeLayers(layers, false) };
}

/**
 * A tag or an alias as the value of a setting that decides which files are published. The value must be known: an alias may stand for one
 * with a tag.
 */
const unknownSetting = /^[^#\n]*\b(?:docs_dir|exclude_docs|draft_docs|INHERIT)["']?\s*:\s*[!*]/m;

function parseMkDocs(text: string): UnknownRecord {
  const [before] = unknownSetting.exec(text) ?? [];
  if (before !== undefined) {
    const line = text.slice(0, text.indexOf(before) + before.length).split('\n').length;
    throw new LineError(`line ${line}: quote the value, because it begins with ${before.at(-1)}`, line);
  }
  return fieldsOf(parseYaml(text.replace(/(?<=[:[,-][ \t]+)!{1,2}[\w/.:-]+/g, ''), () => {}));
}

function inheritedFile(file: string, base: unknown): string {
  const isInside = typeof base === 'string' && base !== '' && !/^(?:[\\/]|[a-z]:)/i.test(base);
  const path = isInside ? posix.join(posix.dirname(file), base.replaceAll('\\', '/')) : '..';
  if (/^\.\.(?:\/|$)/.test(path))
    throw new Error(`${file}: INHERIT ${JSON.stringify(base)} must be a file inside the project`);
  return path;
}

/** The folders that configure Hugo in a default build; later ones take precedence. */
const hugoFolders = ['', 'config/_default', 'config/production'];
/** Of files with the same name, Hugo prefers the last one. */
const hugoExtensions = ['json', 'yml', 'yaml', 'toml'];
const settingsFile = /^(.+)\.(json|ya?ml|toml)$/;

/** The files that configure Hugo in a default build. In `config/`, one may be called like a setting, or like one of a language: `params.de.toml`. */
function readHugo(root: string): ConfigRead {
  const layers: ConfigLayer[] = [];
  const unread: UnreadFile[] = [];
  for (const file of hugoFolders.flatMap((folder) => listSettings(root, folder))) {
    const [name = '', language] = (settingsFile.exec(posix.basename(file))?.[1] ?? '').split('.');
    try {
      const settings = parseFile(root, file, (text) => parseSettingsFile(text, file));
      const named = isWhole(name) ? settings : { [name]: settings };
      layers.push({ file, settings: language === undefined ? named : { languages: { [language]: named } } });
    } catch (error) {
      if (!(error instanceof UnreadError)) throw error;
      unread.push({ message: error.message, text: error.text });
    }
  }
  return { layers, unread, all: mergeLayers(layers, true) };
}

function isWhole(name: string): boolean {
  return name === 'hugo' || name === 'config';
}

/** The files of settings in a folder; those with all settings come first. */
function listSettings(root: string, folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  const names = readdirSync(join(root, folder)).flatMap((file) => {
    const [, name = '', extension = ''] = settingsFile.exec(file) ?? [];
    const rank = hugoExtensions.indexOf(extension);
    return name !== '' && (folder !== '' || isWhole(name)) ? [{ file, name, rank }] : [];
  });
  return names
    .sort(
      (a, b) =>
        Number(isWhole(b.name)) - Number(isWhole(a.name)) ||
        (a.name === b.name ? a.rank - b.rank : a.name < b.name ? -1 : 1),
    )
    .map(({ file }) => posix.join(folder, file));
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

import { upperFirst } from '../../../core/shorten.ts';
import type { FolderSettings } from '../folder-read.ts';
import { isLocale, keyOfLocale, type LocaleRule } from '../locales.ts';

/** Facts from the path of a page. */
export interface PagePath {
  /** Relative to the folder of the pages, without language folder, suffix and extension; the same for all languages. */
  readonly key: string;
  /** Folder part of the key; `''` at the top. */
  readonly folder: string;
  /** Last part of the key. */
  readonly name: string;
  /** The language that its path says, which `lang` in its front matter may not; `null` if it says none. */
  readonly pathLanguage: string | null;
  /** Whether it is the page of its folder: `index` or `README`. */
  readonly isIndex: boolean;
}

/** Settings for reading a plain folder. */
export interface PlainSettings extends FolderSettings, LocaleRule {}

const indexes = new Set(['index', 'readme']);

/**
 * Reads the path of a page: `de/guides/start.md` and `guides/start.de.md` are `guides/start` in German.
 * @param path with extension, relative to the folder of the pages
 */
export function parsePagePath(path: string, rule: LocaleRule): PagePath {
  let stem = stemOf(path);
  let language: string | null = null;
  const [first = '', ...rest] = stem.split('/');
  if (rest.length > 0 && isLocale(first, rule)) {
    language = first;
    stem = rest.join('/');
  }
  const { base, suffix } = splitSuffix(stem);
  if (language === null && rule.suffixes.has(keyOfLocale(suffix))) {
    language = suffix;
    stem = base;
  }
  const at = stem.lastIndexOf('/');
  const name = stem.slice(at + 1);
  return {
    key: stem.normalize('NFC'),
    folder: at === -1 ? '' : stem.slice(0, at).normalize('NFC'),
    name,
    pathLanguage: language === null ? null : language.replaceAll('_', '-'),
    isIndex: indexes.has(name.toLowerCase()),
  };
}

/** A path without its extension. */
export function stemOf(path: string): string {
  return path.replace(/\.[^./]+$/, '');
}

/** `guides/start.de` → `guides/start` and `de`, and `README_de` → `README` and `de`; the suffix is `''` if there is none. */
export function splitSuffix(stem: string): { readonly base: string; readonly suffix: string } {
  const [, base = stem, suffix = ''] = withSuffix.exec(stem) ?? readmeWithSuffix.exec(stem) ?? [];
  return { base, suffix };
}

const withSuffix = /^(.*[^/])\.([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*)$/;
/** In other names, a word of two letters may follow a hyphen: `sign-in`. */
const readmeWithSuffix = /^((?:.*\/)?readme)[-_]([a-z]{2}(?:[-_][a-z0-9]{2,8})*)$/i;

/** `01-getting_started` → order 1, name `getting_started`; a date is not an order. */
export function splitOrder(name: string): { readonly order: number | null; readonly rest: string } {
  const [, digits, rest] = /^(\d{1,3})[-_. ]+(?!\d)(.+)$/.exec(name) ?? [];
  return digits === undefined ? { order: null, rest: name } : { order: Number(digits), rest: rest ?? name };
}

/** A name without the id of 32 hexadecimal digits that an export of Notion appends: `Handbook 1a2b…` → `Handbook`. */
export function withoutExportId(name: string): string {
  return name.replace(/(?<=\S)[ -][0-9a-f]{32}$/i, '');
}

/** `getting_started` → `Getting started`. */
export function titleOfName(name: string): string {
  const plain = withoutExportId(name);
  return upperFirst(splitOrder(plain).rest.replace(/[-_]+/g, ' ').trim() || plain);
}

/** `a/b` → `a/b`, `a`, and the top folder. */
export function ancestors(folder: string): readonly string[] {
  if (folder === '') return [''];
  const parts = folder.split('/');
  return [...parts.map((_, at) => parts.slice(0, parts.length - at).join('/')), ''];
}

/** The title of a page; for an index page without one, the name of its folder. */
export function titleOf(page: PagePath & { readonly title: string | null }): string {
  const folderName = page.folder.split('/').at(-1) ?? '';
  return page.title ?? titleOfName(page.isIndex && folderName !== '' ? folderName : page.name);
}

import { isLanguageTag, languageKey } from '../../foundation/language.ts';
import type { ExclusionReason } from '../../foundation/model.ts';
import type { UnknownRecord } from '../../foundation/unknown-record.ts';
import type { FolderSettings } from '../folder-read.ts';

/** Visibility of a page, and the field that decides it, for the report. */
export interface PageVisibility {
  readonly reason:
    | 'public'
    | Extract<ExclusionReason, 'draft' | 'private' | 'restricted' | 'visibility-unknown' | 'other-language'>;
  readonly field: string | null;
}

/** Fields that hide a page if they are `true`, with the reason. */
const flags = {
  draft: 'draft',
  unlisted: 'private',
  private: 'private',
  is_private: 'private',
  internal: 'private',
  hidden: 'private',
  headless: 'private',
  protected: 'restricted',
} as const;

/** Fields that hide a page if they are `false`. */
const publishing = ['published', 'is_published', 'publish', 'is_live'] as const;

/** Fields that restrict the readers of a page; every value does, except an empty one and `everybody`. */
const readers = [
  'visibility',
  'access',
  'audience',
  'permission_groups',
  'permissions',
  'roles',
  'groups',
  'password',
];

/** Values of `status` that mean "not published"; others, such as `new`, describe the text. */
const hiding = new Set([
  'draft',
  'private',
  'internal',
  'unpublished',
  'hidden',
  'pending',
  'review',
  'wip',
  'archived',
]);

const everybody = new Set(['public', 'everyone', 'everybody', 'all', 'published']);

/**
 * Whether a page is public. Pages in these folders are public unless a field says otherwise; a field with an unknown value also hides a
 * page. Dates of publication and expiry count (Hugo).
 */
export function readPageVisibility(data: UnknownRecord, nowMs: number): PageVisibility {
  const unknown: PageVisibility[] = [];
  const readFlag = (field: string, hides: (value: boolean) => boolean, reason: PageVisibility['reason']) => {
    const value = readBoolean(data[field]);
    if (value === undefined || value === null) return null;
    if (typeof value !== 'boolean') unknown.push({ reason: 'visibility-unknown', field });
    else if (hides(value)) return { reason, field };
    return null;
  };
  for (const field of publishing) {
    // In some generators, `published: 2026-01-31` is a date.
    if (isTime(data[field])) continue;
    const found = readFlag(field, (value) => !value, 'draft');
    if (found !== null) return found;
  }
  for (const [field, reason] of Object.entries(flags)) {
    const found = readFlag(field, (value) => value, reason);
    if (found !== null) return found;
  }
  const status = typeof data.status === 'string' ? data.status.trim().toLowerCase() : '';
  if (hiding.has(status)) return { reason: status === 'private' ? 'private' : 'draft', field: 'status' };
  for (const field of ['publishDate', 'publishdate', 'pubDate', 'publish_date', 'date']) {
    const timeMs = timeOf(data[field]);
    if (timeMs !== null && timeMs > nowMs) return { reason: 'draft', field };
  }
  for (const field of ['expiryDate', 'expirydate', 'unpublishdate']) {
    const timeMs = timeOf(data[field]);
    if (timeMs !== null && timeMs <= nowMs) return { reason: 'draft', field };
    if (timeMs === null && data[field] !== undefined && data[field] !== null)
      unknown.push({ reason: 'visibility-unknown', field });
  }
  for (const field of readers) {
    const value = data[field];
    const isOpen =
      value === undefined ||
      value === null ||
      value === '' ||
      (Array.isArray(value) && value.length === 0) ||
      (typeof value === 'string' && everybody.has(value.trim().toLowerCase()));
    if (!isOpen) return { reason: 'restricted', field };
  }
  for (const field of ['build', '_build']) {
    const found = readBuild(data[field], field);
    if (found?.reason === 'private') return found;
    if (found !== null) unknown.push(found);
  }
  return unknown[0] ?? { reason: 'public', field: null };
}

/** `build` of Hugo: pages that are not rendered, or not listed, are private. `null`: it hides nothing. */
function readBuild(value: unknown, field: string): PageVisibility | null {
  if (value === undefined || value === null) return null;
  const unknown: PageVisibility = { reason: 'visibility-unknown', field };
  if (typeof value !== 'object') return unknown;
  const { render = 'always', list = 'always', ...others } = value as UnknownRecord;
  const isKnown = Object.keys(others).every((key) => key.toLowerCase() === 'publishresources');
  if (['never', 'link', false].includes(render as string) || ['never', false].includes(list as string))
    return { reason: 'private', field };
  const isShown =
    ['always', true].includes(render as string) && ['always', 'local', true].includes(list as string);
  return isKnown && isShown ? null : unknown;
}

/** Fields that pages below a folder get (`cascade` of Hugo), unless they or a closer folder set them. */
export interface Cascade {
  readonly fields: UnknownRecord;
  /** Which pages get them; `null`: nobody knows. */
  readonly matches: ((page: CascadePage) => boolean) | null;
}

/** A page that may get fields from a folder. */
interface CascadePage extends Pick<PagePath, 'key' | 'folder' | 'name' | 'isIndex'> {
  readonly language: string;
}

/** Reads `cascade`: an object or a list, with or without `target`. Of several entries, the first one decides. */
export function readCascades(cascade: unknown): readonly Cascade[] {
  return [cascade].flat().flatMap((one): Cascade[] => {
    if (one === undefined || one === null) return [];
    if (typeof one !== 'object') return [{ fields: {}, matches: null }];
    const { target, _target, params, ...fields } = one as UnknownRecord;
    return [
      { fields: { ...(params as object | undefined), ...fields }, matches: readTarget(target ?? _target) },
    ];
  });
}

function readTarget(target: unknown): Cascade['matches'] {
  if (target === undefined || target === null) return () => true;
  const given = Object.entries(target as object).map(([name, value]) => [name.toLowerCase(), value] as const);
  const values: Readonly<Record<string, (page: CascadePage) => string>> = {
    path: ({ key, folder, isIndex }) => `/${isIndex ? folder : key}`.toLowerCase(),
    kind: ({ folder, name, isIndex }) =>
      !isIndex || (name !== '_index' && folder !== '') ? 'page' : folder === '' ? 'home' : 'section',
    lang: ({ language }) => language.toLowerCase(),
    environment: () => 'production',
  };
  const tests = given.map(([name, pattern]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || typeof pattern !== 'string') return null;
    const regex = toGlob(pattern.toLowerCase());
    return (page: CascadePage) => regex.test(value(page));
  });
  if (typeof target !== 'object' || tests.includes(null)) return null;
  return (page) => tests.every((test) => test?.(page));
}

/** A pattern of Hugo: `**`, `*`, `?`, `{a,b}`. */
function toGlob(pattern: string): RegExp {
  const source = pattern.replace(/\*\*|[*?{},]|[\\^$.+()[\]|]/g, (mark) => {
    const known = { '**': '.*', '*': '[^/]*', '?': '[^/]', '{': '(?:', '}': ')', ',': '|' }[mark];
    return known ?? `\\${mark}`;
  });
  try {
    return new RegExp(`^${source}$`);
  } catch {
    // Braces that are not closed match every page, because fewer could publish a hidden one.
    return /^/;
  }
}

/**
 * Visibility of a page with the fields that folders above give it.
 * @param cascades closest folder first
 */
export function readCascadedVisibility(
  page: CascadePage & { readonly data: UnknownRecord },
  cascades: readonly Cascade[],
  nowMs: number,
): PageVisibility {
  let fields: UnknownRecord = page.data;
  let mayHide = false;
  for (const cascade of cascades) {
    if (cascade.matches === null) {
      const { reason } = readPageVisibility(cascade.fields, nowMs);
      mayHide ||= reason !== 'public' || Object.keys(cascade.fields).length === 0;
    } else if (cascade.matches(page)) fields = { ...cascade.fields, ...fields };
  }
  const found = readPageVisibility(fields, nowMs);
  return found.reason === 'public' && mayHide ? { reason: 'visibility-unknown', field: 'cascade' } : found;
}

/** Reads `True` as `true`. In YAML 1.2 it is text, but generators written in Python read it as a boolean. */
export function readBoolean(value: unknown): unknown {
  if (typeof value !== 'string' || !/^(?:true|false)$/i.test(value)) return value;
  return value.toLowerCase() === 'true';
}

function isTime(value: unknown): boolean {
  return timeOf(value) !== null;
}

function timeOf(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return null;
  const ms = Date.parse(value.trim().replace(' ', 'T'));
  return Number.isNaN(ms) ? Date.parse(`${value.slice(0, 10)}T00:00:00Z`) : ms;
}

/** The first field that is a text or number, as text. */
export function textField(data: UnknownRecord, ...fields: readonly string[]): string | null {
  for (const field of fields) {
    const value = data[field];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return null;
}

/** The first field that is a date; `last_update: { date }` is Docusaurus's, `date: { created }` of Material's blog. */
export function dateField(data: UnknownRecord, ...fields: readonly string[]): string | null {
  const nested = { ...nestedDate(data, 'last_update', 'date'), ...nestedDate(data, 'date', 'created') };
  const text = textField({ ...data, ...nested }, ...fields);
  if (text === null || !/^\d{4}-\d\d-\d\d/.test(text)) return null;
  // Ruby and YAML write `2026-01-31 09:30:00 +0100`.
  return text
    .replace(
      /^(\S{10}) +(\d\d?:\d\d)/,
      (_all, day: string, time: string) => `${day}T${time.padStart(5, '0')}`,
    )
    .replace(/ *([+-]\d\d):?(\d\d)$/, '$1:$2')
    .replace(/ *(?:UTC|GMT)$/, 'Z');
}

function nestedDate(data: UnknownRecord, field: string, name: string): UnknownRecord {
  const value = data[field];
  const date = typeof value === 'object' && value !== null ? (value as UnknownRecord)[name] : undefined;
  return date === undefined ? {} : { [field]: date };
}

/** Position among siblings: `sidebar_position`, `weight` and others, `sidebar: { order }` of Starlight. */
export function orderField(data: UnknownRecord): number | null {
  const { sidebar } = data;
  const nested =
    typeof sidebar === 'object' && sidebar !== null ? (sidebar as UnknownRecord).order : undefined;
  for (const value of [
    data.sidebar_position,
    data.weight,
    nested,
    data.sort_order,
    data.nav_order,
    data.order,
    data.position,
    menuWeight(data.menus ?? data.menu),
  ]) {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  }
  return null;
}

/** The weight of a page in a menu of Hugo: `menus: { docs: { weight: 20 } }`. */
function menuWeight(menus: unknown): unknown {
  if (typeof menus !== 'object' || menus === null) return null;
  return Object.values(menus)
    .map((menu) => (typeof menu === 'object' && menu !== null ? (menu as UnknownRecord).weight : null))
    .find((weight) => typeof weight === 'number');
}

/** Tags as a list, as `a, b`, or as objects with a label. */
export function tagFields({ tags }: UnknownRecord): readonly string[] {
  const list: readonly unknown[] = Array.isArray(tags)
    ? tags
    : typeof tags === 'string'
      ? tags.split(',')
      : [];
  return list.flatMap((tag) => {
    const label = typeof tag === 'object' && tag !== null ? (tag as UnknownRecord).label : tag;
    return typeof label === 'string' || typeof label === 'number' ? [String(label).trim()] : [];
  });
}

/** Facts from the path of a page. */
export interface PagePath {
  /** Relative to the folder of the pages, without language folder, suffix and extension; the same for all languages. */
  readonly key: string;
  /** Folder part of the key; `''` at the top. */
  readonly folder: string;
  /** Last part of the key. */
  readonly name: string;
  /** `null` for the default language. */
  readonly language: string | null;
  /** Whether it is the page of its folder: `index`, `README`, or `_index` of Hugo. */
  readonly isIndex: boolean;
}

/** Decides which folders and suffixes are languages. */
interface LocaleRule {
  /** Language names; `null`: every two-letter code, also with a script or region, that CLDR has a name for. */
  readonly locales: readonly string[] | null;
  readonly defaultLanguage: string;
  /** Language suffixes, by {@link keyOfLocale}. Only settings or other pages make `vite.config.ts.md` a page in Tsonga. */
  readonly suffixes: ReadonlySet<string>;
}

/** What a generator makes pages of. */
export interface PageRules {
  /** Whether it does not make a page of a file. */
  ignores(path: string): boolean;
  /** Whether it makes pages only of files with front matter. */
  readonly needsFrontMatter: boolean;
  /** Fields of a page that its front matter need not have. */
  fieldsOf(path: string): Readonly<Record<string, unknown>>;
  /** The path of a page on its site, if the generator has rules of its own (Jekyll). */
  readonly pathOf: ((path: string, data: Readonly<Record<string, unknown>>) => string) | null;
  /** `cascade` of the configuration. */
  readonly cascade: readonly unknown[];
}

/** Settings for reading a plain folder. */
export interface PlainSettings extends FolderSettings, LocaleRule {}

const indexes = new Set(['index', '_index', 'readme']);

/**
 * Reads the path of a page: `de/guides/start.md` and `guides/start.de.md` are `guides/start` in German.
 * @param path with extension, relative to the folder of the pages
 * @param folderLanguage language of all pages of the folder, if it has one
 */
export function parsePagePath(path: string, rule: LocaleRule, folderLanguage: string | null): PagePath {
  let stem = path.replace(/\.[^./]+$/, '');
  let language = folderLanguage;
  const [first = '', ...rest] = stem.split('/');
  if (language === null && rest.length > 0 && isLocale(first, rule)) {
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
    language: language === null ? null : language.replaceAll('_', '-'),
    isIndex: indexes.has(name.toLowerCase()),
  };
}

/** `guides/start.de` → `guides/start` and `de`; the suffix is `''` if there is none. */
export function splitSuffix(stem: string): { readonly base: string; readonly suffix: string } {
  const [, base = stem, suffix = ''] =
    /^(.*[^/])\.([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*)$/.exec(stem) ?? [];
  return { base, suffix };
}

/** The `languageKey` of a name, in which `_` may replace `-`. */
export function keyOfLocale(name: string): string {
  return languageKey(name.replaceAll('_', '-'));
}

/** Whether the name of a folder or a suffix is a language. */
export function isLocale(name: string, { locales, defaultLanguage }: Omit<LocaleRule, 'suffixes'>): boolean {
  const tag = name.replaceAll('_', '-');
  if (!isLanguageTag(tag)) return false;
  const key = languageKey(tag);
  if (key === languageKey(defaultLanguage)) return true;
  if (locales !== null) return locales.some((locale) => languageKey(locale) === key);
  const [base = ''] = tag.split('-');
  return base.length === 2 && languageNames.of(base) !== undefined;
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** `01-getting_started` → order 1, name `getting_started`; a date is not an order. */
export function splitOrder(name: string): { readonly order: number | null; readonly rest: string } {
  const [, digits, rest] = /^(\d{1,3})[-_. ]+(?!\d)(.+)$/.exec(name) ?? [];
  return digits === undefined ? { order: null, rest: name } : { order: Number(digits), rest: rest ?? name };
}

/** `getting_started` → `Getting started`. */
export function titleOfName(name: string): string {
  const words = splitOrder(name).rest.replace(/[-_]+/g, ' ').trim() || name;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

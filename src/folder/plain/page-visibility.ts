import type { ExclusionReason } from '../../foundation/model.ts';
import type { UnknownRecord } from '../../foundation/unknown-record.ts';
import { readBoolean } from '../front-matter.ts';
import type { PagePath } from './page-path.ts';

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

function isTime(value: unknown): boolean {
  return timeOf(value) !== null;
}

function timeOf(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return null;
  const ms = Date.parse(value.trim().replace(' ', 'T'));
  return Number.isNaN(ms) ? Date.parse(`${value.slice(0, 10)}T00:00:00Z`) : ms;
}

import type { ExclusionReason } from '../../../core/model.ts';
import type { UnknownRecord } from '../../../core/unknown-record.ts';
import type { PagePath } from './page-path.ts';
import { findVisibilityKey, type VisibilityKey, visibilityKeyName } from './visibility-keys.ts';

/** Visibility of a page, and the field that decides it, for the report. */
export interface PageVisibility {
  readonly reason:
    | 'public'
    | Extract<ExclusionReason, 'draft' | 'private' | 'restricted' | 'visibility-unknown' | 'other-language'>;
  readonly field: string | null;
  /** What an author can do; absent if the field is certain. */
  readonly why?: string;
}

/** Values of `status` and similar fields that mean "not published"; others, such as `new`, describe the text. */
const hiding = new Set([
  'draft',
  'private',
  'internal',
  'unpublished',
  'hidden',
  'pending',
  'review',
  'in review',
  'needs review',
  'wip',
  'work in progress',
  'todo',
  'archived',
  'deleted',
  'removed',
  'trash',
  'scheduled',
  'restricted',
  'confidential',
  'unlisted',
  'false',
]);

const everybody = new Set(['public', 'everyone', 'everybody', 'all', 'published']);

/**
 * Whether a page is public. Pages in these folders are public unless a field says otherwise (see the table of `visibility-keys.ts`). A field
 * with an unknown value hides a page, too, and so does one whose name has a letter too many, too few or wrong, unless its value plainly says
 * that the page is not hidden.
 */
export function readPageVisibility(data: UnknownRecord, nowMs: number): PageVisibility {
  const unknown: PageVisibility[] = [];
  for (const [field, value] of Object.entries(data)) {
    const found = findVisibilityKey(field);
    if (found === null) continue;
    const { key, meant } = found;
    const isSure = key.isDocumented && meant === null;
    const says = readValue(visibilityKeyName(meant ?? field), value, key, nowMs);
    // A template may have empty fields of any name.
    if (says === 'shown' || (!isSure && isEmpty(value))) continue;
    if (says === 'hidden' && isSure) return { reason: privateState(key, value), field };
    unknown.push({ reason: 'visibility-unknown', field, why: describeDoubt(field, value, says, meant) });
  }
  for (const field of ['build', '_build']) {
    const found = readBuild(data[field], field);
    if (found?.reason === 'private') return found;
    if (found !== null) unknown.push(found);
  }
  return unknown[0] ?? { reason: 'public', field: null };
}

function privateState({ kind, reason }: VisibilityKey, value: unknown): PageVisibility['reason'] {
  return kind === 'state' && String(value).trim().toLowerCase() === 'private' ? 'private' : reason;
}

function describeDoubt(field: string, value: unknown, says: string, meant: string | null): string {
  const written = `${field}: ${JSON.stringify(value)?.slice(0, 60)}`;
  if (meant !== null) return `${written} is probably meant to be ${meant}; correct or remove the field`;
  return says === 'unknown'
    ? `${written} is not a value that the field can have; correct or remove it`
    : `${written} seems to hide the page; write draft: true to hide it, or remove the field to publish it`;
}

type Says = 'hidden' | 'shown' | 'unknown';

function readValue(field: string, value: unknown, key: VisibilityKey, nowMs: number): Says {
  switch (key.kind) {
    case 'hides':
    case 'publishes': {
      // In some generators, `published: 2026-01-31` is a date.
      const timeMs = timeOf(value);
      if (timeMs !== null) return key.kind === 'publishes' && timeMs <= nowMs ? 'shown' : 'hidden';
      const flag = readFlag(value);
      if (flag === null) return key.isOnlyBoolean ? 'shown' : 'unknown';
      return flag === (key.kind === 'hides') ? 'hidden' : 'shown';
    }
    case 'state':
      return [value].flat().some((one) => hiding.has(wordsOf(one))) ? 'hidden' : 'shown';
    case 'from':
    case 'until': {
      const timeMs = timeOf(value);
      if (timeMs !== null) return timeMs > nowMs === (key.kind === 'from') ? 'hidden' : 'shown';
      // A text in other fields with dates says nothing about the page.
      const isOpen = key.kind === 'from' || isEmpty(value) || readFlag(value) === false || value === 'never';
      return isOpen ? 'shown' : 'unknown';
    }
    case 'schedule': {
      if (isEmpty(value)) return 'shown';
      const timeMs = readMoment(value);
      if (timeMs === null) return 'unknown';
      return timeMs > nowMs === (field === 'publishat') ? 'hidden' : 'shown';
    }
    case 'readers': {
      const isOpen =
        isEmpty(value) ||
        (Array.isArray(value) && value.length === 0) ||
        (typeof value === 'string' && everybody.has(value.trim().toLowerCase()));
      return isOpen ? 'shown' : 'hidden';
    }
    case 'robots': {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      return /noindex|\bnone\b|"index":false|"noindex":true/i.test(text) ? 'hidden' : 'shown';
    }
  }
}

function wordsOf(value: unknown): string {
  return String(value).trim().toLowerCase().replace(/[_-]/g, ' ');
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

const flags: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  y: true,
  1: true,
  false: false,
  no: false,
  off: false,
  n: false,
  0: false,
};

/** A value that plainly says true or false, also as text, as in YAML 1.1; otherwise `null`. */
function readFlag(value: unknown): boolean | null {
  if (!['boolean', 'string', 'number'].includes(typeof value)) return null;
  const text = String(value).trim().toLowerCase();
  return Object.hasOwn(flags, text) ? (flags[text] ?? null) : null;
}

/** Milliseconds since 1970 of a time with a zone, as `publish_at` has it in the service; `null` if it is none. */
function readMoment(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[ T]\d.*(?:Z|[+-]\d\d:?(?:\d\d)?)$/i.test(value.trim()))
    return null;
  const ms = Date.parse(value.trim().replace(' ', 'T'));
  return Number.isNaN(ms) ? null : ms;
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

function timeOf(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return null;
  const ms = Date.parse(value.trim().replace(' ', 'T'));
  return Number.isNaN(ms) ? Date.parse(`${value.slice(0, 10)}T00:00:00Z`) : ms;
}

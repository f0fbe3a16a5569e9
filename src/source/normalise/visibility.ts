import { upperFirst } from '../../core/shorten.ts';
import { isRecord, type UnknownRecord } from '../../core/unknown-record.ts';

type Visibility = 'public' | 'draft' | 'private' | 'restricted' | 'visibility-unknown';

/**
 * Whether an article is public. All conditions must hold: `is_published` is `true`, `is_private` is `false`, and `permission_groups`
 * contains no group. If `is_published` or `is_private` is missing or not a boolean, visibility is unknown and the article is not published.
 * `permission_groups` may be missing or `null`, which the service uses for "no group". A `status` that contradicts these fields wins, and a
 * {@link findHidingField}.
 */
export function readVisibility(record: UnknownRecord): Visibility {
  return decide(record, record.is_published, record.is_private);
}

function decide(record: UnknownRecord, isPublished: unknown, isPrivate: unknown): Visibility {
  const { permission_groups: groups, status } = record;
  const said = typeof status === 'string' ? status.trim().toLowerCase() : null;
  if (isPublished === false || said === 'draft') return 'draft';
  if (isPrivate === true || said === 'private') return 'private';
  if (Array.isArray(groups) && groups.length > 0) return 'restricted';
  const hasKnownGroups = groups === undefined || groups === null || Array.isArray(groups);
  const isKnown = isPublished === true && isPrivate === false && hasKnownGroups;
  return isKnown && findHidingField(record) === null ? 'public' : 'visibility-unknown';
}

/** Values of `status` and similar fields that mean "not published"; others, such as `new`, describe the text. */
export const hidingStates: ReadonlySet<string> = new Set([
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

const saysNo: ReadonlySet<string> = new Set(['false', 'no', '0', '[]']);

/** Whether the value of a field hides the article, by the name of the field. */
const hidingFields = new Map<string, (value: string) => boolean>();
for (const word of [
  'deleted',
  'archived',
  'hidden',
  'draft',
  'internal',
  'unlisted',
  'unpublished',
  'restricted',
])
  for (const name of [...spellings(word), `${word}_at`, `${word}At`])
    hidingFields.set(name, (value) => value !== '' && !saysNo.has(value));
for (const word of ['public', 'visible', 'listed', 'live', 'active', 'enabled'])
  for (const name of spellings(word)) hidingFields.set(name, (value) => saysNo.has(value));
for (const name of ['status', 'state', 'visibility'])
  hidingFields.set(name, (value) => hidingStates.has(value.replace(/[_-]/g, ' ')));

function spellings(word: string): readonly string[] {
  return [word, `is_${word}`, `is${upperFirst(word)}`];
}

/**
 * A field that the interface does not have, and by which a service may hide an article all the same: `is_deleted: true`, `isPublic: false`,
 * `status: archived`; `null` if there is none.
 */
export function findHidingField(record: UnknownRecord): string | null {
  const mayHide = (field: string): boolean => {
    const hides = hidingFields.get(field);
    if (hides === undefined) return false;
    const value = record[field] ?? '';
    return hides((typeof value === 'object' ? JSON.stringify(value) : String(value)).trim().toLowerCase());
  };
  return Object.keys(record).find(mayHide) ?? null;
}

/**
 * Whether a translation is public: it is if `is_live` is `true` or missing, and no field that would hide a record hides it. A value of `is_live`
 * that is not a boolean is unknown, and hides it, too.
 */
export function readLive(translation: UnknownRecord): 'live' | 'hidden' | 'unknown' {
  const {
    is_live: isLive = true,
    is_published: isPublished = true,
    is_private: isPrivate = false,
  } = translation;
  if (isLive === false) return 'hidden';
  const visibility = decide(translation, isPublished, isPrivate);
  if (isLive !== true || visibility === 'visibility-unknown') return 'unknown';
  return visibility === 'public' ? 'live' : 'hidden';
}

/**
 * Whether a listed article must be read in a separate request, because the list lacks its body (some servers ignore `include_body`) or its
 * visibility.
 */
export function needsSingleRead(record: UnknownRecord): boolean {
  return mayBePublic(record) && (readVisibility(record) !== 'public' || lacksBody(record));
}

/** Whether a listed article is public, or may turn out to be public in a separate request. */
export function mayBePublic(record: UnknownRecord): boolean {
  const visibility = readVisibility(record);
  return visibility === 'public' || (visibility === 'visibility-unknown' && saysNothing(record));
}

/** Visibility that is missing in the list may be in the record; an invalid value would be invalid there, too. */
function saysNothing(record: UnknownRecord): boolean {
  return record.is_published === undefined || record.is_private === undefined;
}

/** An empty body in a list may mean that the list omits bodies, and so may a translation with a title and no `body` field. */
function lacksBody(record: UnknownRecord): boolean {
  if (typeof record.body !== 'string' || !/\S/.test(record.body)) return true;
  const { multilingual } = record;
  return (
    Array.isArray(multilingual) &&
    multilingual.some(
      (element: unknown) =>
        isRecord(element) &&
        element.is_live !== false &&
        element.body === undefined &&
        element.title !== undefined &&
        element.title !== null,
    )
  );
}

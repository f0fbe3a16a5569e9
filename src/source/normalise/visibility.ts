import { isRecord, type UnknownRecord } from '../../core/unknown-record.ts';

type Visibility = 'public' | 'draft' | 'private' | 'restricted' | 'visibility-unknown';

/**
 * Whether an article is public. All conditions must hold: `is_published` is `true`, `is_private` is `false`, and `permission_groups`
 * contains no group. If `is_published` or `is_private` is missing or not a boolean, visibility is unknown and the article is not published.
 * `permission_groups` may be missing or `null`, which the service uses for "no group". A `status` that contradicts these fields wins, and a
 * {@link findHidingField}.
 */
export function readVisibility(record: UnknownRecord): Visibility {
  const { is_published: isPublished, is_private: isPrivate, permission_groups: groups, status } = record;
  const said = typeof status === 'string' ? status.trim().toLowerCase() : null;
  if (isPublished === false || said === 'draft') return 'draft';
  if (isPrivate === true || said === 'private') return 'private';
  if (Array.isArray(groups) && groups.length > 0) return 'restricted';
  const hasKnownGroups = groups === undefined || groups === null || Array.isArray(groups);
  const isKnown = isPublished === true && isPrivate === false && hasKnownGroups;
  return isKnown && findHidingField(record) === null ? 'public' : 'visibility-unknown';
}

const hidingFields = ['deleted', 'archived', 'hidden', 'draft', 'internal'].flatMap((word) => [
  word,
  `is_${word}`,
  `${word}_at`,
]);

/** A field that the interface does not have, and by which a service may hide an article all the same: `is_deleted: true`; `null` if there is none. */
export function findHidingField(record: UnknownRecord): string | null {
  return hidingFields.find((field) => !saysNo.test(String(record[field] ?? ''))) ?? null;
}

const saysNo = /^\s*(?:false|no|0)?\s*$/i;

/**
 * Whether a translation is public: it is if `is_live` is `true` or missing. Every value that is not a boolean is unknown, and hides it, and so does a
 * {@link findHidingField}.
 */
export function readLive(translation: UnknownRecord): 'live' | 'hidden' | 'unknown' {
  const { is_live: isLive } = translation;
  if (isLive === true || isLive === undefined)
    return findHidingField(translation) === null ? 'live' : 'unknown';
  return isLive === false ? 'hidden' : 'unknown';
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

import { isRecord, type UnknownRecord } from './fields.ts';
import { readVisibility } from './visibility.ts';

/**
 * Whether a listed article must be read by itself, since the list does not tell all of it: its body (some servers
 * ignore `include_body`) or whether it is public.
 */
export function needsSingleRead(record: UnknownRecord): boolean {
  return mayBePublic(record) && (readVisibility(record) !== 'public' || lacksBody(record));
}

/** Whether a listed article is public, or may turn out to be when it is read by itself. */
export function mayBePublic(record: UnknownRecord): boolean {
  const visibility = readVisibility(record);
  return visibility === 'public' || (visibility === 'visibility-unknown' && saysNothing(record));
}

/** Visibility left out of the list may be in the record; visibility that makes no sense will make none there. */
function saysNothing(record: UnknownRecord): boolean {
  return record.is_published === undefined || record.is_private === undefined;
}

/**
 * An empty body in a list may just mean that the list leaves bodies out, and so does a translation with a title and no
 * `body` at all.
 */
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

import type { UnknownRecord } from './fields.ts';

export type Visibility = 'public' | 'draft' | 'private' | 'restricted' | 'visibility-unknown';

/**
 * Whether anybody may read an article. Public is only what says so: `is_published` is `true`, `is_private` is `false`,
 * and `permission_groups` names no group. `is_published` and `is_private` must be there, as booleans; what else they
 * hold, or that they are missing, is unknown and therefore not public. `permission_groups` may be missing or `null`,
 * which is how the service writes "no group". A `status` that contradicts is believed.
 */
export function readVisibility(record: UnknownRecord): Visibility {
  const { is_published: isPublished, is_private: isPrivate, permission_groups: groups, status } = record;
  const said = typeof status === 'string' ? status.trim().toLowerCase() : null;
  if (isPublished === false || said === 'draft') return 'draft';
  if (isPrivate === true || said === 'private') return 'private';
  if (Array.isArray(groups) && groups.length > 0) return 'restricted';
  const hasKnownGroups = groups === undefined || groups === null || Array.isArray(groups);
  return isPublished === true && isPrivate === false && hasKnownGroups ? 'public' : 'visibility-unknown';
}

/** Whether a translation is public: only `is_live: false` hides it, but what is neither a boolean nor missing is unknown. */
export function readLive(translation: UnknownRecord): 'live' | 'hidden' | 'unknown' {
  const { is_live: isLive } = translation;
  if (isLive === true || isLive === undefined || isLive === null) return 'live';
  return isLive === false ? 'hidden' : 'unknown';
}

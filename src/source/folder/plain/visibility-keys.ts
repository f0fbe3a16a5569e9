import { oncePerKey } from '../../../core/concurrency.ts';
import type { ExclusionReason } from '../../../core/model.ts';

/** What a field of front matter says about visibility, and how its value is read. */
export interface VisibilityKey {
  /**
   * `hides`: true or false, true hides. `publishes`: true or false, false hides. `state`: words of which some hide. `from` and `until`: a time.
   * `schedule`: the same as in the service, with a zone. `readers`: everything hides but words for everybody. `robots`: what search engines may do.
   * `generator`: settings of a generator, whose value is not read.
   */
  readonly kind:
    | 'hides'
    | 'publishes'
    | 'state'
    | 'from'
    | 'until'
    | 'schedule'
    | 'readers'
    | 'robots'
    | 'generator';
  readonly reason: Extract<ExclusionReason, 'draft' | 'private' | 'restricted'>;
  /** Whether the documentation lists it. Others hide a page and are reported, because nobody said that Lectern reads them. */
  readonly isDocumented: boolean;
  /** Values of other types say something else: `hide: [toc]` of Material for MkDocs. */
  readonly isOnlyBoolean?: boolean;
}

const table: readonly (readonly [keys: string, key: VisibilityKey])[] = [
  ['draft', { kind: 'hides', reason: 'draft', isDocumented: true }],
  [
    'unlisted private is_private internal hidden headless',
    { kind: 'hides', reason: 'private', isDocumented: true },
  ],
  ['protected', { kind: 'hides', reason: 'restricted', isDocumented: true }],
  ['published is_published publish is_live', { kind: 'publishes', reason: 'draft', isDocumented: true }],
  ['status', { kind: 'state', reason: 'draft', isDocumented: true }],
  ['publish_at unpublish_at', { kind: 'schedule', reason: 'draft', isDocumented: true }],
  ['date publish_date pub_date', { kind: 'from', reason: 'draft', isDocumented: true }],
  ['expiry_date unpublish_date', { kind: 'until', reason: 'draft', isDocumented: true }],
  [
    'visibility access audience permission_groups permissions roles groups password',
    { kind: 'readers', reason: 'restricted', isDocumented: true },
  ],
  [
    'is_draft wip is_wip work_in_progress unpublished is_unpublished do_not_publish no_publish archived is_archived embargoed',
    { kind: 'hides', reason: 'draft', isDocumented: false },
  ],
  [
    'is_internal is_hidden is_unlisted confidential is_confidential secret noindex no_index',
    { kind: 'hides', reason: 'private', isDocumented: false },
  ],
  ['restricted is_restricted is_protected', { kind: 'hides', reason: 'restricted', isDocumented: false }],
  [
    'hide exclude excluded disabled is_disabled deleted is_deleted removed trashed',
    { kind: 'hides', reason: 'private', isDocumented: false, isOnlyBoolean: true },
  ],
  [
    'public is_public visible is_visible listed is_listed live',
    { kind: 'publishes', reason: 'draft', isDocumented: false },
  ],
  [
    'enabled is_enabled active is_active indexed released is_released',
    { kind: 'publishes', reason: 'draft', isDocumented: false, isOnlyBoolean: true },
  ],
  [
    'state stage publish_status publication_status publishing_status workflow review_status',
    { kind: 'state', reason: 'draft', isDocumented: false },
  ],
  [
    'publish_on publish_from published_at published_on published_date published_from release_date release_at release_on embargo embargo_until valid_from visible_from scheduled_at scheduled_for go_live',
    { kind: 'from', reason: 'draft', isDocumented: false },
  ],
  [
    'expires expire expiry expires_at expires_on expire_at expire_on expire_date expiration expiration_date unpublish_on unpublished_at valid_until valid_to visible_until published_until publish_until',
    { kind: 'until', reason: 'draft', isDocumented: false },
  ],
  ['build _build cascade', { kind: 'generator', reason: 'private', isDocumented: true }],
  ['robots', { kind: 'robots', reason: 'private', isDocumented: false }],
];

/** The name of a field as the table compares it: `Is-Published`, `isPublished` and `is_published` are one key. */
export function visibilityKeyName(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, '');
}

/** The keys by their compared names, each with its name as an author writes it. */
const keys = new Map(
  table.flatMap(([names, key]) =>
    names.split(' ').map((written) => [visibilityKeyName(written), { key, written }] as const),
  ),
);

/** Common fields that are a letter away from one of the table, and mean something else. */
const ordinary = new Set(
  'group role rules data dates interval group lives link line like level list lists side sides tip zip title slate stats image action native hints project projected secrets version versions hides stake state rate update updated expert'.split(
    ' ',
  ),
);

/** Minimum length of a key that may be misspelt: shorter ones are one letter away from too many words. */
const minNearChars = 5;

export interface FoundKey {
  readonly key: VisibilityKey;
  /** The key that the author probably meant; `null` if it is this one. */
  readonly meant: string | null;
}

/** What a field says about visibility; `null` if it is about something else. The pages of a folder have the same few fields. */
export const findVisibilityKey: (field: string) => FoundKey | null = oncePerKey(findKey, 10_000);

function findKey(field: string): FoundKey | null {
  const name = visibilityKeyName(field);
  const known = keys.get(name);
  if (known !== undefined) return { key: known.key, meant: null };
  if (ordinary.has(name) || name.length < minNearChars - 1 || name.length > 24) return null;
  for (const [other, { key, written }] of keys) {
    if (other.length >= minNearChars && isNear(name, other)) return { key, meant: written };
  }
  return null;
}

/** Whether one letter was added, removed or replaced, or two neighbours were swapped. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return (
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  );
}

import { hash } from 'node:crypto';
import type { FeedPosition } from '../../../src/feed/history/write-history.ts';
import type {
  ChangeRecord,
  DocumentRecord,
  TombstoneRecord,
} from '../../../src/feed/records/record-schemas.ts';
import { expectSameJson } from './describe-files.ts';
import { type PublishedFeed, parseLines } from './read-feed.ts';
import type { World } from './world.ts';
import { composeBody } from './write-world.ts';

/** The feeds before and after a run, with its inputs. */
export interface History {
  readonly world: World;
  /** `null` if none was published. */
  readonly before: PublishedFeed | null;
  readonly after: PublishedFeed | null;
  /** Feed and run of the previous feed, and of the last build according to the cache. */
  readonly position: FeedPosition | null;
  readonly last: FeedPosition | null;
}

/** Fields that a change can list, in this order. */
const fields = [
  'title',
  'content',
  'url',
  'markdown_url',
  'category',
  'tags',
  'description',
  'created_at',
  'updated_at',
  'alternates',
  'translation',
  'headings',
  'links',
  'images',
] as const;

/**
 * Expects that the history of a feed matches its documents before and after the run: number of the run, changes of this and earlier runs,
 * tombstones, outdated translations.
 */
export function expectHistory(
  { world, before, after, position, last }: History,
  now: FeedPosition | null,
): void {
  if (after === null) throw new Error('a run without an error published no feed');
  // A new feed starts if there is none, or if the last build published a later run of it.
  const isBehind = position !== null && position.feedId === last?.feedId && position.seq < last.seq;
  const isNew = position === null || isBehind;
  expectSameJson('whether the feed has a new id', now?.feedId !== position?.feedId, isNew);
  const seqBefore = isNew ? Math.max(position?.seq ?? 0, last?.seq ?? 0) : position.seq;
  const changes = compareDocuments(world, before, after, seqBefore + 1);
  const seq = isNew || changes.length > 0 ? seqBefore + 1 : seqBefore;
  const keepRuns = world.config.feed?.keepRuns ?? 100;
  const first = isNew ? seq : Math.max(before?.manifest.changes.first ?? 1, seq - keepRuns + 1);
  const { run, changes: range } = after.manifest;
  expectSameJson('the range of changes', { ...range, seq: run.seq }, { first, last: seq, seq });
  for (let earlier = first; earlier <= seqBefore; earlier += 1) {
    expectSameJson(`changes of run ${earlier}`, after.changes(earlier), before?.changes(earlier));
    expectSameJson(`base of run ${earlier}`, baseOf(after, earlier), before && baseOf(before, earlier));
  }
  if (seq > seqBefore) {
    const published = parseLines<ChangeRecord>(after.changes(seq)).toSorted(byId);
    expectSameJson(`changes of run ${seq}`, published, changes);
    expectSameJson(`base of run ${seq}`, baseOf(after, seq), isNew ? undefined : before?.manifest.root_hash);
  }
  for (const dropped of [first - 1, seq + 1]) {
    expectSameJson(`changes of run ${dropped}`, after.changes(dropped), null);
  }
  const tombstones = buryDocuments(changes, before, after);
  expectSameJson('the tombstones', after.tombstones, tombstones);
  for (const document of after.documents.values()) {
    const expected = translationOf(document, world, before, after);
    expectSameJson(`translation of ${document.id}`, document.translation, expected);
  }
}

function compareDocuments(
  world: World,
  before: PublishedFeed | null,
  after: PublishedFeed,
  seq: number,
): readonly ChangeRecord[] {
  const changes: ChangeRecord[] = [];
  for (const [id, { article_id, language, hash: previous_hash }] of before?.documents ?? []) {
    if (after.documents.has(id)) continue;
    const reason = reasonOf(article_id, world, after);
    changes.push({ op: 'delete', id, article_id, language, seq, previous_hash, changed: [], reason });
  }
  for (const [id, document] of after.documents) {
    const { article_id, language } = document;
    const head = { id, article_id, language, seq, hash: document.hash };
    const old = before?.documents.get(id);
    if (old === undefined) changes.push({ op: 'upsert', ...head, changed: [] });
    else {
      const changed = fields.filter((field) => !isEqual(fieldOf(old, field), fieldOf(document, field)));
      const op = operationOf(changed, old.chunks_hash !== document.chunks_hash);
      if (op === null) continue;
      const record: ChangeRecord = { op, ...head, previous_hash: old.hash, changed: [...changed] };
      changes.push(op === 'touch' ? { ...record, ...touchedFields(document) } : record);
    }
  }
  return changes.sort(byId);
}

/** Fields that a consumer sets in the chunks of a touched document, without reading them. */
function touchedFields({ updated_at, translation }: DocumentRecord): Partial<ChangeRecord> {
  const date = updated_at === undefined ? {} : { updated_at };
  return { ...date, translation_outdated: translation.outdated };
}

/** `root_hash` of the previous feed of a run. */
function baseOf({ manifest }: PublishedFeed, run: number): string | undefined {
  return manifest.files.find(({ path }) => path === `feed/changes/${run}.jsonl`)?.base;
}

function fieldOf(document: DocumentRecord, field: (typeof fields)[number]): unknown {
  return field === 'content' ? document.content.markdown : document[field];
}

/** `null` if the document is unchanged. */
function operationOf(
  changed: readonly (typeof fields)[number][],
  isRecut: boolean,
): ChangeRecord['op'] | null {
  if (changed.includes('title') || changed.includes('content')) return 'upsert';
  if (changed.length === 0) return isRecut ? 'rechunk' : null;
  if (isRecut) return 'upsert';
  if (changed.includes('url')) return 'move';
  const ofOthers = ['updated_at', 'alternates', 'translation'];
  return changed.every((field) => ofOthers.includes(field)) ? 'touch' : 'upsert';
}

function reasonOf(articleId: string, world: World, after: PublishedFeed): TombstoneRecord['reason'] {
  if ([...after.documents.values()].some(({ article_id }) => article_id === articleId)) {
    return 'translation-withdrawn';
  }
  switch (world.hidden[articleId]?.reason) {
    case 'draft':
      return 'unpublished';
    case 'private':
    case 'restricted':
      return 'restricted';
    default:
      return 'deleted';
  }
}

function buryDocuments(
  changes: readonly ChangeRecord[],
  before: PublishedFeed | null,
  after: PublishedFeed,
): readonly TombstoneRecord[] {
  const buried = changes.flatMap(({ op, id, seq, reason }): TombstoneRecord[] => {
    const gone = before?.documents.get(id);
    if (op !== 'delete' || gone === undefined || reason === undefined) return [];
    const { article_id, language, url, hash: last_hash } = gone;
    return [{ id, article_id, language, deleted_seq: seq, last_url: url, last_hash, reason }];
  });
  const isNew = new Set(buried.map(({ id }) => id));
  const earlier = before?.tombstones ?? [];
  return [...earlier.filter(({ id }) => !isNew.has(id) && !after.documents.has(id)), ...buried].sort(byId);
}

/** A translation is outdated if its source changed after it, according to the previous feed. */
function translationOf(
  { id, article_id, language, translation }: DocumentRecord,
  { articles }: World,
  before: PublishedFeed | null,
  after: PublishedFeed,
): DocumentRecord['translation'] {
  const { source_language } = translation;
  const texts = articles[article_id]?.texts ?? {};
  const [own, source] = [language, source_language].map((tag) =>
    texts[tag] === undefined ? '' : hash('sha256', composeBody(texts[tag])),
  ) as [string, string];
  const isPublished = [...after.documents.values()].some(
    (other) => other.article_id === article_id && other.language === source_language,
  );
  if (language === source_language || !isPublished) return { source_language, outdated: false };
  const old = before?.documents.get(id)?.translation;
  const isSame = old?.source_language === source_language && old.body_hash === own;
  const basis = (isSame ? old.source_body_hash : undefined) ?? source;
  return { source_language, outdated: basis !== source, body_hash: own, source_body_hash: basis };
}

function isEqual(one: unknown, two: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(two);
}

function byId(one: { readonly id: string }, two: { readonly id: string }): number {
  return one.id < two.id ? -1 : 1;
}

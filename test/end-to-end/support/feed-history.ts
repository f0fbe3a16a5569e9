import { hash } from 'node:crypto';
import { feedLimits } from '../../../src/feed/feed-limits.ts';
import type { FeedPosition } from '../../../src/feed/history/feed-position.ts';
import type {
  ChangeRecord,
  DocumentRecord,
  RemovalReason,
} from '../../../src/feed/records/record-schemas.ts';
import { recordsIn } from '../../support/feed-records.ts';
import { expectSameJson } from './describe-files.ts';
import type { PublishedFeed } from './read-feed.ts';
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

/**
 * Expects that the history of a feed matches its documents before and after the run: number of the run, changes of this and earlier runs,
 * outdated translations.
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
  const changes = compareDocuments(world, before, after);
  const seq = isNew || changes.length > 0 ? seqBefore + 1 : seqBefore;
  const { run, changes: range } = after.manifest;
  const first = range?.first ?? seq + 1;
  expectSameJson('the last of the changes', { last: range?.last ?? seq, seq: run.seq }, { last: seq, seq });
  // Whether changes are published depends on their size; what is published must lead from the previous feed to this one.
  const least = Math.max(before?.manifest.changes?.first ?? seq, seq - feedLimits.keepRuns + 1);
  if (isNew || before === null) {
    expectSameJson('the first of the changes', first, seq + 1);
  } else expectSameJson('whether the first changes are kept ones', first >= least && first <= seq + 1, true);
  for (let earlier = first; earlier <= seqBefore; earlier += 1) {
    expectSameJson(
      `changes of run ${earlier}`,
      after.changes(earlier),
      withoutChanged(before?.changes(earlier) ?? null, changes),
    );
    expectSameJson(`base of run ${earlier}`, baseOf(after, earlier), before && baseOf(before, earlier));
  }
  if (seq > seqBefore && first <= seq) {
    const published = recordsIn<ChangeRecord>(after.changes(seq) ?? '')
      .map(withoutWas)
      .toSorted(byId);
    expectSameJson(`changes of run ${seq}`, published, changes);
    expectSameJson(`base of run ${seq}`, baseOf(after, seq), before?.manifest.run.state);
  }
  for (const dropped of [first - 1, seq + 1]) {
    expectSameJson(`changes of run ${dropped}`, after.changes(dropped), null);
  }
  const bytes = (kind: string) =>
    after.manifest.files.reduce((sum, file) => sum + (file.kind === kind ? file.bytes : 0), 0);
  expectSameJson(
    'whether changes are smaller',
    bytes('changes') <= bytes('documents') + bytes('chunks'),
    true,
  );
  for (const document of after.documents.values()) {
    const expected = translationOf(document, world, before, after);
    expectSameJson(`translation of ${document.id}`, document.translation, expected);
  }
}

function compareDocuments(
  world: World,
  before: PublishedFeed | null,
  after: PublishedFeed,
): readonly ChangeRecord[] {
  const changes: ChangeRecord[] = [];
  for (const [id, { article_id, language }] of before?.documents ?? []) {
    if (after.documents.has(id)) continue;
    changes.push({ op: 'delete', id, reason: reasonOf(article_id, language, world, after), was: '' });
  }
  for (const [id, document] of after.documents) {
    const chunks = after.chunks.get(id) ?? [];
    const isSame = isEqual([before?.documents.get(id), before?.chunks.get(id) ?? []], [document, chunks]);
    if (!isSame) changes.push({ op: 'upsert', document, chunks: [...chunks] });
  }
  return changes.map(withoutWas).sort(byId);
}

/** A change without the hash of what it replaces: verifying a feed compares that one. */
function withoutWas(change: ChangeRecord): ChangeRecord {
  return { ...change, was: '' };
}

/** `run.state` of the previous feed of a run. */
function baseOf({ manifest }: PublishedFeed, run: number): string | undefined {
  return manifest.files.find(({ path }) => path === `feed/changes/${run}.jsonl`)?.base;
}

function reasonOf(articleId: string, language: string, world: World, after: PublishedFeed): RemovalReason {
  const { languages } = world.config;
  const isRemoved = languages !== undefined && !languages.includes(language);
  const isPublished = [...after.documents.values()].some(({ article_id }) => article_id === articleId);
  const isElsewhere = world.hidden[articleId] === undefined && world.articles[articleId] !== undefined;
  if (isPublished || isElsewhere) return isRemoved ? 'language-removed' : 'translation-withdrawn';
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

/** Changes of an earlier run without documents that changed again. */
function withoutChanged(text: string | null, changes: readonly ChangeRecord[]): string | null {
  const ids = new Set(changes.map(idOf));
  const lines = text?.split('\n') ?? null;
  return (
    lines?.filter((line) => line === '' || !ids.has(idOf(JSON.parse(line) as ChangeRecord))).join('\n') ??
    null
  );
}

/**
 * A translation is of the version of its source that was published when it last changed or appeared, according to the previous feed; without
 * one, this is unknown.
 */
function translationOf(
  { id, article_id, language, translation }: DocumentRecord,
  { articles }: World,
  before: PublishedFeed | null,
  after: PublishedFeed,
): DocumentRecord['translation'] {
  const texts = articles[article_id]?.texts ?? {};
  const hashOf = (tag: string) =>
    hash('sha256', texts[tag] === undefined ? '' : composeBody(texts[tag])).slice(0, 16);
  if (translation === undefined || language === translation.source_language) return undefined;
  const { source_language } = translation;
  const isPublished = [...after.documents.values()].some(
    (other) => other.article_id === article_id && other.language === source_language,
  );
  const old = before?.documents.get(id);
  const hasChanged = old?.body_hash !== undefined && old.body_hash !== hashOf(language);
  const current = isPublished ? hashOf(source_language) : undefined;
  const earlier =
    old?.translation?.source_language === source_language ? old.translation.source_body_hash : undefined;
  const source = before !== null && (old === undefined || hasChanged) ? current : earlier;
  return { source_language, ...(source === undefined ? {} : { source_body_hash: source }) };
}

function isEqual(one: unknown, two: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(two);
}

function idOf(change: ChangeRecord): string {
  return change.op === 'delete' ? change.id : change.document.id;
}

function byId(one: ChangeRecord, two: ChangeRecord): number {
  return idOf(one) < idOf(two) ? -1 : 1;
}

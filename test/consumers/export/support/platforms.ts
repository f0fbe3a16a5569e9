import type { TargetName } from '../../../../src/consumers/export/target.ts';
import { recordUuid } from '../../../../src/feed/records/record-schemas.ts';
import { linesIn } from '../../../support/feed-records.ts';

/** A target that can load changes. */
export type ChangingTarget = Exclude<TargetName, 'parquet'>;

/** Content of a platform: everything sent of an item, by its id. */
export type PlatformStore = Map<string, unknown>;

/** Files of an export by path. */
export type ExportFiles = ReadonlyMap<string, string>;

/** A minimal model of a platform, as its vendor describes it: loads an export, or what `openExports().push` sent. */
type Platform = (files: ExportFiles, store: PlatformStore) => void;

/** Stands in for the vendor's parser; the test checks the shape. */
function parse<T>(text: string): T {
  return JSON.parse(text) as T;
}

interface Identified {
  readonly id: string;
}

/** Contents of the files whose names match, sorted by name. */
function matching(files: ExportFiles, pattern: RegExp): string[] {
  const paths = [...files.keys()].filter((path) => pattern.test(path)).sort();
  return paths.map((path) => files.get(path) ?? '');
}

/** Ids of passages that a push deletes. */
const deleted = (files: ExportFiles): string[] => matching(files, /^deletes\//).flatMap(linesIn);

/** A store of files, which takes over attributes of files it has. */
const openai: Platform = (files, store) => {
  for (const line of matching(files, /^upserts\//).flatMap(linesIn)) {
    const { id, file, attributes } = parse<Identified & { file: string; attributes: object }>(line);
    store.set(id, { content: files.get(file) ?? null, attributes });
  }
  for (const line of matching(files, /^updates\//).flatMap(linesIn)) {
    const { id, attributes } = parse<Identified & { attributes: object }>(line);
    store.set(id, { ...(store.get(id) as object), attributes });
  }
  for (const id of deleted(files)) store.delete(id);
};

const elastic: Platform = (files, store) => {
  for (const text of matching(files, /^upserts\//)) {
    const rest = linesIn(text);
    for (let line = rest.shift(); line !== undefined; line = rest.shift())
      store.set(parse<{ index: { _id: string } }>(line).index._id, parse(rest.shift() ?? ''));
  }
  for (const id of deleted(files)) store.delete(id);
};

const pinecone: Platform = (files, store) => {
  for (const line of matching(files, /^upserts\//).flatMap(linesIn)) {
    store.set(parse<{ _id: string }>(line)._id, parse(line));
  }
  for (const id of deleted(files)) store.delete(id);
};

interface Overwrite {
  readonly overwrite_payload: { readonly payload: object; readonly points: readonly string[] };
}

const qdrant: Platform = (files, store) => {
  for (const text of matching(files, /^upserts\//)) {
    for (const point of parse<{ points: Identified[] }>(text).points) store.set(point.id, point);
  }
  for (const line of matching(files, /^updates\//).flatMap(linesIn)) {
    const { overwrite_payload: change } = parse<Overwrite>(line);
    for (const id of change.points) store.set(id, { ...(store.get(id) as object), payload: change.payload });
  }
  for (const id of deleted(files)) store.delete(recordUuid(id));
};

const pgvector: Platform = (files, store) => {
  for (const text of matching(files, /^upserts\//)) {
    const [, rows = ''] = /FROM jsonb_to_recordset\('([\s\S]*?)^\]'\) AS rows/m.exec(text) ?? [];
    for (const row of parse<Identified[]>(`${rows.replaceAll("''", "'")}]`)) store.set(row.id, row);
  }
  for (const id of deleted(files)) store.delete(id);
};

const jsonLines: Platform = (files, store) => {
  for (const line of linesIn(files.get('chunks.jsonl') ?? ''))
    store.set(parse<Identified>(line).id, parse(line));
};

export const platforms: Readonly<Record<ChangingTarget, Platform>> = {
  openai,
  elasticsearch: elastic,
  pinecone,
  qdrant,
  pgvector,
  jsonl: jsonLines,
};

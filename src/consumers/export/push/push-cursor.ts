import type { AppliedDocument, FeedCursor } from '../../follow/feed-cursor.ts';
import type { RemoteIds } from './vendor.ts';

/** The state of a push: a feed cursor that also remembers the ids which the platform gave to items, and sends refused items again. */
export interface PushCursor extends FeedCursor {
  readonly ids: RemoteIds;
  /** Notes that the platform refused an upsert or a delete: the next push sends it again, also if this one is killed. */
  refuse(documentId: string, chunkId: string): void;
}

/** Adds to a cursor what a push has to remember. */
export function openPushCursor(cursor: FeedCursor): PushCursor {
  /** By id of the chunk. */
  const remoteIds = new Map<string, string[]>();
  const documents = new Map<string, string>();
  /** By id of the document. */
  const refused = new Map<string, Set<string>>();
  for (const document of cursor.all())
    for (const [id, own] of Object.entries(document.remoteIds ?? {})) remoteIds.set(id, own);

  /** Followers know neither remote ids nor refusals. */
  function complete({ chunks, ...document }: AppliedDocument): AppliedDocument {
    const again = refused.get(document.id);
    const texts = new Map(chunks);
    for (const id of again ?? []) texts.set(id, '');
    const own = [...texts.keys()].flatMap((id) => {
      const remote = remoteIds.get(id) ?? [];
      return remote.length === 0 ? [] : [[id, remote] as const];
    });
    return {
      ...document,
      hash: again === undefined ? document.hash : '',
      chunks: [...texts],
      remoteIds: own.length === 0 ? undefined : Object.fromEntries(own),
    };
  }

  function change(id: string, own: string[]): void {
    remoteIds.set(id, own);
    const document = cursor.find(documents.get(id) ?? '');
    if (document !== undefined) cursor.save([complete(document)]);
  }

  return {
    get run() {
      return cursor.run;
    },
    find: cursor.find,
    all: cursor.all,
    save(changed) {
      for (const { id, chunks } of changed) for (const [chunk] of chunks) documents.set(chunk, id);
      cursor.save(changed.map(complete));
    },
    remove: (ids) => cursor.remove(ids.filter((id) => !refused.has(id))),
    finish(run) {
      // The next push compares all documents, and finds those without a hash.
      const isIncomplete = run.applying === undefined && refused.size > 0;
      cursor.finish(isIncomplete ? { ...run, state: '' } : run);
    },
    ids: {
      of: (id) => remoteIds.get(id) ?? [],
      add: (id, remote) => change(id, [...(remoteIds.get(id) ?? []), remote]),
      remove: (id, remote) =>
        change(
          id,
          (remoteIds.get(id) ?? []).filter((each) => each !== remote),
        ),
    },
    refuse: (documentId, chunkId) =>
      refused.set(documentId, (refused.get(documentId) ?? new Set()).add(chunkId)),
  };
}

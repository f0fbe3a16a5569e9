import { type Problem, problem } from '../../core/problems.ts';
import type { ChunkRecord, DocumentRecord } from '../../feed/records/record-schemas.ts';
import type { FeedFollower } from '../follow/feed-follower.ts';
import { loneBytes, openBatches } from './batch-writer.ts';
import { passageFields } from './fields.ts';
import {
  type ItemFiles,
  type ItemProblem,
  type Target,
  type TargetItem,
  type TargetOptions,
  tooLarge,
} from './target.ts';

/** Writes changes of a feed as files of a platform. */
interface ItemWriter extends FeedFollower {
  /** Numbers of items so far. Updates are items whose searched text is unchanged. */
  readonly counts: { readonly upserts: number; readonly updates: number; readonly deletes: number };
  /** Completes the files. @returns their paths in the order of loading, without separate files of items */
  close(): Promise<readonly string[]>;
}

interface ItemWriterOptions extends TargetOptions {
  /** Whether the platform has nothing yet, so that nothing needs to be deleted. */
  readonly isFirst: boolean;
  readonly onProblem: (problem: Problem) => void;
}

/** Opens the files of a platform for items. They are created when their first entry arrives. */
export async function openItemWriter(
  target: Target,
  options: ItemWriterOptions,
  output: ItemFiles,
): Promise<ItemWriter> {
  const upserts = (await target.openUpserts?.(output)) ?? openBatches(output, target.upserts(options));
  const updates = target.updates === undefined ? null : openBatches(output, target.updates(options));
  const deletes = target.deletes && openBatches(output, target.deletes.format(options));
  const counts = { upserts: 0, updates: 0, deletes: 0 };
  const deleteItems = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) await deletes?.add(target.deletes?.entry(id) ?? '');
    counts.deletes += ids.length;
  };
  return {
    counts,
    async upsert(documents) {
      for (const { document, chunks, removedChunks } of documents) {
        const refused: string[] = [];
        for (const { chunk, embed } of chunks) {
          const item = makeItem(target, document, chunk, options);
          if (item === null) {
            refused.push(chunk.id);
            continue;
          }
          const isUpdate = !embed && updates !== null && item.update !== undefined;
          if (!isUpdate) for (const [path, content] of item.files ?? []) await output.write(path, content);
          counts[isUpdate ? 'updates' : 'upserts'] += 1;
          if (isUpdate) await updates.add(item.update ?? '');
          else await upserts.add(item.entry);
        }
        if (!options.isFirst) await deleteItems([...refused, ...removedChunks]);
      }
    },
    async delete(documents) {
      for (const { chunkIds } of documents) await deleteItems(chunkIds);
    },
    async close() {
      const batches = [await upserts.close(), await updates?.close(), await deletes?.close()];
      return batches.flatMap((paths) => paths ?? []);
    },
  };
}

/** Makes the item of a passage, and reports limits of the platform that it exceeds; `null` if the platform cannot accept it at all. */
function makeItem(
  target: Target,
  document: DocumentRecord,
  chunk: ChunkRecord,
  options: ItemWriterOptions,
): TargetItem | null {
  const report = ({ code, message }: ItemProblem): void =>
    options.onProblem(
      problem(code, message, { articleId: document.article_id, language: document.language }),
    );
  const item = target.item(passageFields(document, chunk), options);
  const fault = 'code' in item ? item : findOversize(chunk.id, item, target, options);
  if (fault !== null) report(fault);
  if ('code' in item || fault !== null) return null;
  item.problems?.forEach(report);
  return item;
}

/** Finds an entry that is too large even for a separate request. */
function findOversize(
  id: string,
  { entry: upsert, update }: TargetItem,
  { upserts, updates }: Target,
  options: TargetOptions,
): ItemProblem | null {
  for (const [entry, format] of [
    [upsert, upserts(options)],
    [update, updates?.(options)],
  ] as const) {
    if (entry === undefined || format === undefined) continue;
    const bytes = loneBytes(format, entry);
    if (bytes > format.maxBytes) return tooLarge(id, bytes, `a request has at most ${format.maxBytes}`);
  }
  return null;
}

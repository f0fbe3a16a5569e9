import { type Problem, problem } from '../../core/problems.ts';
import type { ChangedDocument, FeedFollower } from '../follow/feed-follower.ts';
import { loneBytes, openBatches } from './batch-writer.ts';
import { passageFields } from './fields.ts';
import {
  type BatchFormat,
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
  const makeItems = createItemMaker(target, options);
  const deleteItems = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) await deletes?.add(target.deletes?.entry(id) ?? '');
    counts.deletes += ids.length;
  };
  return {
    counts,
    async upsert(documents) {
      for (const changed of documents) {
        const items = makeItems(changed);
        for (const { item, embed, located } of items) {
          for (const each of located) options.onProblem(each);
          const isUpdate = !embed && updates !== null && item.update !== undefined;
          if (!isUpdate) for (const [path, content] of item.files ?? []) await output.write(path, content);
          counts[isUpdate ? 'updates' : 'upserts'] += 1;
          if (isUpdate) await updates.add(item.update ?? '');
          else await upserts.add(item.entry);
        }
        if (options.isFirst) continue;
        const made = new Set(items.map(({ id }) => id));
        const { chunks, removedChunks } = changed;
        const ids = [...chunks.map(({ chunk }) => chunk.id), ...removedChunks];
        await deleteItems(ids.filter((id) => !made.has(id)));
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

/** An item with the problems about platform limits. */
interface LocatedItem {
  readonly id: string;
  readonly item: TargetItem;
  readonly embed: boolean;
  readonly located: readonly Problem[];
}

/** Creates the function that makes the items of a document. Passages that the platform cannot accept at all are only reported. */
function createItemMaker(
  target: Target,
  options: ItemWriterOptions,
): (changed: ChangedDocument) => readonly LocatedItem[] {
  const formats = [target.upserts(options), target.updates?.(options) ?? null];
  return ({ document, chunks }) => {
    const locate = ({ code, message }: ItemProblem): Problem =>
      problem(code, message, { articleId: document.article_id, language: document.language });
    return chunks.flatMap(({ chunk, embed }) => {
      const item = target.item(passageFields(document, chunk), options);
      const fault = 'code' in item ? item : findOversize(chunk.id, item, formats);
      if (fault !== null) {
        options.onProblem(locate(fault));
        return [];
      }
      const whole = item as TargetItem;
      return [{ id: chunk.id, item: whole, embed, located: (whole.problems ?? []).map(locate) }];
    });
  };
}

/** Finds an entry that is too large even for a separate request. */
function findOversize(
  id: string,
  item: TargetItem,
  formats: readonly (BatchFormat | null)[],
): ItemProblem | null {
  const entries = [item.entry, item.update];
  for (const [at, format] of formats.entries()) {
    const entry = entries[at];
    if (format === null || entry === undefined) continue;
    const bytes = loneBytes(format, entry);
    if (bytes > format.maxBytes) return tooLarge(id, bytes, `a request has at most ${format.maxBytes}`);
  }
  return null;
}

import {
  type FeedItem,
  type RecordConsumer,
  readChunkLine,
  readDocumentLine,
  shortHash,
} from '../consumer/apply-records.ts';
import { type Problem, problem } from '../foundation/problems.ts';
import { loneBytes } from './batch-writer.ts';
import { articleFields, type ExportPassage, passageFields } from './fields.ts';
import { tooLarge } from './limits.ts';
import type { BatchFormat, ItemProblem, Made, Target, TargetItem, TargetOptions } from './target.ts';

/** An item with the problems of its limits. */
export interface ExportItem extends TargetItem {
  readonly located: readonly Problem[];
}

/** The record that items are made of. */
interface Origin {
  readonly articleId: string;
  readonly language: string;
}

/**
 * Gives how a target reads files of the feed.
 * @param onLeftOut called with what the platform cannot take at all
 */
export function createItemReader(
  target: Target,
  options: TargetOptions,
  onLeftOut: (problem: Problem) => void,
): RecordConsumer<ExportItem>['read'] {
  const formats = [target.upserts(options), target.updates?.(options) ?? null];
  function* toItems(made: Made, { articleId, language }: Origin): Generator<FeedItem<ExportItem>> {
    const locate = ({ code, message }: ItemProblem): Problem =>
      problem(code, message, { articleId, language });
    for (const item of made) {
      const fault = 'code' in item ? item : findOversize(item, formats);
      if (fault !== null) {
        onLeftOut(locate(fault));
        continue;
      }
      const value = { ...(item as TargetItem) };
      const whole = JSON.stringify([value.files, value.entry]);
      yield {
        id: value.id,
        embedHash: shortHash(value.searchText),
        hash: shortHash(whole),
        value: { ...value, located: value.problems.map(locate) },
      };
    }
  }
  if (target.reads === 'documents') {
    return function* readDocuments(lines, path) {
      for (const line of lines) {
        const article = articleFields(readDocumentLine(line, path));
        yield* toItems(target.items(article, options), article);
      }
    };
  }
  return function* readChunks(lines, path) {
    for (const passages of groupByDocument(lines, path)) {
      const [first] = passages;
      if (first !== undefined) yield* toItems(target.items(passages, options), first);
    }
  };
}

/** The passages of an article are neighbours in a file. */
function* groupByDocument(lines: Iterable<string>, path: string): Generator<readonly ExportPassage[]> {
  let group: ExportPassage[] = [];
  for (const line of lines) {
    const passage = passageFields(readChunkLine(line, path));
    if (group.length > 0 && group[0]?.documentId !== passage.documentId) {
      yield group;
      group = [];
    }
    group.push(passage);
  }
  if (group.length > 0) yield group;
}

/** An entry that a request of its own would be too large for. */
function findOversize(item: TargetItem, formats: readonly (BatchFormat | null)[]): ItemProblem | null {
  const entries = [item.entry, item.update ?? null];
  for (const [at, format] of formats.entries()) {
    const entry = entries[at] ?? null;
    if (format === null || entry === null) continue;
    const bytes = loneBytes(format, entry);
    if (bytes > format.maxBytes) return tooLarge(item.id, bytes, `a request has at most ${format.maxBytes}`);
  }
  return null;
}

import { type Problem, problem } from '../../core/problems.ts';
import type { ChunkRecord, DocumentRecord } from '../../feed/records/record-schemas.ts';
import { batchBytes } from './batches.ts';
import { passageFields } from './fields.ts';
import { type ItemProblem, type Target, type TargetItem, tooLarge } from './target.ts';

/**
 * Creates the function that makes the item of a passage, and reports limits of the platform that it exceeds; `null` if the platform cannot accept
 * it at all.
 */
export function createItemMaker(target: Target, collection: string, onProblem: (problem: Problem) => void) {
  const format = target.format(collection);
  return (document: DocumentRecord, chunk: ChunkRecord): TargetItem | null => {
    const report = ({ code, message }: ItemProblem): void =>
      onProblem(problem(code, message, { articleId: document.article_id, language: document.language }));
    const item = target.item(passageFields(document, chunk));
    if ('code' in item) {
      report(item);
      return null;
    }
    const bytes = batchBytes(format, item.entry);
    if (bytes > format.maxBytes) {
      report(tooLarge(chunk.id, bytes, `a request has at most ${format.maxBytes}`));
      return null;
    }
    item.problems?.forEach(report);
    return item;
  };
}

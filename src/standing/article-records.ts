import { join } from 'node:path';
import { removeQuietly } from '../output/remove-quietly.ts';
import type { WrittenFile } from '../output/written-files.ts';
import { type LastArticles, openLastArticles, type RecordHead } from './last-articles.ts';
import { type NextArticles, startNextArticles } from './next-articles.ts';

/** What runs publish of their articles, kept in the cache folder from one to the next. */
export interface ArticleRecords {
  /**
   * Opens what the last run left and starts what this one leaves.
   * @param hasPrevious whether the output that is replaced has a file; `null`: nothing may be repeated from there
   */
  begin(head: RecordHead, hasPrevious: ((file: WrittenFile) => boolean) | null): RunRecords;
  /** Makes this run's records those of the last one, once its output is in place. */
  commit(): void;
  /** Closes all, and gives up what was not committed. */
  close(): void;
  /** Makes the next run look at every article, whatever this one stumbled over. */
  forget(): void;
}

export interface RunRecords {
  readonly last: LastArticles | null;
  readonly next: NextArticles;
}

/** @param folder absolute path of the cache folder */
export function openArticleRecords(folder: string): ArticleRecords {
  const file = join(folder, 'last-articles');
  let run: RunRecords | null = null;
  return {
    begin(head, hasPrevious) {
      const last = hasPrevious === null ? null : openLastArticles(file, head, hasPrevious);
      run = { last, next: startNextArticles(file, head) };
      return run;
    },
    commit: () => run?.next.commit(),
    close() {
      run?.last?.close();
      run?.next.discard();
      run = null;
    },
    forget: () => removeQuietly(file),
  };
}

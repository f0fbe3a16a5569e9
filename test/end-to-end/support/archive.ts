import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OfflineProject } from '../../support/offline-project.ts';
import { copyTree } from './copy-tree.ts';
import type { Pick } from './edit.ts';

/** Where runs of a project are kept, the first one first. */
export interface Archive {
  /** Keeps output and cache as they are now. */
  keep(): void;
  /** Folder with the `out` and `cache` of some run; `null` before the first. */
  pick(pick: Pick): string | null;
  clear(): Promise<void>;
}

/** @param folder where runs are copied to; it need not exist */
export function createArchive({ cache, out }: OfflineProject, folder: string): Archive {
  let kept = 0;
  return {
    keep() {
      const run = join(folder, String(kept));
      copyTree(cache, join(run, 'cache'));
      copyTree(out, join(run, 'out'));
      kept += 1;
    },
    pick: (pick) => (kept === 0 ? null : join(folder, String(pick % kept))),
    async clear() {
      kept = 0;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OfflineProject } from '../../support/offline-project.ts';
import { copyTree } from './copy-tree.ts';
import type { Pick } from './edit.ts';

/** Copies of a project's runs, oldest first. */
export interface Archive {
  /** Copies the current output and cache. */
  keep(): void;
  /** Folder with the `out` and `cache` of a run; `null` if there is none. */
  pick(pick: Pick): string | null;
  /** Folder with the `out` and `cache` of the last run; `null` if there is none. */
  last(): string | null;
  clear(): Promise<void>;
}

/** @param folder target of the copies; it need not exist */
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
    last: () => (kept === 0 ? null : join(folder, String(kept - 1))),
    async clear() {
      kept = 0;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

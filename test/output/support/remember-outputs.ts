import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBuildCache } from '../../../src/cache/build-cache.ts';
import { outputMarker } from '../../../src/output/last-output.ts';
import type { OutputHistory, Staging } from '../../../src/output/staging.ts';
import { buildRecord } from '../../cache/support/build-record.ts';

/** Records of earlier builds of one output. */
export interface RememberedOutputs {
  readonly readHistory: () => OutputHistory;
  commit(staging: Staging): Promise<void>;
}

/** Records the files of outputs as `build` does. @param cacheFolder absolute path */
export function rememberOutputs(out: string, cacheFolder: string): RememberedOutputs {
  const cache = openBuildCache(cacheFolder);
  const base = join(cacheFolder, 'staging-base');
  return {
    readHistory: () => ({
      last: cache.findBuild(out)?.readFiles() ?? null,
      base,
      baseFiles: cache.findBuild(base)?.readFiles() ?? null,
    }),
    commit: (staging) =>
      staging.commit((fileTable) => {
        const manifest = readFileSync(join(staging.workspace().folder, outputMarker));
        cache.writeBuild(buildRecord(), manifest, fileTable);
      }),
  };
}

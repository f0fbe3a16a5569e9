import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PublishedFile } from '../../../src/output/output.ts';
import { outputMarker, type PublishedOutput } from '../../../src/output/previous-output.ts';
import type { Staging } from '../../../src/output/staging.ts';

/** Remembers the files of the last output, as the build database does. */
export interface RememberedOutputs {
  /** `null` if the output is not the last one. */
  readonly readPublished: () => PublishedOutput | null;
  commit(staging: Staging): Promise<void>;
  forget(): void;
}

export function rememberOutputs(out: () => string): RememberedOutputs {
  const readMarker = () => readFileSync(join(out(), outputMarker), 'utf8');
  let last: { readonly marker: string; readonly output: PublishedOutput } | null = null;
  return {
    readPublished: () => (last === null || last.marker !== readMarker() ? null : last.output),
    async commit(staging) {
      let files: readonly PublishedFile[] = [];
      const finishedMs = await staging.commit((published) => {
        files = published;
      });
      const byPath = new Map(files.map((file) => [file.path, file]));
      last = { marker: readMarker(), output: { files: byPath, finishedMs } };
    },
    forget() {
      last = null;
    },
  };
}

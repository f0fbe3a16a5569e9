import { fileListPath, type ListedFile } from './file-list.ts';
import { outputMarker } from './last-output.ts';

/**
 * The steps of an upload, in their order. After each file of each step, whatever a reader can reach on the target is there: new files
 * are reached only by what changes later, and nothing is deleted before nothing leads to it. The one
 * exception is the first upload: its `llms.txt` names the manifest, which is always last.
 */
export const uploadSteps = [
  '1-assets',
  '2-new-pages',
  '3-changed-files',
  '4-changed-pages',
  '5-feed',
  '6-manifest',
  '7-delete',
] as const;

export type UploadStep = (typeof uploadSteps)[number];

/** A file of the output or of the target. `sha256`: of the target's file, as long as the upload goes on; `null`: not known. */
export interface PlannedFile extends ListedFile {
  /** `null`: the target has this file already. */
  readonly step: UploadStep | null;
}

/**
 * Compares two lists of files, one file at a time.
 * @param output files of the output, sorted by path
 * @param target files of the target, sorted by path
 * @param isKept whether a path is one of the user's, which is never deleted
 */
export function* planUpload(
  output: Iterable<ListedFile>,
  target: Iterable<ListedFile>,
  isKept: (path: string) => boolean,
): Generator<PlannedFile> {
  const there = target[Symbol.iterator]();
  let old = there.next();
  const deletedBefore = function* (path: string | null): Generator<PlannedFile> {
    for (; !old.done && (path === null || old.value.path < path); old = there.next()) {
      const gone = old.value.path;
      if (gone !== fileListPath && !isKept(gone)) yield { path: gone, sha256: null, step: '7-delete' };
    }
  };
  for (const { path, sha256 } of output) {
    yield* deletedBefore(path);
    const found = old.done || old.value.path !== path ? null : old.value;
    const isSame = found !== null && sha256 !== null && sha256 === found.sha256;
    yield isSame ? { path, sha256, step: null } : { path, sha256: null, step: stepOf(path, found === null) };
    if (found !== null) old = there.next();
  }
  yield* deletedBefore(null);
}

/** Step of a file that is uploaded. @param isNew whether the target has none under this path */
export function stepOf(path: string, isNew: boolean): UploadStep {
  const name = path.replace(/\.(?:br|gz)$/, '');
  if (name.startsWith(outputMarker)) return '6-manifest';
  const isPage = name.endsWith('.html');
  // Files at the root are where readers and crawlers begin, also when they are new.
  if (isNew && name.includes('/')) return isPage ? '2-new-pages' : '1-assets';
  if (isPage) return '4-changed-pages';
  return !isNew && isFeedPath(name) ? '5-feed' : '3-changed-files';
}

/** Whether the manifest names a file of the output with its hash, so that the two should change within a moment. */
function isFeedPath(path: string): boolean {
  return /^feed\/|(?:^|\/)llms(?:-full)?(?:-\d+)?\.txt$|^[^/]+\/llms\//.test(path);
}

import { closeSync, lstatSync, openSync, readdirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { LecternError } from '../foundation/errors.ts';
import { makeFolder, writeAll, writeFileAtomically } from '../foundation/file-system.ts';
import { fileListPath, formatFileList, isFileList, type ListedFile, readFileList } from './file-list.ts';
import { linkOrCopy, statsOf } from './file-operations.ts';
import type { KeptFiles } from './foreign-files.ts';
import { outputMarker } from './last-output.ts';

/** The file that describes a plan and marks its folder. */
export const uploadPlanFile = 'upload-plan.json';

/** Plan of an upload. */
export interface UploadPlan {
  readonly schema: 'lectern.upload-plan/1';
  /** Whether the target has a list of its files. Without a list, everything is uploaded and nothing deleted. */
  readonly target: 'listed' | 'not listed' | 'damaged list';
  readonly steps: Readonly<Record<UploadStep, { readonly files: number; readonly bytes: number }>>;
  readonly unchanged: number;
}

interface UploadPlanInput {
  /** Absolute path of the output. */
  readonly output: string;
  /** The target's list of files; it need not exist. */
  readonly targetList: string;
  readonly kept: KeptFiles;
  /** Whether to also link the files of each step into a separate folder. */
  readonly link: boolean;
}

/** Maximum number of keys per S3 delete request. */
const deletesAtOnce = 1000;

/**
 * Writes the plan of an upload: a list of paths per step, the file list of the target during the upload (all files that may be there, with
 * hashes only of files that do not change), and the delete requests for S3. Keeps neither file list in memory.
 * @param folder empty
 * @throws UPLOAD_LIST_MISSING, UPLOAD_FILE_MISSING, UPLOAD_PATH_INVALID
 */
export function writeUploadPlan(
  folder: string,
  { output, targetList, kept, link }: UploadPlanInput,
): UploadPlan {
  const outputList = join(output, fileListPath);
  if (!isFileList(outputList)) {
    throw new LecternError('UPLOAD_LIST_MISSING', `${outputList} is missing or damaged`, {
      hint: 'run lectern build, and pass its output folder',
    });
  }
  const target = !statsOf(targetList) ? 'not listed' : isFileList(targetList) ? 'listed' : 'damaged list';
  // Programs that upload the folder of a step need it even if the step has no files.
  if (link) for (const step of uploadSteps) makeFolder(join(folder, step));
  const lists = openLists(folder, output, link);
  let unchanged = 0;
  try {
    for (const path of keptFiles(output, kept)) lists.add(stepOf(path, false), path);
    const planned = planUpload(
      readFileList(outputList),
      target === 'listed' ? readFileList(targetList) : [],
      kept.has,
    );
    const noted = function* () {
      for (const file of planned) {
        if (file.step === null) unchanged += 1;
        else lists.add(file.step, file.path);
        yield file;
      }
    };
    makeFolder(join(folder, '0-begin'));
    writeFileAtomically(join(folder, '0-begin', fileListPath), formatFileList(noted()));
    writeFileAtomically(join(folder, '8-end.txt'), [`${fileListPath}\n`]);
    if (link) linkFile(output, join(folder, '8-end'), fileListPath);
  } finally {
    lists.close();
  }
  const plan: UploadPlan = { schema: 'lectern.upload-plan/1', target, steps: lists.counts, unchanged };
  writeFileAtomically(join(folder, uploadPlanFile), [`${JSON.stringify(plan, null, 2)}\n`]);
  return plan;
}

function openLists(folder: string, output: string, link: boolean) {
  const counts = Object.fromEntries(
    uploadSteps.map((step) => [step, { files: 0, bytes: 0 }]),
  ) as unknown as Record<UploadStep, { files: number; bytes: number }>;
  const writers = new Map(uploadSteps.map((step) => [step, openLines(join(folder, `${step}.txt`))] as const));
  let keys: string[] = [];
  let requests = 0;
  const writeDeletes = (): void => {
    if (keys.length === 0) return;
    requests += 1;
    const request = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
    makeFolder(join(folder, '7-delete'));
    const name = `${String(requests).padStart(4, '0')}.json`;
    writeFileAtomically(join(folder, '7-delete', name), [JSON.stringify(request)]);
    keys = [];
  };
  return {
    counts,
    add(step: UploadStep, path: string): void {
      refuseControls(path);
      if (step === '7-delete') {
        keys.push(path);
        if (keys.length === deletesAtOnce) writeDeletes();
      } else {
        counts[step].bytes += statOutput(output, path).size;
        if (link) linkFile(output, join(folder, step), path);
      }
      writers.get(step)?.add(path);
      counts[step].files += 1;
    },
    close(): void {
      writeDeletes();
      for (const writer of writers.values()) writer.close();
    },
  };
}

function openLines(file: string) {
  const descriptor = openSync(file, 'w');
  let lines: string[] = [];
  const flush = (): void => {
    writeAll(descriptor, Buffer.from(lines.join('')));
    lines = [];
  };
  return {
    add(line: string): void {
      lines.push(`${line}\n`);
      if (lines.length === 1000) flush();
    },
    close(): void {
      flush();
      closeSync(descriptor);
    },
  };
}

/** Files of the user in the output, except those of a Git repository. */
function* keptFiles(output: string, { roots }: KeptFiles): Generator<string> {
  const visit = function* (path: string): Generator<string> {
    const stats = statsOf(join(output, path));
    if (stats?.isFile()) yield path;
    if (!stats?.isDirectory()) return;
    for (const name of readdirSync(join(output, path)).sort()) yield* visit(`${path}/${name}`);
  };
  for (const root of roots) if (root !== '.git') yield* visit(root);
}

function linkFile(output: string, folder: string, path: string): void {
  const file = join(folder, path);
  makeFolder(dirname(file));
  linkOrCopy(join(output, path), file);
}

function statOutput(output: string, path: string): Stats {
  const file = join(output, path);
  try {
    const stats = lstatSync(file);
    if (stats.isFile()) return stats;
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  throw new LecternError('UPLOAD_FILE_MISSING', `${file} is in ${fileListPath}, but missing`, {
    hint: 'run lectern build again, and plan the upload before the output changes',
  });
}

/** Refuses control characters: a program that reads the list would see two lines or another path. */
function refuseControls(path: string): void {
  if (!/[\u0000-\u001f\u007f]/.test(path)) return;
  throw new LecternError(
    'UPLOAD_PATH_INVALID',
    `${JSON.stringify(path)} contains a control character, so it cannot be listed`,
    {
      hint: 'rename the file in your public folder, or upload the site with a program that compares files',
    },
  );
}

/**
 * The steps of an upload, in order. After each file of each step, everything a reader can reach on the target exists: only later files link
 * to new files, and files are deleted last. The one exception is the first upload: its `llms.txt` links to the manifest, which is always
 * last.
 */
const uploadSteps = [
  '1-assets',
  '2-new-pages',
  '3-changed-files',
  '4-changed-pages',
  '5-feed',
  '6-manifest',
  '7-delete',
] as const;

type UploadStep = (typeof uploadSteps)[number];

/** A file of the output or of the target. `sha256`: that of the target's file during the upload; `null` if unknown. */
interface PlannedFile extends ListedFile {
  /** `null`: the target already has this file. */
  readonly step: UploadStep | null;
}

/**
 * Compares two lists of files, one file at a time.
 * @param output files of the output, sorted by path
 * @param target files of the target, sorted by path
 * @param isKept whether a path is a user's file, which is never deleted
 */
function* planUpload(
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

/** Step of a file to upload. @param isNew whether the target has no file at this path */
export function stepOf(path: string, isNew: boolean): UploadStep {
  const name = path.replace(/\.(?:br|gz)$/, '');
  if (name.startsWith(outputMarker)) return '6-manifest';
  const isPage = name.endsWith('.html');
  // Readers and crawlers start with files at the root, even if those are new.
  if (isNew && name.includes('/')) return isPage ? '2-new-pages' : '1-assets';
  if (isPage) return '4-changed-pages';
  return !isNew && isFeedPath(name) ? '5-feed' : '3-changed-files';
}

/** Whether the manifest lists a file with its hash, so that both should change almost at the same time. */
function isFeedPath(path: string): boolean {
  return /^feed\/|(?:^|\/)llms(?:-full)?(?:-\d+)?\.txt$|^[^/]+\/llms\//.test(path);
}

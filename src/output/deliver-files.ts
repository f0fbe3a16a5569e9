import { lstatSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listSome } from '../core/count-of.ts';
import { LecternError } from '../core/errors.ts';
import { hashFile, makeFolder, readFileOrNull, readJsonOrNull, readWholeFile } from '../core/file-system.ts';
import { z } from '../core/schema.ts';
import { formatStable } from '../core/stable-json.ts';
import { isInsideOutput } from './file-list.ts';
import { outputFault, statsOf } from './file-operations.ts';

/** Where delivered files are, and what lists them. */
export interface DeliveryPlace {
  /** Absolute path of a folder that somebody else writes, too. */
  readonly folder: string;
  /** A folder in it, relative to it, in which a foreign file at a path of ours is an error; elsewhere it is left. */
  readonly own: string;
  /** Path of the list of delivered files, in `own`. */
  readonly list: string;
  /** The file that is replaced after all others, because readers start with it; absent: the order is that of the files. */
  readonly last?: string;
  /** Whether people edit the delivered files: one that they removed is not written again; absent: no. */
  readonly isEdited?: boolean;
  /** Files of somebody else at our paths are replaced; absent: they are left. */
  readonly replacesForeign?: boolean;
}

/** A delivery that was planned and not made. */
interface Delivery {
  /** Paths at which the folder has other files than ours, or none (`isEdited`), which stay as they are; sorted. */
  readonly foreign: readonly string[];
  /** Those of them whose content is still as we delivered it before, so that nothing is lost by leaving them. */
  readonly edited: ReadonlySet<string>;
  /** Paths that are written where no file is. */
  readonly added: readonly string[];
  /** Paths of files that are replaced. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /**
   * Writes and removes files, each at once and completely. If it is killed, a repetition completes it.
   * @throws OUTPUT_UNWRITABLE
   */
  deliver(): void;
}

const listSchema = z.object({
  /** By path, the hashes of all contents that Lectern may have left there: two if a delivery was killed. */
  files: z.record(z.string(), z.array(z.string().regex(/^[0-9a-f]{64}$/))),
});

/** By path, the SHA-256 of each content that is ours. */
type OwnFiles = ReadonlyMap<string, readonly string[]>;

/**
 * Plans to put files into a folder that another program writes. A file of that folder is ours if the list of the last delivery has its
 * path and content; all others are neither replaced nor removed. The other program may have removed any of our files, or all.
 * @param from absolute path of the folder with the files to deliver
 * @param files their paths, relative to `from` and to the folder of the place
 * @throws OUTPUT_FOREIGN_FILES if a file of somebody else is in `place.own` at a path of ours
 */
export function planDelivery(from: string, files: readonly string[], place: DeliveryPlace): Delivery {
  const { folder, own, list, last, isEdited = false, replacesForeign = false } = place;
  const before = readList(join(folder, list));
  const hashAt = (path: string): string | 'none' | 'foreign' => {
    if (!hasPlainParents(folder, path)) return 'foreign';
    const stats = statsOf(join(folder, path));
    if (stats === null) return 'none';
    return stats.isFile() ? hashFile(join(folder, path)) : 'foreign';
  };
  const foreign: string[] = [];
  const edited = new Set<string>();
  const after = new Map<string, readonly string[]>();
  const added: string[] = [];
  const changed: string[] = [];
  for (const path of files) {
    const wanted = hashFile(join(from, path));
    const found = hashAt(path);
    const known = before.get(path) ?? [];
    const isOurs =
      found === 'none' ? !(isEdited && known.length > 0) : found === wanted || known.includes(found);
    if (isOurs || (replacesForeign && found !== 'foreign')) {
      after.set(path, [wanted]);
      if (found !== wanted) (found === 'none' ? added : changed).push(path);
    } else {
      foreign.push(path);
      if (known.length > 0) after.set(path, known);
      if (known.includes(wanted)) edited.add(path);
    }
  }
  const written = [...added, ...changed];
  refuseForeign(
    folder,
    foreign.filter((path) => path.startsWith(`${own}/`)),
  );
  const removed = [...before].flatMap(([path, hashes]) =>
    !after.has(path) && hashes.includes(hashAt(path)) ? [path] : [],
  );
  return {
    foreign: foreign.sort(),
    edited,
    added,
    changed,
    removed,
    deliver() {
      if (written.length + removed.length === 0 && formatList(before) === formatList(after)) return;
      const scratch = join(folder, own, scratchName);
      const replace = (path: string, write: (staged: string) => void): void => {
        const staged = join(scratch, 'file');
        write(staged);
        makeFolder(dirname(join(folder, path)));
        renameSync(staged, join(folder, path));
      };
      const replaceList = (files: OwnFiles): void => {
        const text = formatList(files);
        if (readFileOrNull(join(folder, list))?.toString() === text) return;
        replace(list, (staged) => writeFileSync(staged, text));
      };
      try {
        rmSync(scratch, { recursive: true, force: true });
        makeFolder(scratch);
        // Before any change, the list names what is there and what will be, so that a killed delivery leaves no file that nobody knows.
        replaceList(joinLists(before, after));
        for (const path of written.sort((a, b) => Number(a === last) - Number(b === last)))
          replace(path, (staged) => writeFileSync(staged, readWholeFile(join(from, path))));
        for (const path of removed) {
          unlinkSync(join(folder, path));
          removeEmptyParents(folder, path);
        }
        replaceList(after);
        rmSync(scratch, { recursive: true, force: true });
      } catch (error) {
        throw outputFault(error, join(folder, own));
      }
    },
  };
}

/** Files are complete before they get their names. It is in the folder itself, because a rename across disks is no rename. */
const scratchName = '.writing';

/** A folder of our path that is a link may lead anywhere, and a file cannot have ours below it. */
function hasPlainParents(folder: string, path: string): boolean {
  const parts = path.split('/').slice(0, -1);
  return parts.every((_, at) => {
    const stats = statsOf(join(folder, ...parts.slice(0, at + 1)));
    return stats === null || stats.isDirectory();
  });
}

function refuseForeign(folder: string, foreign: readonly string[]): void {
  if (foreign.length === 0) return;
  const message = `${folder} contains ${listSome(foreign, 1)}, which Lectern did not write`;
  throw new LecternError('OUTPUT_FOREIGN_FILES', message, {
    hint: 'move these files of your site to another path, or remove them if they are of an earlier feed',
  });
}

function removeEmptyParents(folder: string, path: string): void {
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    const parent = join(folder, at);
    if (!lstatSync(parent).isDirectory() || readdirSync(parent).length > 0) return;
    rmdirSync(parent);
  }
}

function joinLists(before: OwnFiles, after: OwnFiles): OwnFiles {
  const all = new Map(before);
  for (const [path, hashes] of after) all.set(path, [...new Set([...(all.get(path) ?? []), ...hashes])]);
  return all;
}

/** The delivered files; none if the list is lost or damaged: then no file of the folder is known as ours. */
function readList(path: string): OwnFiles {
  const { files } = listSchema.safeParse(readJsonOrNull(path)).data ?? { files: {} };
  return new Map(Object.entries(files).filter(([path]) => isInsideOutput(path)));
}

/** The same files give the same bytes. */
function formatList(files: OwnFiles): string {
  return formatStable({
    files: Object.fromEntries(Array.from(files, ([path, hashes]) => [path, hashes.toSorted()])),
  });
}

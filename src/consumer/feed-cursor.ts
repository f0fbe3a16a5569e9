import { hash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LecternError } from '../foundation/errors.ts';
import { makeFolder, writeFileAtomically } from '../foundation/file-system.ts';
import { z } from '../foundation/schema.ts';

/** State of one file of chunks at the consumer. */
export interface AppliedFile {
  /** Path in the feed. */
  readonly path: string;
  /** SHA-256 of the file. */
  readonly sha256: string;
  /** `part_bits` of its language: files with other bits have the same names. Absent in cursors of earlier versions. */
  readonly partBits?: number | undefined;
  /** Per chunk id: hash of the text to embed, and hash of the whole record. */
  readonly chunks: Readonly<Record<string, readonly [embedHash: string, recordHash: string]>>;
  /** Number of documents to which its chunks belong. */
  readonly documents: number;
  /** Chunks of an earlier state of the file that are not deleted from the target yet. */
  readonly stale: readonly string[];
  /** Set if the run that applied it did not finish: it may be newer than the saved manifest. */
  readonly isAhead?: boolean | undefined;
}

/** The last manifest that a consumer applied. */
export interface AppliedManifest {
  /** `null` if the server sends none. */
  readonly etag: string | null;
  readonly feedId: string;
  readonly rootHash: string;
  readonly seq: number;
  /** Time of its build, ISO 8601; `null` if the manifest names none. */
  readonly builtAt: string | null;
  /** Number of applied documents per language. */
  readonly documents: Readonly<Record<string, number>>;
  /** Program that made the feed; absent in cursors of earlier versions. */
  readonly generator?: string | undefined;
}

/** State of a consumer between runs, in a folder: one small file per file of chunks. */
export interface FeedCursor {
  /** `null` before the first complete run. */
  readonly manifest: AppliedManifest | null;
  /** By path in the feed. */
  readonly files: ReadonlyMap<string, AppliedFile>;
  saveFile(file: AppliedFile): void;
  removeFile(path: string): void;
  /** Records that everything up to this manifest was applied. */
  saveManifest(manifest: AppliedManifest): void;
}

/** Schema of {@link AppliedManifest} in a file. */
export const appliedManifestSchema = z.object({
  etag: z.string().nullable(),
  feedId: z.string(),
  rootHash: z.string(),
  seq: z.int(),
  builtAt: z.string().nullable(),
  documents: z.record(z.string(), z.int()),
  generator: z.string().optional(),
});
/** Schema of {@link AppliedFile} in a file. */
export const appliedFileSchema = z.object({
  path: z.string(),
  sha256: z.string(),
  partBits: z.int().optional(),
  chunks: z.record(z.string(), z.tuple([z.string(), z.string()])),
  documents: z.int(),
  stale: z.array(z.string()),
  isAhead: z.boolean().optional(),
});

/**
 * Opens the cursor in a folder, which is created if missing. Every file is replaced atomically, so that a killed run leaves the state
 * before or after a step.
 * @throws CURSOR_DAMAGED
 */
export function openFeedCursor(folder: string): FeedCursor {
  makeFolder(folder);
  const files = new Map<string, AppliedFile>();
  for (const name of readdirSync(folder)) {
    if (!name.startsWith('file-') || !name.endsWith('.json')) continue;
    const file = read(join(folder, name), appliedFileSchema);
    if (file !== null) files.set(file.path, file);
  }
  const manifestFile = join(folder, 'manifest.json');
  let manifest = read(manifestFile, appliedManifestSchema);
  return {
    get manifest() {
      return manifest;
    },
    files,
    saveFile(file) {
      writeFileAtomically(fileOf(folder, file.path), [JSON.stringify(file)]);
      files.set(file.path, file);
    },
    removeFile(path) {
      rmSync(fileOf(folder, path), { force: true });
      files.delete(path);
    },
    saveManifest(next) {
      writeFileAtomically(manifestFile, [JSON.stringify(next)]);
      manifest = next;
    },
  };
}

function fileOf(folder: string, path: string): string {
  return join(folder, `file-${hash('sha256', path).slice(0, 32)}.json`);
}

function read<T>(file: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new LecternError('CURSOR_DAMAGED', `${file} is not a feed cursor`, {
      hint: 'delete the cursor, empty the target, then run again',
      cause,
    });
  }
}

/** A cursor that writes nothing to disk until it is saved. */
export interface CursorFile extends FeedCursor {
  /** Replaces the file atomically; does nothing if the cursor has no file. Throws CURSOR_UNWRITABLE. */
  save(): void;
}

/** The owner of a cursor. */
export interface CursorOwner {
  /** Identifies the target: a cursor of another owner is refused. */
  readonly owner: string;
  /** Identifies how records are converted to items: if it changed, every file is read again and compared item by item. */
  readonly variant: string;
}

const cursorSchema = z.object({
  schema: z.literal('lectern/cursor/1'),
  owner: z.string(),
  variant: z.string(),
  manifest: appliedManifestSchema.nullable(),
  files: z.array(appliedFileSchema),
});

/**
 * Opens a cursor in one file, or only in memory (`null`).
 * @param path absolute; the file need not exist
 * @throws CURSOR_DAMAGED, CURSOR_OF_ANOTHER
 */
export function openCursorFile(path: string | null, { owner, variant }: CursorOwner): CursorFile {
  const stored = path === null ? null : read(path, cursorSchema);
  if (stored !== null && stored.owner !== owner) {
    throw new LecternError(
      'CURSOR_OF_ANOTHER',
      `${path} is the cursor of an export to ${stored.owner}, not to ${owner}`,
      { hint: 'use one cursor per target', exitCode: 2 },
    );
  }
  const isSame = stored?.variant === variant;
  // Of another variant, its counts and its run still tell what may be lost; its hash would say that there is nothing to do.
  let manifest =
    isSame || stored?.manifest == null
      ? (stored?.manifest ?? null)
      : { ...stored.manifest, etag: null, rootHash: '' };
  const files = new Map<string, AppliedFile>(
    (stored?.files ?? []).map((file) => [file.path, isSame ? file : { ...file, sha256: '' }]),
  );
  return {
    get manifest() {
      return manifest;
    },
    files,
    saveFile: (file) => void files.set(file.path, file),
    removeFile: (file) => void files.delete(file),
    saveManifest(next) {
      manifest = next;
    },
    save() {
      if (path === null) return;
      const content = { schema: 'lectern/cursor/1', owner, variant, manifest, files: [...files.values()] };
      try {
        makeFolder(dirname(path));
        writeFileAtomically(path, [JSON.stringify(content)]);
      } catch (cause) {
        throw new LecternError('CURSOR_UNWRITABLE', `the cursor ${path} cannot be written`, {
          hint: 'check that its folder is writable and the disk is not full; the export is complete and can be loaded',
          cause,
        });
      }
    },
  };
}

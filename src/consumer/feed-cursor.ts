import { hash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LecternError } from '../foundation/errors.ts';
import { makeFolder, writeFileAtomically } from '../foundation/file-system.ts';
import { z } from '../foundation/schema.ts';

/** What a consumer has of one file of chunks. */
export interface AppliedFile {
  /** Path in the feed. */
  readonly path: string;
  /** SHA-256 of the file. */
  readonly sha256: string;
  /** Per chunk id: hash of the text to embed, and hash of the whole record. */
  readonly chunks: Readonly<Record<string, readonly [embedHash: string, recordHash: string]>>;
  /** Chunks that an earlier state of the file had and that are not deleted at the target yet. */
  readonly stale: readonly string[];
  /** The run that applied it did not complete: it may be ahead of the manifest. */
  readonly isAhead?: boolean | undefined;
}

/** What a consumer read last. */
export interface AppliedManifest {
  /** `null` where the server sends none. */
  readonly etag: string | null;
  readonly feedId: string;
  readonly rootHash: string;
  readonly seq: number;
  /** Program that made the feed; absent in cursors of earlier versions. */
  readonly generator?: string | undefined;
}

/** What a consumer of a feed remembers between runs, in a folder: one small file per file of chunks. */
export interface FeedCursor {
  /** `null` before the first complete run. */
  readonly manifest: AppliedManifest | null;
  /** By path in the feed. */
  readonly files: ReadonlyMap<string, AppliedFile>;
  saveFile(file: AppliedFile): void;
  removeFile(path: string): void;
  /** Says that everything up to this manifest was applied. */
  saveManifest(manifest: AppliedManifest): void;
}

/** A {@link AppliedManifest} in a file. */
export const appliedManifestSchema = z.object({
  etag: z.string().nullable(),
  feedId: z.string(),
  rootHash: z.string(),
  seq: z.int(),
  generator: z.string().optional(),
});
/** An {@link AppliedFile} in a file. */
export const appliedFileSchema = z.object({
  path: z.string(),
  sha256: z.string(),
  chunks: z.record(z.string(), z.tuple([z.string(), z.string()])),
  stale: z.array(z.string()),
  isAhead: z.boolean().optional(),
});

/**
 * Opens the cursor in a folder, which is made if it is missing. Every file is replaced as a whole, so that a run that is
 * killed leaves the state before or after a step.
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
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new LecternError('CURSOR_DAMAGED', `${file} is not a cursor of a feed`, {
      hint: 'delete the cursor and everything loaded from the feed, then run again',
      cause,
    });
  }
}

import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { LecternError } from '../foundation/errors.ts';
import { makeFolder, writeFileAtomically } from '../foundation/file-system.ts';
import { z } from '../foundation/schema.ts';
import {
  type AppliedFile,
  appliedFileSchema,
  appliedManifestSchema,
  type FeedCursor,
} from './feed-cursor.ts';

/** A cursor that changes nothing on disk until it is saved. */
export interface CursorFile extends FeedCursor {
  /** Replaces the file as a whole; does nothing where the cursor has no file. Throws CURSOR_UNWRITABLE. */
  save(): void;
}

/** Whose cursor it is. */
export interface CursorOwner {
  /** What is brought up to date: with another one, the cursor is refused. */
  readonly owner: string;
  /** How records are turned into items: with another one, every file is read again and compared item by item. */
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
 * Opens a cursor in one file, or in memory alone (`null`).
 * @param path absolute; it need not be there yet
 * @throws CURSOR_DAMAGED, CURSOR_OF_ANOTHER
 */
export function openCursorFile(path: string | null, { owner, variant }: CursorOwner): CursorFile {
  const stored = path === null ? null : read(path);
  if (stored !== null && stored.owner !== owner) {
    throw new LecternError(
      'CURSOR_OF_ANOTHER',
      `${path} is the cursor of an export to ${stored.owner}, not to ${owner}`,
      { hint: 'use one cursor per target', exitCode: 2 },
    );
  }
  const isSame = stored?.variant === variant;
  let manifest = isSame ? stored.manifest : null;
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

function read(path: string): z.output<typeof cursorSchema> | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw damaged(path, error);
  }
  try {
    return cursorSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw damaged(path, cause);
  }
}

function damaged(path: string, cause: unknown): LecternError {
  return new LecternError('CURSOR_DAMAGED', `${path} is not a cursor of a feed`, {
    hint: 'delete it, empty the target, then run again',
    cause,
  });
}

import { appendFileSync, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { LecternError } from '../../core/errors.ts';
import { makeFolder, readWholeFile, writeFileAtomically } from '../../core/file-system.ts';
import { z } from '../../core/schema.ts';
import { acquireLock, type FolderLock } from '../../output/lock.ts';

const runSchema = z.object({
  feedId: z.string(),
  seq: z.int(),
  /** `run.state` of the manifest. */
  state: z.string(),
  /** `run.state` of a later run that was not completed: the target may have a part of it. */
  applying: z.string().optional(),
  /** Time of its build, ISO 8601; `null` if the manifest names none. */
  builtAt: z.string().nullable(),
  /** Languages that were applied, sorted. */
  languages: z.array(z.string()),
});

/** The last run that a consumer applied completely. */
export type AppliedRun = Readonly<z.output<typeof runSchema>>;

const documentSchema = z.object({
  id: z.string(),
  language: z.string(),
  /** Hash of the document and all its chunks; empty if the target may have something else. */
  hash: z.string(),
  /** Its chunks, by id, with the hashes of their texts; an empty hash if the target may have another text. */
  chunks: z.array(z.tuple([z.string(), z.string()])),
  /** Ids that the target itself gave to chunks, by id of the chunk: all that it may have. Absent if it gives none. */
  remoteIds: z.record(z.string(), z.array(z.string())).optional(),
});

/** What the target has of a document. */
export type AppliedDocument = Readonly<z.output<typeof documentSchema>>;

/** State of a consumer between runs. */
export interface FeedCursor {
  /** `null` before the first complete run. */
  readonly run: AppliedRun | null;
  find(documentId: string): AppliedDocument | undefined;
  all(): Iterable<AppliedDocument>;
  /** Stores documents; must be durable when it returns. */
  save(documents: readonly AppliedDocument[]): void;
  remove(documentIds: readonly string[]): void;
  /** Stores that everything up to this run was applied. */
  finish(run: AppliedRun): void;
}

/** The owner of a cursor. */
interface CursorOwner {
  /** Identifies the target: a cursor of another owner is refused. */
  readonly owner: string;
  /** Identifies how records are converted: if it changed, every document is applied again, without new embeddings. */
  readonly variant: string;
}

const headSchema = z.object({
  schema: z.literal('lectern/cursor/2'),
  owner: z.string(),
  variant: z.string(),
  run: runSchema.nullable(),
});

const lineSchema = z.union([documentSchema, z.object({ removed: z.array(z.string()) })]);

/**
 * Opens a cursor: a JSON Lines file, to which every step is appended, and which is replaced after each complete run. A killed run leaves
 * the state before or after a step.
 * @param file absolute; need not exist; `null`: the cursor is only in memory
 * @param lock of the file; `null`: the file is only read
 * @throws CURSOR_UNUSABLE; each change LOCKED if another run took the lock over, so that older texts do not follow newer ones
 */
export function openFeedCursor(
  file: string | null,
  { owner, variant }: CursorOwner,
  lock: FolderLock | null = null,
): FeedCursor {
  const stored = file === null ? null : readCursor(file);
  if (stored !== null && stored.head.owner !== owner) {
    throw new LecternError(
      'CURSOR_UNUSABLE',
      `${file} is the cursor of an export to ${stored.head.owner}, not to ${owner}`,
      { hint: 'use one cursor per target', exitCode: 2 },
    );
  }
  const documents = stored?.documents ?? new Map<string, AppliedDocument>();
  let run: AppliedRun | null = stored?.head.run ?? null;
  if (stored !== null && stored.head.variant !== variant) {
    // The texts are the same, so that embeddings stay valid.
    for (const document of documents.values()) documents.set(document.id, { ...document, hash: '' });
    // What the run published still tells what may be lost, but not that there is nothing to do.
    if (run !== null) run = { ...run, state: '' };
  }
  const change = (act: (path: string) => void): void => {
    if (file === null || lock === null) return;
    lock.assertHeld();
    try {
      act(file);
    } catch (cause) {
      throw unwritable(file, cause);
    }
  };
  const write = (): void =>
    change((path) => {
      makeFolder(dirname(path));
      const lines = [{ schema: 'lectern/cursor/2', owner, variant, run }, ...documents.values()];
      writeFileAtomically(
        path,
        lines.map((line) => `${JSON.stringify(line)}\n`),
        { flush: true },
      );
    });
  const append = (lines: readonly unknown[]): void => {
    if (file !== null && !existsSync(file)) write();
    else
      change((path) =>
        appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { flush: true }),
      );
  };
  // Repairs a last line that a killed run did not complete, which another line must not follow.
  if (stored !== null) write();
  return {
    get run() {
      return run;
    },
    find: (id) => documents.get(id),
    all: () => documents.values(),
    save(changed) {
      for (const document of changed) documents.set(document.id, document);
      append(changed);
    },
    remove(ids) {
      for (const id of ids) documents.delete(id);
      append([{ removed: ids }]);
    },
    finish(next) {
      run = next;
      write();
    },
  };
}

/** The same document and chunks, of which nothing is known but their ids. */
export function forgetHashes({ id, language, chunks }: AppliedDocument): AppliedDocument {
  return { id, language, hash: '', chunks: chunks.map(([chunk]) => [chunk, '']) };
}

/** Locks the file of a cursor, which need not exist. @throws LOCKED, CURSOR_UNUSABLE */
export async function lockCursor(file: string, signal?: AbortSignal): Promise<FolderLock> {
  try {
    makeFolder(dirname(file));
    return await acquireLock(`${file}.lock`, { folder: file, waitMs: 0, signal });
  } catch (cause) {
    throw cause instanceof LecternError || signal?.aborted === true ? cause : unwritable(file, cause);
  }
}

function unwritable(file: string, cause: unknown): LecternError {
  return new LecternError('CURSOR_UNUSABLE', `the cursor ${file} cannot be written`, {
    hint: 'check that its folder is writable and the disk is not full',
    cause,
  });
}

interface StoredCursor {
  readonly head: z.output<typeof headSchema>;
  readonly documents: Map<string, AppliedDocument>;
}

function readCursor(file: string): StoredCursor | null {
  try {
    const [first = '', ...lines] = readWholeFile(file).toString().split('\n');
    // The last piece is empty, or a line that a killed run did not complete.
    lines.pop();
    const documents = new Map<string, AppliedDocument>();
    for (const line of lines) {
      const entry = lineSchema.parse(JSON.parse(line));
      if ('id' in entry) documents.set(entry.id, entry);
      else for (const id of entry.removed) documents.delete(id);
    }
    return { head: headSchema.parse(JSON.parse(first)), documents };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new LecternError('CURSOR_UNUSABLE', `${file} is not a feed cursor`, {
      hint: 'delete the cursor, empty the target, then run again',
      cause,
    });
  }
}

import { closeSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { LecternError } from '../foundation/errors.ts';
import { makeFolder, writeAll, writeFileAtomically } from '../foundation/file-system.ts';
import { z } from '../foundation/schema.ts';
import type { AgreedRecord } from '../sync/merge-fields.ts';
import type { RecordKind } from '../sync/plan-sync.ts';
import { agreedRecord } from '../sync/state-file.ts';

const kind = z.enum(['article', 'category']);

const header = z.object({
  format: z.literal('lectern-copy'),
  version: z.literal(1),
  from: z.string(),
  to: z.string(),
});

/** `creating` is written before a record is created, `copied` afterwards. */
const line = z.union([
  z.object({ creating: kind, source: z.string(), before: z.array(z.string()) }),
  z.object({ copied: kind, source: z.string(), id: z.string(), agreed: agreedRecord }),
]);

/** The copy of a record at the time it was written. */
interface Copied {
  /** Id in the target. */
  readonly id: string;
  /** Hashes of the sent and of the stored record. */
  readonly agreed: AgreedRecord;
}

/** The copied records, by kind and id in the source: a file of JSON lines that grows during a copy. */
export interface CopyJournal {
  readonly copied: Readonly<Record<RecordKind, Map<string, Copied>>>;
  /**
   * Records whose creation was started but not confirmed → ids of target records that already had the same title. Only a target record not
   * in this list can be the copy.
   */
  readonly creating: Readonly<Record<RecordKind, Map<string, readonly string[]>>>;
  /** Writes what is known; later entries are appended. Throws COPY_STATE_UNWRITABLE. */
  begin(): void;
  noteCreating(kind: RecordKind, source: string, before: readonly string[]): void;
  noteCopied(kind: RecordKind, source: string, copied: Copied): void;
  close(): void;
}

/**
 * Opens the journal of a copy; writes nothing before `begin`.
 * @param from identifies the source, `to` the target: a journal of others is refused
 * @throws COPY_STATE_FOREIGN, COPY_STATE_INVALID (exit 2)
 */
export function openCopyJournal(path: string, from: string, to: string): CopyJournal {
  const copied = { article: new Map<string, Copied>(), category: new Map<string, Copied>() };
  const creating = {
    article: new Map<string, readonly string[]>(),
    category: new Map<string, readonly string[]>(),
  };
  for (const entry of readLines(path, from, to)) {
    if ('creating' in entry) creating[entry.creating].set(entry.source, entry.before);
    else {
      const { id, agreed } = entry;
      copied[entry.copied].set(entry.source, { id, agreed });
      creating[entry.copied].delete(entry.source);
    }
  }
  let descriptor: number | null = null;
  const append = (value: z.infer<typeof line>): void => {
    if (descriptor === null) return;
    writeAll(descriptor, Buffer.from(`${JSON.stringify(value)}\n`));
    // A `copied` entry lost in a power failure can be found again; a `creating` entry could not.
    if ('creating' in value) fsyncSync(descriptor);
  };
  return {
    copied,
    creating,
    begin() {
      const lines = [
        { format: 'lectern-copy', version: 1, from, to },
        ...(['category', 'article'] as const).flatMap((one) => [
          ...Array.from(copied[one], ([source, rest]) => ({ copied: one, source, ...rest })),
          ...Array.from(creating[one], ([source, before]) => ({ creating: one, source, before })),
        ]),
      ];
      try {
        makeFolder(dirname(path));
        writeFileAtomically(
          path,
          lines.map((one) => `${JSON.stringify(one)}\n`),
        );
        descriptor = openSync(path, 'a');
      } catch (cause) {
        throw new LecternError('COPY_STATE_UNWRITABLE', `${path} cannot be written`, {
          hint: 'nothing was copied; choose another file with --state',
          cause,
        });
      }
    },
    noteCreating(one, source, before) {
      creating[one].set(source, before);
      append({ creating: one, source, before: [...before] });
    },
    noteCopied(one, source, { id, agreed }) {
      copied[one].set(source, { id, agreed });
      creating[one].delete(source);
      append({ copied: one, source, id, agreed });
    },
    close() {
      if (descriptor !== null) closeSync(descriptor);
      descriptor = null;
    },
  };
}

/** An incomplete last line, from a killed process, is dropped. */
function readLines(path: string, from: string, to: string): readonly z.infer<typeof line>[] {
  const text = readTextOrNothing(path);
  if (text === null) return [];
  const complete = text.split('\n').slice(0, -1);
  const first = header.safeParse(parseLine(complete[0] ?? '')).data;
  if (first === undefined) throw invalid(path, 'it is not a file of lectern copy');
  if (first.from !== from || first.to !== to) {
    throw new LecternError(
      'COPY_STATE_FOREIGN',
      `${path} belongs to a copy from ${first.from} to ${first.to}, not from ${from} to ${to}`,
      { hint: 'choose another file with --state', exitCode: 2 },
    );
  }
  return complete.slice(1).map((one, index) => {
    const parsed = line.safeParse(parseLine(one));
    if (parsed.success) return parsed.data;
    throw invalid(path, `line ${index + 2} is invalid`);
  });
}

function readTextOrNothing(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw invalid(path, 'it cannot be read', error);
  }
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function invalid(path: string, why: string, cause?: unknown): LecternError {
  return new LecternError('COPY_STATE_INVALID', `${path} cannot be used: ${why}`, {
    hint: 'restore it (without it, articles are copied twice), or choose another file with --state',
    exitCode: 2,
    cause,
  });
}

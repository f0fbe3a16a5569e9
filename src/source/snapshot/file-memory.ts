import { once } from '../../core/concurrency.ts';

/**
 * Remembers what was made of the files of a folder in the last run, so that those that did not change need not be read again. What it
 * remembers is stored beside the bodies of the snapshot, so it must be public.
 */
export interface FileMemory {
  /**
   * Returns what was made of a file, or makes it. Values are plain data.
   * @param path identifies the file
   */
  get<Value>(path: string, file: RememberedFile<Value>): Value;
}

interface RememberedFile<Value> {
  /** Changes whenever the file is written (`ScannedFiles.stamps`); its last field is the change time, in milliseconds since 1970. */
  readonly stamp: string;
  /** SHA-256 of its content. Only called if the stamp leaves doubt. */
  readonly hash: () => string;
  readonly make: () => Value;
  /** Whether the value may be stored. Called when everything has been read; absent: yes. */
  readonly isPublic?: (value: Value) => boolean;
}

/** What is stored of a file. */
interface Remembered {
  readonly stamp: string;
  /** When its content was read, in milliseconds since 1970. */
  readonly readMs: number;
  readonly sha256: string;
  readonly value: unknown;
}

/**
 * How old a change must be when a file is read: times have steps of up to two seconds, so a file that changes directly after it was read may
 * have the same one.
 */
const settleMs = 3000;

/** Whether a file that changed last at a time was certainly not changed after it was read; both in milliseconds since 1970. */
export function isSettled(changedMs: number, readMs: number): boolean {
  return changedMs < readMs - settleMs;
}

/**
 * A memory for one run.
 * @param known what the last run stored, as text by path
 * @param store stores a text when everything has been read; `null`: nothing about the file may be stored
 * @param nowMs when this run began, before it read the files
 */
export function createFileMemory(
  known: (path: string) => string | null,
  store: (path: string, text: () => string | null) => void,
  nowMs: number,
): FileMemory {
  return {
    get(path, { stamp, hash, make, isPublic = () => true }) {
      type Value = ReturnType<typeof make>;
      const stored = known(path);
      const before = stored === null ? null : (JSON.parse(stored) as Remembered);
      const changedMs = Number(stamp.slice(stamp.lastIndexOf(' ') + 1));
      if (before?.stamp === stamp && isSettled(changedMs, before.readMs)) return before.value as Value;
      const sha256 = hash();
      const value = before?.sha256 === sha256 ? (before.value as Value) : make();
      store(path, () => (isPublic(value) ? toJson({ stamp, readMs: nowMs, sha256, value }) : null));
      return value;
    },
  };
}

/** `null` if the data is not the same when it is read again: JSON has no infinite numbers. */
function toJson(data: Remembered): string | null {
  let isSame = true;
  const text = JSON.stringify(data, (_key, value: unknown) => {
    if (typeof value === 'number' && !Number.isFinite(value)) isSame = false;
    return value;
  });
  return isSame ? text : null;
}

/** A memory of one program, which is not stored. */
export function createMemoryFiles(): (nowMs: number) => FileMemory {
  // Whether a value is public is only known when everything has been read.
  const known = new Map<string, () => string | null>();
  return (nowMs) =>
    createFileMemory(
      (path) => known.get(path)?.() ?? null,
      (path, textOf) => known.set(path, once(textOf)),
      nowMs,
    );
}

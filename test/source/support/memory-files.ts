import { once } from '../../../src/core/concurrency.ts';
import { createFileMemory, type FileMemory } from '../../../src/source/snapshot/file-memory.ts';

/** The memory of one test, which is not stored: each call is a run. */
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

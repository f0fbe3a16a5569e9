import type { SnapshotHeader } from '../snapshot/format.ts';

export interface FullReadSettings {
  /** See `source.fullReadHours` and `source.fullReadBytes` in the configuration. */
  readonly fullReadHours: number;
  readonly fullReadBytes: number;
  /** Name and version of the program. */
  readonly generator: string;
}

/**
 * Whether what the listing does not report as changed may be taken from the last snapshot: it is recent enough, and this
 * version of the program made it, whose rules for reading records are the same.
 */
export function isRecent(
  header: SnapshotHeader,
  { fullReadHours, generator }: FullReadSettings,
  nowMs: number,
): boolean {
  const ageMs = nowMs - header.fullReadAtMs;
  return header.generator === generator && ageMs >= 0 && ageMs < fullReadHours * 3_600_000;
}

/** Whether reading only what changed is worth it: a short list is read as fast with all its bodies, if it has them. */
export function isIncrementalDue(header: SnapshotHeader, settings: FullReadSettings, nowMs: number): boolean {
  const isLong = header.bodiesBytes > settings.fullReadBytes || !header.isListWithBodies;
  return isLong && isRecent(header, settings, nowMs);
}

import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readWholeFile } from '../../foundation/open-file.ts';
import { bodiesFilePattern, indexFile, type SnapshotHeader, trailerBytes } from './format.ts';

/**
 * The checksum of the snapshot in a cache folder, when it is sound: a snapshot with the same checksum is the same to the
 * byte. `null` where there is none, or where opening it would fail.
 */
export function checkSnapshot(folder: string): string | null {
  try {
    const index = readWholeFile(join(folder, indexFile));
    const end = index.length - trailerBytes;
    const sha256 = hash('sha256', index.subarray(0, end));
    if (index.toString('utf8', end) !== `${JSON.stringify({ sha256 })}\n`) return null;
    const header = JSON.parse(index.toString('utf8', 0, index.indexOf('\n'))) as SnapshotHeader;
    if (!bodiesFilePattern.test(header.bodiesFile)) return null;
    return statSync(join(folder, header.bodiesFile)).size === header.bodiesBytes ? sha256 : null;
  } catch {
    return null;
  }
}

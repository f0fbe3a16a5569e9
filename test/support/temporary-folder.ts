import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './at-end.ts';

/** A new folder, until the test ends, or outside of a test until the tests of the file end. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

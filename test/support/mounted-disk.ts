import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Mounting a disk requires root and kernel support. */
export const canMount = tryMount();

/** Mounts a small RAM disk at a folder, or remounts it with other options (`remount,ro`). */
export function mountDisk(folder: string, options: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
}

/** Lazily: the driver of SQLite may have a file open until the next collection of garbage. */
export function unmountDisk(folder: string): void {
  execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' });
}

function tryMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-mount-'));
  try {
    mountDisk(folder, 'size=64k');
    unmountDisk(folder);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

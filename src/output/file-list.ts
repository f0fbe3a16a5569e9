import { hash } from 'node:crypto';
import { readWholeFile } from '../core/file-system.ts';
import type { Output, WrittenFile } from './output.ts';
import { outputMarker } from './previous-output.ts';

/**
 * Lists every other file of an output, sorted: one line each with SHA-256, two spaces and path; then an empty line and the SHA-256 of the
 * lines. The manifest and files derived from it have `-` instead of a hash, because only they may change without an edit. Files in the
 * folder that are not listed were added by someone else.
 */
export const fileListPath = 'output-files.txt';

/** Stages the list of the output's files. Call it last. */
export async function writeFileList(output: Pick<Output, 'files' | 'write'>): Promise<void> {
  await output.write(fileListPath, formatFileList(output.files()));
}

/** @param files sorted by path */
export function formatFileList(files: Iterable<Pick<WrittenFile, 'path' | 'sha256'>>): string {
  const list = Array.from(
    files,
    ({ path, sha256 }) => `${path.startsWith(outputMarker) ? '-' : sha256}  ${formatPath(path)}`,
  ).join('\n');
  return `${list}\n\n${hash('sha256', list)}\n`;
}

/** The paths of a list; `null` if it is not complete: its checksum is wrong, or a path leads outside or is out of order. */
export function readFileList(file: string): readonly string[] | null {
  try {
    const [, list, digest] = /^(.*)\n\n([0-9a-f]{64})\n$/s.exec(readWholeFile(file).toString()) ?? [];
    if (list === undefined || digest !== hash('sha256', list)) return null;
    const paths: string[] = [];
    for (const line of list === '' ? [] : list.split('\n')) {
      const path = parsePath(line);
      if (path === null || !isInsideOutput(path) || path <= (paths.at(-1) ?? '')) return null;
      paths.push(path);
    }
    return paths;
  } catch {
    return null;
  }
}

/** Whether a path is relative, `/`-separated, and stays inside the folder. */
export function isInsideOutput(path: string): boolean {
  return !/(?:^|\/)\.{0,2}(?:\/|$)|[\\\0]/.test(path);
}

/** A path that would break the line, or that starts like JSON, is written as JSON. */
function formatPath(path: string): string {
  return /^"|[\t\n]/.test(path) ? JSON.stringify(path) : path;
}

function parsePath(line: string): string | null {
  const [, path] = /^(?:[0-9a-f]{64}|-) {2}(.+)$/s.exec(line) ?? [];
  return path?.startsWith('"') ? (JSON.parse(path) as string) : (path ?? null);
}

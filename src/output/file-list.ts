import { createHash, hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Output } from './output.ts';
import { outputMarker } from './previous-output.ts';

/**
 * Lists every other file of an output, sorted: one line each with SHA-256, two spaces and path; then an empty line and the SHA-256 of the
 * lines. The manifest and files derived from it have `-` instead of a hash, because only they may change without an edit. Files in the
 * folder that are not listed were added by someone else.
 */
export const fileListPath = 'output-files.txt';

/** A file of a list; `sha256` is `null` if it may change without an edit. */
interface ListedFile {
  readonly path: string;
  readonly sha256: string | null;
}

const blockBytes = 64 * 1024;
const unknown = '-';

/** Stages the list of the output's files. Call it last. */
export async function writeFileList(output: Pick<Output, 'files' | 'open'>): Promise<void> {
  const file = await output.open(fileListPath);
  for (const block of formatFileList(withoutVolatile(output.files()))) await file.write(block);
  await file.close();
}

function* withoutVolatile(files: Iterable<ListedFile>): Generator<ListedFile> {
  for (const { path, sha256 } of files) yield { path, sha256: path.startsWith(outputMarker) ? null : sha256 };
}

/** A list in blocks. @param files sorted by path */
export function* formatFileList(files: Iterable<ListedFile>): Generator<string> {
  const digest = createHash('sha256');
  let block = '';
  let isFirst = true;
  for (const { path, sha256 } of files) {
    block += `${isFirst ? '' : '\n'}${sha256 ?? unknown}  ${encodePathField(path)}`;
    isFirst = false;
    if (block.length < blockBytes) continue;
    digest.update(block);
    yield block;
    block = '';
  }
  digest.update(block);
  yield `${block}\n\n${digest.digest('hex')}\n`;
}

/** The paths of a list; `null` if it is not complete: its checksum is wrong, or a path leads outside or is out of order. */
export function readFileList(file: string): readonly string[] | null {
  try {
    const [, list, digest] = /^(.*)\n\n([0-9a-f]{64})\n$/s.exec(readFileSync(file, 'utf8')) ?? [];
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

function parsePath(line: string): string | null {
  const [, path] = /^(?:[0-9a-f]{64}|-) {2}(.+)$/s.exec(line) ?? [];
  return path === undefined ? null : decodePathField(path);
}

/** A path as a field. A path that would break the line, or that starts like JSON, is written as JSON. */
function encodePathField(path: string): string {
  return /^"|[\t\n]/.test(path) ? JSON.stringify(path) : path;
}

/** Reverses {@link encodePathField}. */
function decodePathField(field: string): string {
  return field.startsWith('"') ? (JSON.parse(field) as string) : field;
}

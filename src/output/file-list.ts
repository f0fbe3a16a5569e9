import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { openFile } from '../foundation/file-system.ts';
import { createLineCutter } from './blocks.ts';
import { decodePathField, encodePathField, outputMarker } from './last-output.ts';
import type { Output } from './output.ts';

/**
 * Lists every other file of an output, sorted: one line each with SHA-256, two spaces and path; then an empty line and the SHA-256 of the
 * lines. The manifest and files derived from it have `-` instead of a hash, because only they may change without an edit. Files in the
 * folder that are not listed were added by someone else. The published list shows which files the target of an upload has.
 */
export const fileListPath = 'output-files.txt';

/** A file of a list; `sha256` is `null` if its content is unknown. */
export interface ListedFile {
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

/** Whether a file is a complete list: its checksum is correct, and every path is inside the output and in order. */
export function isFileList(file: string): boolean {
  const digest = createHash('sha256');
  let last = '';
  let hashed = false;
  try {
    const lines = readLines(file);
    for (let next = lines.next(); !next.done; next = lines.next()) {
      if (next.value.length === 0) return String(lines.next().value ?? '') === digest.digest('hex');
      if (hashed) digest.update('\n');
      digest.update(next.value);
      hashed = true;
      const { path } = parseLine(String(next.value));
      if (!isInsideOutput(path) || path <= last) return false;
      last = path;
    }
    return false;
  } catch {
    return false;
  }
}

/** The files of a complete list ({@link isFileList}), one at a time. */
export function* readFileList(file: string): Generator<ListedFile> {
  for (const line of readLines(file)) {
    if (line.length === 0) return;
    yield parseLine(String(line));
  }
}

/** Whether a path is relative, `/`-separated, and stays inside the folder. */
export function isInsideOutput(path: string): boolean {
  return !/(?:^|\/)\.{0,2}(?:\/|$)|[\\\0]/.test(path);
}

/** Lists of earlier versions contain only paths. */
function parseLine(line: string): ListedFile {
  const [, sha256, path] = /^([0-9a-f]{64}|-) {2}(.+)$/s.exec(line) ?? [];
  if (path === undefined) return { path: decodePathField(line), sha256: null };
  return { path: decodePathField(path), sha256: sha256 === unknown ? null : (sha256 as string) };
}

function* readLines(file: string): Generator<Uint8Array> {
  const cutter = createLineCutter();
  const block = Buffer.allocUnsafe(blockBytes);
  const descriptor = openFile(file);
  try {
    for (;;) {
      const bytes = readSync(descriptor, block);
      if (bytes === 0) break;
      for (const line of cutter.cut(block.subarray(0, bytes))) yield line;
    }
    yield* cutter.end();
  } finally {
    closeSync(descriptor);
  }
}

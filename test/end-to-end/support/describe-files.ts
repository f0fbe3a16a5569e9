import { hash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from './copy-tree.ts';

/** State of a file of an output: its content and its identity on disk. */
export interface FileState {
  /** Content; of a manifest, without time and feed id. */
  readonly content: Buffer;
  readonly sha256: string;
  readonly inode: number;
  readonly mtimeMs: number;
}

/** Files by path relative to their folder. */
export type FileStates = ReadonlyMap<string, FileState>;

const manifest = 'feed/manifest.json';
const volatile = /"(built_at|feed_id)": ?"[^"]*"/g;

/** All files of a folder; empty if it does not exist. */
export function describeFiles(folder: string): FileStates {
  const states = new Map<string, FileState>();
  for (const path of listFiles(folder)) {
    const file = join(folder, path);
    const { ino: inode, mtimeMs } = lstatSync(file);
    const bytes = readFileSync(file);
    const content = path === manifest ? Buffer.from(String(bytes).replace(volatile, '"$1": ""')) : bytes;
    states.set(path, { content, sha256: hash('sha256', content), inode, mtimeMs });
  }
  return states;
}

/** @throws with the first path that differs if two folders do not have the same content */
export function expectSameFiles(
  [name, actual]: readonly [name: string, files: FileStates],
  [other, expected]: readonly [name: string, files: FileStates],
): void {
  const paths = [...new Set([...actual.keys(), ...expected.keys()])].sort();
  const differing = paths.filter((path) => actual.get(path)?.sha256 !== expected.get(path)?.sha256);
  const [path] = differing;
  if (path === undefined) return;
  const difference = describeDifference(actual.get(path)?.content, expected.get(path)?.content);
  throw new Error(
    `${differing.length} of ${paths.length} files differ; the first is ${path} (- ${name}, + ${other})\n${difference}`,
  );
}

/** @throws with the first path whose content is unchanged although the file was replaced */
export function expectUnmoved(before: FileStates, after: FileStates): void {
  for (const [path, file] of after) {
    const old = before.get(path);
    if (path === manifest || old === undefined || old.sha256 !== file.sha256) continue;
    if (old.inode === file.inode && old.mtimeMs === file.mtimeMs) continue;
    throw new Error(
      `${path} has the content it had, and another ${old.inode === file.inode ? 'time' : 'inode'}`,
    );
  }
}

/** @throws with the first line that differs if two values are not the same JSON */
export function expectSameJson(what: string, actual: unknown, expected: unknown): void {
  const [left, right] = [actual, expected].map((value) => JSON.stringify(sortKeys(value), null, 1));
  if (left === right) return;
  const difference = describeDifference(Buffer.from(left ?? ''), Buffer.from(right ?? ''));
  throw new Error(`${what} differs (- actual, + expected)\n${difference}`);
}

/** Sorts keys, because their order is irrelevant. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sortKeys(each)]));
}

const widest = 160;

/** The first line that differs, shortened to the difference. */
function describeDifference(actual: Buffer | undefined, expected: Buffer | undefined): string {
  if (actual === undefined) return '- is not there';
  if (expected === undefined) return '+ is not there';
  const [left, right] = [actual, expected].map((content) => content.toString('latin1').split('\n'));
  const line = (left ?? []).findIndex((text, at) => text !== right?.[at]);
  const at = line < 0 ? (left?.length ?? 0) : line;
  const [one = '', two = ''] = [left?.[at], right?.[at]];
  let column = 0;
  while (column < one.length && one[column] === two[column]) column += 1;
  const from = Math.max(0, column - widest / 2);
  const cut = (text: string | undefined): string =>
    text === undefined
      ? '(end of file)'
      : JSON.stringify(Buffer.from(text.slice(from, from + widest), 'latin1').toString());
  return `line ${at + 1}, column ${column + 1}\n- ${cut(left?.[at])}\n+ ${cut(right?.[at])}`;
}

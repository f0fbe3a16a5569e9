import { mkdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A change of a file. */
export type FileChange = (file: string) => Promise<void>;

/** Damages by description. */
export const damages: Readonly<Record<string, FileChange>> = {
  'is deleted': (file) => rm(file),
  'is cut': async (file) => truncate(file, Math.floor((await stat(file)).size / 2)),
  'is altered': rewrite((bytes) => {
    if (bytes.length > 3) bytes.set([0x20, 0x37, 0x20], Math.floor(bytes.length / 3));
    return bytes;
  }),
  'is emptied': (file) => truncate(file),
  'has nothing but zeros': rewrite((bytes) => bytes.fill(0)),
  'has one bit flipped': flipBit(0.5),
  'is longer': rewrite((bytes) => Buffer.concat([bytes, Buffer.from('{"more":true}\n')])),
  'is JSON of somebody else': (file) => writeFile(file, '{"version":1,"files":[]}\n'),
  'says it is of another version': rewrite((bytes) =>
    Buffer.from(bytes.toString('latin1').replace(/"(version|schema)":("[^"]*\/)?\d+/, '"$1":$20'), 'latin1'),
  ),
  'is a folder': async (file) => {
    await rm(file);
    await mkdir(join(file, 'inside'), { recursive: true });
  },
};

/** The same change with size and time preserved, as far as possible. */
export function keepingTime(change: FileChange): FileChange {
  return async (file) => {
    const { atime, mtime } = await stat(file);
    await change(file);
    await utimes(file, atime, mtime).catch(() => {});
  };
}

/** Swaps two files. */
export async function exchange(one: string, two: string): Promise<void> {
  if (one === two) return;
  const aside = `${one}.aside`;
  await rename(one, aside);
  await rename(two, one);
  await rename(aside, two);
}

/** @param part position in the file, from 0 to 1 */
export function flipBit(part: number): FileChange {
  return rewrite((bytes) => {
    const at = Math.floor(bytes.length * part);
    return bytes.length === 0 ? bytes : bytes.fill((bytes[at] ?? 0) ^ 4, at, at + 1);
  });
}

function rewrite(change: (bytes: Buffer) => Buffer): FileChange {
  return async (file) => writeFile(file, change(await readFile(file)));
}

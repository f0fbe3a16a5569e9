import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { formatFileTable, parseFileTable, type RecordedFile } from '../../src/output/last-output.ts';
import { fc } from '../support/properties.ts';

/** Files at these paths, each with a different hash, size, time and inode. */
function tableOf(paths: readonly string[], folders: readonly (readonly [string, number])[] = []) {
  const files = paths.toSorted().map((path, at): readonly [string, RecordedFile] => [
    path,
    {
      sha256: hash('sha256', path),
      bytes: at * 2 ** 24,
      mtimeMs: 1_700_000_000_000.125 + at,
      inode: 2 ** 40 + at,
    },
  ]);
  return {
    files,
    table: Buffer.concat(Array.from(formatFileTable(files, folders), (block) => Buffer.from(block))),
  };
}

/** Small blocks that share memory. */
function blocksOf(table: Buffer): Iterable<Uint8Array> {
  return {
    *[Symbol.iterator]() {
      const memory = Buffer.alloc(50);
      for (let at = 0; at < table.length; at += memory.length) {
        yield memory.subarray(0, table.copy(memory, 0, at));
      }
    },
  };
}

describe('the table of an output’s files', () => {
  it('returns every file and folder, whatever its name, and no others', { tags: 'property' }, () => {
    const anyPath = fc.string({ unit: 'grapheme', minLength: 1 });
    const anyPaths = fc.uniqueArray(fc.oneof(anyPath, fc.constantFrom('a\tb', 'a\nb', '"a"', '"')));
    fc.assert(
      fc.property(anyPaths, anyPath, anyPaths, (paths, other, folders) => {
        const times = folders.map((path, at) => [path, 1_700_000_000_000.5 + at] as const);
        const { files, table } = tableOf(paths, times);
        const last = parseFileTable(blocksOf(table));
        expect([...(last?.paths() ?? [])]).toEqual(paths.toSorted());
        expect([...(last?.files() ?? [])]).toEqual(files);
        expect(files.map(([path]) => last?.find(path))).toEqual(files.map(([, file]) => file));
        expect([...(last?.folders() ?? [])]).toEqual(times);
        if (!paths.includes(other)) expect(last?.find(other)).toBeNull();
      }),
    );
  });

  it('is empty if there was no file', () => {
    const last = parseFileTable([tableOf([]).table]);
    expect([...(last?.paths() ?? ['?'])]).toEqual([]);
    expect(last?.find('a')).toBeNull();
  });

  it('finds a path that is longer than all before it, and not one that goes on', () => {
    const long = `${'文/'.repeat(500)}index.html`;
    const { table, files } = tableOf(['a', long]);
    const last = parseFileTable(blocksOf(table));
    expect(last?.find(`${long}.br`)).toBeNull();
    expect(last?.find(long)).toEqual(files[1]?.[1]);
    expect(last?.find('a')).toEqual(files[0]?.[1]);
  });

  it.each(['zlib', 'brotli'] as const)('is not read if another %s compressed the copies', (library) => {
    const { table } = tableOf(['a']);
    const other = table.toString().replace(process.versions[library] ?? '', '0');
    expect(parseFileTable(blocksOf(table))).not.toBeNull();
    expect(parseFileTable([Buffer.from(other)])).toBeNull();
  });
});

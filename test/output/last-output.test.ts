import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { formatFileTable, parseFileTable } from '../../src/output/last-output.ts';
import { WrittenFiles } from '../../src/output/written-files.ts';
import { fc } from '../support/properties.ts';

/** Files of these paths, each with a hash, size, time and inode of its own. */
function tableOf(paths: readonly string[]) {
  const files = WrittenFiles.of(
    paths.map((path, at) => ({ path, sha256: hash('sha256', path), bytes: at * 2 ** 24 })),
  );
  const times = Float64Array.from({ length: files.length }, (_none, at) => 1_700_000_000_000.125 + at);
  const inodes = Float64Array.from({ length: files.length }, (_none, at) => 2 ** 40 + at);
  const known = [...files].map(({ sha256, bytes }, at) => ({
    sha256,
    bytes,
    mtimeMs: times[at],
    inode: inodes[at],
  }));
  return { files, times, inodes, known, table: Buffer.from(formatFileTable(files, { times, inodes })) };
}

describe('the table of an output’s files', () => {
  it('gives back every file and knows no other', { tags: 'property' }, () => {
    const anyPath = fc.string({ unit: 'grapheme', minLength: 1 }).filter((path) => !/[\t\n]/.test(path));
    fc.assert(
      fc.property(fc.uniqueArray(anyPath), anyPath, (paths, other) => {
        const { files, known, table } = tableOf(paths);
        const last = parseFileTable(table);
        expect([...(last?.paths() ?? [])]).toEqual([...files].map(({ path }) => path));
        expect([...files].map(({ path }) => last?.find(path))).toEqual(known);
        if (files.indexOf(other) < 0) expect(last?.find(other)).toBeNull();
      }),
    );
  });

  it('is empty where there was no file', () => {
    const last = parseFileTable(tableOf([]).table);
    expect([...(last?.paths() ?? ['?'])]).toEqual([]);
    expect(last?.find('a')).toBeNull();
  });

  it('finds a path that is longer than all before it, and not one that goes on', () => {
    const long = `${'文/'.repeat(500)}index.html`;
    const { table, known } = tableOf(['a', long]);
    const last = parseFileTable(table);
    expect(last?.find(`${long}.br`)).toBeNull();
    expect(last?.find(long)).toEqual(known[1]);
    expect(last?.find('a')).toEqual(known[0]);
  });

  it('leaves out what is not as it was written, or has a name that would not fit', () => {
    const { files, times, inodes } = tableOf(['a', 'b\tc', 'd\ne', 'f']);
    times[0] = Number.NaN;
    const table = Buffer.from(formatFileTable(files, { times, inodes }));
    expect([...(parseFileTable(table)?.paths() ?? [])]).toEqual(['f']);
  });

  it.each(['zlib', 'brotli'] as const)('is not read where another %s compressed the copies', (library) => {
    const { table } = tableOf(['a']);
    const other = table.toString().replace(process.versions[library] ?? '', '0');
    expect(parseFileTable(table)).not.toBeNull();
    expect(parseFileTable(Buffer.from(other))).toBeNull();
  });
});

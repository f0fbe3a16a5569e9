import { describe, expect, it } from 'vitest';
import { createMemoryFiles } from '../../../src/source/snapshot/file-memory.ts';

/** A file whose last change was at a time, in milliseconds. */
const file = (content: string, changedMs: number, log: string[], value: unknown = content) => ({
  stamp: `1 ${content.length} 5 ${changedMs}`,
  hash: () => {
    log.push('hash');
    return content;
  },
  make: () => {
    log.push('make');
    return value;
  },
});

describe('the memory of files', () => {
  it('neither opens a file nor makes anything of it, if it has not changed since', () => {
    const open = createMemoryFiles();
    open(100_000).get('a.md', file('one', 5000, []));
    const log: string[] = [];
    expect(open(200_000).get('a.md', file('one', 5000, log, 'other'))).toBe('one');
    expect(log).toEqual([]);
  });

  it.each([
    ['was read directly after it had changed', 5000, 5000, 6000],
    ['has a later change time, such as one that was copied', 5000, 90_000, 100_000],
  ])('compares the content of a file that %s', (_what, before, now, readMs) => {
    const open = createMemoryFiles();
    open(readMs).get('a.md', file('one', before, []));
    const same: string[] = [];
    expect(open(200_000).get('a.md', file('one', now, same, 'other'))).toBe('one');
    expect(same).toEqual(['hash']);
    const settled: string[] = [];
    open(300_000).get('a.md', file('one', now, settled));
    expect(settled).toEqual([]);
  });

  it('makes a value again if the content is another one', () => {
    const open = createMemoryFiles();
    open(100_000).get('a.md', file('one', 5000, []));
    const log: string[] = [];
    expect(open(200_000).get('a.md', file('two', 150_000, log))).toBe('two');
    expect(log).toEqual(['hash', 'make']);
  });

  it.each([
    ['is not public', { isPublic: () => false }, 'x'],
    ['JSON would change', {}, { weight: Number.POSITIVE_INFINITY }],
  ])('stores nothing that %s', (_what, more, value) => {
    const open = createMemoryFiles();
    open(100_000).get('a.md', { ...file('one', 5000, [], value), ...more });
    const log: string[] = [];
    expect(open(200_000).get('a.md', file('one', 5000, log, value))).toEqual(value);
    expect(log).toEqual(['hash', 'make']);
  });
});

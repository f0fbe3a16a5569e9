import { describe, expect, test } from 'vitest';
import { diffLines } from '../../src/core/diff-lines.ts';

describe('a difference of lines', () => {
  test('is empty between equal texts', () => {
    expect(diffLines('a\nb', 'a\nb')).toEqual([]);
  });

  test('shows changes with three lines around, and skips the rest', () => {
    const before = Array.from({ length: 12 }, (_, index) => `line ${index}`);
    const after = before.with(6, 'changed');
    expect(diffLines(before.join('\n'), after.join('\n'))).toEqual([
      '…',
      ' line 3',
      ' line 4',
      ' line 5',
      '-line 6',
      '+changed',
      ' line 7',
      ' line 8',
      ' line 9',
      '…',
    ]);
  });

  test('shows lines that were only added or only removed', () => {
    expect(diffLines('a\nc', 'a\nb\nc')).toEqual([' a', '+b', ' c']);
    expect(diffLines('a\nb\nc', 'a\nc')).toEqual([' a', '-b', ' c']);
  });

  test('takes the end of the text for a line like the others', () => {
    expect(diffLines('a', 'a\n')).toEqual([' a', '+']);
    expect(diffLines('a\nb', 'b')).toEqual(['-a', ' b']);
  });
});

import { describe, expect, test } from 'vitest';
import { diffLines, mergePieces } from '../../src/core/diff-lines.ts';
import { fc, runs } from '../support/properties.ts';

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
    expect(diffLines('a\nb', 'b', 0)).toEqual(['-a', '…']);
  });
});

describe('two edits of a text in pieces', () => {
  const split = (text: string) => text.split(' ');
  const merge = (base: string, ours: string, theirs: string) =>
    mergePieces(split(base), split(ours), split(theirs));

  test('are merged if an unchanged piece is between them', () => {
    expect(merge('a b c d e', 'A b c d e', 'a b c x')).toBe('Abcx');
    expect(merge('a b c d e', 'new a b c d e', 'a b c e')).toBe('newabce');
    expect(merge('a b c d e', 'a B c d e', 'a B c d E')).toBe('aBcdE');
    expect(merge('a b c', '', 'a b c')).toBe('');
  });

  test.each([
    ['overlap', 'a b c d', 'a x d', 'a b y d'],
    ['touch', 'a b c d', 'a x c d', 'a b y d'],
    ['add at the same place', 'a b', 'a x b', 'a y b'],
    ['are one that opens an element and one inside of it', 'a b c d e', '<b> a b c d e </b>', 'a b C d e'],
    ['are one that opens a block of code', 'a b c d e', '```js a b c d e', 'a b C d e'],
    ['are one that begins a comment', 'a b c d e', '<!-- a b c d e -->', 'a b C d e'],
  ])('are not merged where they %s', (_, base, ours, theirs) => {
    expect(merge(base, ours, theirs)).toBeNull();
    expect(merge(base, theirs, ours)).toBeNull();
  });

  test('give the same, whichever is first; and an edit of one side alone is that edit', {
    tags: 'property',
  }, () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, text, (base, ours, theirs) => {
        expect(mergePieces(base, ours, theirs)).toBe(mergePieces(base, theirs, ours));
        expect(mergePieces(base, ours, base)).toBe(ours.join(''));
        expect(mergePieces(base, ours, ours)).toBe(ours.join(''));
      }),
      { numRuns: runs(2000) },
    );
  });
});

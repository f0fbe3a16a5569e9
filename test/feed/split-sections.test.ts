import { describe, expect, it } from 'vitest';
import { type Atom, splitAtoms } from '../../src/feed/chunks/split-sections.ts';

const settings = { minTokens: 80, targetTokens: 300, softMaxTokens: 512, maxTokens: 800 };

/** Atoms in a row, given as [rank, tokens, heading level]. */
function atoms(
  ...row: readonly (readonly [rank: number, tokens: number, level?: number])[]
): readonly Atom[] {
  return row.map(([rank, tokens, level = 9], at) => ({ start: at, end: at + 1, rank, tokens, level }));
}

const split = (row: readonly Atom[]) =>
  splitAtoms(row, settings, (atom) => [atom]).map(({ atoms, turns }) => [
    String(turns),
    atoms.map(({ rank }) => rank).join(' '),
  ]);

describe('splitAtoms', () => {
  it('does not cut sections within the soft maximum', () => {
    expect(split(atoms([1, 256], [2, 256]))).toEqual([['0', '1 2']]);
  });

  it('cuts before the strongest heading, else before the lowest rank, and leaves no stub', () => {
    expect(split(atoms([1, 300], [5, 200], [9, 200, 4], [2, 200]))).toEqual([
      ['0', '1 5'],
      ['1', '9 2'],
    ]);
    expect(split(atoms([4, 200], [3, 200], [2, 200], [1, 60]))).toEqual([
      ['0', '4 3'],
      ['1', '2 1'],
    ]);
  });

  it('renames only the new part if one part has to be cut again', () => {
    const rest = [
      [1, 300],
      [4, 200],
      [2, 300],
      [6, 200],
    ] as const;
    const names = (row: readonly Atom[]) => new Map(split(row).map(([name, text]) => [text, name]));
    const before = names(atoms([7, 200], [5, 200], ...rest));
    const after = names(atoms([7, 200], [5, 200], [8, 200], ...rest));
    expect([...before.keys()]).toEqual(['7 5', '1 4', '2 6']);
    expect([...after.keys()]).toEqual(['7', '5 8', '1 4', '2 6']);
    expect(after.get('1 4')).toBe(before.get('1 4'));
    expect(after.get('2 6')).toBe(before.get('2 6'));
    expect(after.get('7')).toBe(before.get('7 5'));
    expect(new Set(after.values()).size).toBe(4);
  });

  it('cuts sections above the maximum, and keeps those that cannot be cut', () => {
    const whole = atoms([1, 900]);
    const halves = atoms([1, 450], [2, 450]);
    expect(splitAtoms(whole, settings, () => halves).map(({ atoms }) => atoms)).toEqual(
      halves.map((half) => [half]),
    );
    expect(split(whole)).toEqual([['0', '1']]);
  });
});

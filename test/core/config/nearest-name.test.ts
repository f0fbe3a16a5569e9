import { describe, expect, it } from 'vitest';
import { nearestName } from '../../../src/core/config/nearest-name.ts';

describe('nearestName', () => {
  const known = ['base-url', 'site-url', 'out', 'languages', 'default-language'];

  it.each([
    ['base-urll', 'base-url'],
    ['baseUrl', 'base-url'],
    ['lnaguages', 'languages'],
    ['OUT', 'out'],
    ['ouut', 'out'],
  ])('takes %s for %s', (typed, meant) => expect(nearestName(typed, known)).toBe(meant));

  it.each(['xyz', 'colour', ''])('finds nothing near %j', (typed) =>
    expect(nearestName(typed, known)).toBeNull(),
  );
});

import { describe, expect, it } from 'vitest';
import { own, violations } from './inert.ts';
import { findViolations } from './policy.ts';

describe('a hostile body', () => {
  it('leaves only allowed elements, attributes and URLs', () => {
    expect(violations(own)).toEqual([]);
  });

  it('is distinguished from a safe one by the check itself', () => {
    expect(findViolations('<p onclick="x"><a href="javascript:x" id="y">z</a><script></script>')).toEqual([
      '<p onclick="x">',
      '<a href="javascript:x">',
      '<a id="y">',
      '<script>',
    ]);
  });
});

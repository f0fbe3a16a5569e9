import { describe, expect, test } from 'vitest';
import { parseRetryAfter } from '../../src/core/net/status-fault.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

describe('Retry-After', () => {
  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    ['Sunday, 01-Mar-26 12:00:30 GMT', 30_000],
    ['Sun Mar  1 12:00:30 2026', 30_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['', null],
    ['1.5', null],
    ['-3', null],
    ['soon', null],
    ['Sun, 99 Foo 2026', null],
    [undefined, null],
  ])('%j means %j ms', (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected);
  });
});

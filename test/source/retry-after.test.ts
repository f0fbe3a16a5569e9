import { describe, expect, test } from 'vitest';
import { parseReset, parseRetryAfter, resetHeader } from '../../src/core/net/status-fault.ts';

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

describe('the end of the window of a rate limit', () => {
  test.each([
    ['30', 30_000],
    ['0.5', 500],
    [String(now / 1000 + 12), 12_000],
    [`${now / 1000 + 12}.25`, 12_250],
    [String(now + 12_000), 12_000],
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    ['2026-03-01T12:00:30Z', 30_000],
    ['2026-03-01 12:00:30 UTC', 30_000],
    ['2026-03-01T12:00:30', 30_000],
    ['2026-03-01T13:00:30.5+01:00', 30_500],
    ['30s', 30_000],
    ['30 s', 30_000],
    ['Sun Mar  1 12:00:30 2026', 30_000],
    ['"default";r=0;t=30', 30_000],
    ['limit=100, remaining=0, reset=30', 30_000],
    ['0', null],
    [String(now / 1000 - 5), null],
    ['2026-03-01T11:59:00Z', null],
    ['1/2', null],
    ['-3', null],
    ['30ms', null],
    ['2026-03-01', null],
    ['soon', null],
    ['', null],
    [undefined, null],
  ])('%j means %j ms', (header, expected) => {
    expect(parseReset(header, now)).toBe(expected);
  });

  test.each([
    'x-ratelimit-reset',
    'ratelimit-reset',
    'x-rate-limit-reset',
    'ratelimit',
    'x-service-ratelimit-reset',
    'x-ratelimit-retry-after',
    'x-retry-after',
  ])('is in %s', (name) => {
    expect(resetHeader({ [name]: '7', date: 'x' })).toBe('7');
  });
});

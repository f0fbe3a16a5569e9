import { describe, expect, test } from 'vitest';
import { NetworkFault, type RetryRule } from '../../src/core/net/network-fault.ts';
import { mayRetry, retryDelayMs } from '../../src/core/net/status-fault.ts';

const maxAttempts = 3;

function fault(retry: RetryRule, retryAfterMs: number | null = null): NetworkFault {
  return new NetworkFault('X', 'x', { hint: 'x', retry, retryAfterMs });
}

describe('whether a request is made again', () => {
  test('a read is, until its attempts are used up', () => {
    expect([1, 2, 3].map((attempt) => mayRetry(fault('reads'), 'GET', attempt, maxAttempts))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('a read that hangs is once', () => {
    expect([1, 2].map((attempt) => mayRetry(fault('reads-once'), 'GET', attempt, maxAttempts))).toEqual([
      true,
      false,
    ]);
    expect(mayRetry(fault('reads-once'), 'POST', 1, maxAttempts)).toBe(false);
  });

  test('a creation is only when the server certainly did not act on it', () => {
    expect(mayRetry(fault('reads'), 'POST', 1, maxAttempts)).toBe(false);
    expect(mayRetry(fault('always'), 'POST', 1, maxAttempts)).toBe(true);
  });

  test('a change that can be repeated without harm is', () => {
    expect(mayRetry(fault('reads'), 'PATCH', 1, maxAttempts)).toBe(true);
    expect(mayRetry(fault('reads'), 'DELETE', 1, maxAttempts)).toBe(true);
  });

  test('a permanent error is not', () => {
    expect(mayRetry(fault('never'), 'GET', 1, maxAttempts)).toBe(false);
  });
});

describe('how long it waits', () => {
  test('twice as long every time, up to half a minute', () => {
    const delays = [1, 2, 3, 10].map((attempt) => retryDelayMs(fault('reads'), attempt, () => 0.999999));
    expect(delays).toEqual([500, 1000, 2000, 30_000]);
  });

  test('a random part less, so that clients do not come back together', () => {
    expect(retryDelayMs(fault('reads'), 2, () => 0)).toBe(500);
  });

  test('at least as long as the server asks', () => {
    expect(retryDelayMs(fault('always', 7000), 1, () => 0)).toBe(7000);
    expect(retryDelayMs(fault('always', 7000), 1, () => 0.5)).toBeGreaterThan(7000);
  });

  test('but never at once, also if the server asks for a fraction', () => {
    expect(retryDelayMs(fault('always', 1), 1, () => 0)).toBe(500);
  });

  test('but not longer than the limit allows', () => {
    expect(retryDelayMs(fault('always', 9_000_000), 1, () => 0)).toBe(120_000);
  });
});

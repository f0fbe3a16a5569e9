import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readTime } from '../../../src/source/normalise/fields.ts';

function time(value: unknown) {
  const reported: string[] = [];
  return { time: readTime({ at: value }, 'at', (code) => reported.push(code)), reported };
}

describe('a time', () => {
  test.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.123456+00:00', '2026-01-31T12:00:00.123Z'],
    ['2026-01-31t12:00:00z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31 12:00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00+0530', '2026-01-31T06:30:00.000Z'],
    ['2026-01-31T12:00:00-08', '2026-01-31T20:00:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    [' 2026-01-31 ', '2026-01-31T00:00:00.000Z'],
  ])('of %j is %s, wherever the machine is', (text, expected) => {
    vi.stubEnv('TZ', 'Asia/Kolkata');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(new Date(2026, 0, 1).getTimezoneOffset()).toBe(-330);
    expect(time(text)).toEqual({ time: expected, reported: [] });
  });

  test.each([null, undefined, ''])('may be missing: %j', (value) => {
    expect(time(value)).toEqual({ time: null, reported: [] });
  });

  test.each([
    'yesterday',
    '31.01.2026',
    '2026-13-01',
    '2026-02-30',
    '9999-12-31T23:59:59-05:00',
    '0000-01-01T00:00:00+01:00',
    1769860800,
    true,
    '2026',
  ])('is not %j', (value) => {
    expect(time(value)).toEqual({ time: null, reported: ['FIELD_INVALID'] });
  });
});

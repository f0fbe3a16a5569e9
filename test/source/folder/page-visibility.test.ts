import { expect, it } from 'vitest';
import { nextVisibilityMs, readPageVisibility } from '../../../src/source/folder/plain/page-visibility.ts';

const nowMs = Date.parse('2026-06-01T00:00:00Z');

it.each([
  ['2026-06-01T12:00:00Z', '2026-06-01T12:00:00Z'],
  ['2026-06-01T12:00+0200', '2026-06-01T10:00:00Z'],
  ['2026-06-01 12:00+02', '2026-06-01T10:00:00Z'],
  ['2026-06-01T12:00:00,5Z', '2026-06-01T12:00:00.500Z'],
])('a page is read again at the time at which its schedule, %s, hides or shows it', (written, time) => {
  const ms = Date.parse(time);
  expect(nextVisibilityMs({ unpublish_at: written }, nowMs)).toBe(ms);
  const reasons = [ms - 1, ms].map((at) => [
    readPageVisibility({ publish_at: written }, at).reason,
    readPageVisibility({ unpublish_at: written }, at).reason,
  ]);
  expect(reasons).toEqual([
    ['draft', 'public'],
    ['public', 'draft'],
  ]);
});

it('a page is read again at the date of another field, which is a day if its time cannot be read', () => {
  expect(nextVisibilityMs({ expiryDate: '2026-06-02T12:00+02' }, nowMs)).toBe(
    Date.parse('2026-06-02T00:00:00Z'),
  );
  expect(nextVisibilityMs({ expiryDate: '2026-05-31', title: '2026-06-02' }, nowMs)).toBe(
    Number.POSITIVE_INFINITY,
  );
});

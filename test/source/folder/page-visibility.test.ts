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

it.each([
  '2026-7-5',
  '2026/07/05',
  '5.7.2026',
  '07/05/2026',
  'July 5, 2026',
  'Sun Jul 05 2026 10:00:00 GMT+0200',
  20260705,
  2027,
  '2026-07',
  'Q1 2027',
  '2027-02-010T17:46:51-06:00',
  '2027年1月5日',
])('a page with the date %j, which is to come, is not published, and reported', (date) => {
  for (const field of ['date', 'publishDate', 'embargo_until'])
    expect([field, readPageVisibility({ [field]: date }, nowMs).reason]).not.toEqual([field, 'public']);
});

it.each([
  [
    'date',
    '5.7.2026',
    'date: "5.7.2026" cannot be read as a time, and may hide the page now; write it in the form 2026-01-31, or remove it',
  ],
  [
    'publish_at',
    '2026-07-05',
    'publish_at: "2026-07-05" cannot be read as a time, and may hide the page now; write it in the form 2026-01-31T09:00:00Z, or remove it',
  ],
  [
    'expiryDate',
    'soon',
    'expiryDate: "soon" cannot be read as a time, and may hide the page now; write it in the form 2026-01-31, or remove it',
  ],
])('the report says how to write %s: %s', (field, value, why) => {
  expect(readPageVisibility({ [field]: value }, nowMs)).toEqual({ reason: 'visibility-unknown', field, why });
});

it.each([
  '2026-5-1',
  '2026/05/01',
  '1.5.2026',
  'May 1, 2026',
  'Jul 08 2022',
  20260501,
  2026,
  '2026-05',
  'soon',
  true,
  null,
  '',
])('a page with the date %j, which has passed or is none, is published', (date) => {
  expect(readPageVisibility({ date, pubDate: date }, nowMs).reason).toBe('public');
});

it.each([
  'Draft',
  '🚧 Draft',
  'draft\u200b',
  'ｄｒａｆｔ',
  '#draft',
  '*In-Review*',
  '[draft]',
  ['ok', '(wip)'],
])('a page with the status %j is a draft', (status) => {
  expect(readPageVisibility({ status }, nowMs).reason).toBe('draft');
});

it.each(['Published', '✅ Done', 'drafted by hand', 'review done', ''])(
  'a page with the status %j is published',
  (status) => {
    expect(readPageVisibility({ status }, nowMs).reason).toBe('public');
  },
);

import { expect, it } from 'vitest';
import { describeIssue, valueAt, z } from '../../src/core/schema.ts';

it.each([
  [z.string(), 1, 'must be a string'],
  [z.string(), undefined, 'is missing'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.number(), '1', 'must be a number'],
  [z.number().min(1), 0, 'must be at least 1'],
  [z.number().max(9), 10, 'must be at most 9'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.array(z.string()), 'x', 'must be an array'],
  [z.array(z.string()).min(1), [], 'must not be empty'],
  [z.string().max(3), 'long', 'must have at most 3 characters'],
  [z.object({}), [], 'must be an object'],
  [z.strictObject({}), { a: 1, b: 2 }, 'must not have "a" or "b"'],
  [z.enum(['a', 'b', 'c']), 'd', 'must be "a", "b" or "c"'],
  [z.literal(true), false, 'must be true'],
  [z.url(), 'x', 'must be a URL such as https://example.com'],
  [z.iso.date(), 'x', 'must be a date such as 2026-01-31'],
  [z.string().regex(/^a$/), 'b', 'must match /^a$/'],
  [z.string().regex(/^a$/, 'must be the letter a'), 'b', 'must be the letter a'],
])('a mistake is explained in plain words: %#', (schema: z.ZodType, value, words) => {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  if (issue === undefined) throw new Error('there is no mistake');
  expect(describeIssue(issue, value)).toBe(words);
});

it('the value at a path is only an own property of the object', () => {
  expect(valueAt({ a: [{ b: 1 }] }, ['a', 0, 'b'])).toBe(1);
  expect(valueAt({}, ['constructor'])).toBe(undefined);
  expect(valueAt(null, ['a'])).toBe(undefined);
});

import { expect, it } from 'vitest';
import { findIllFormedText } from '../../../src/core/api/record-text.ts';

it('stops at the first text that is not well-formed, without a list of what follows it', () => {
  const read: string[] = [];
  const numbers = new Proxy([1, 2, '\0', 4, 5], {
    get: (list, key) => {
      read.push(String(key));
      return Reflect.get(list, key);
    },
  });
  expect(findIllFormedText({ a: 1, list: numbers })).toEqual(['list', '2']);
  expect(read.filter((key) => /^\d+$/.test(key))).toEqual(['0', '1', '2']);
});

it.each([
  [null, null],
  ['\ud83d', []],
  [
    [[1, null], { a: ['ok', { b: '\0' }] }],
    ['1', 'a', '1', 'b'],
  ],
  [{ a: [], b: {}, '\udc00': 1 }, ['\udc00']],
  [{ a: 1, b: [true, '😀'] }, null],
])('gives the path of such a text or key: %j', (value, path) => {
  expect(findIllFormedText(value)).toEqual(path);
});

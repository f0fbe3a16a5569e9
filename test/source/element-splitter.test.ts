import { describe, expect, test } from 'vitest';
import { createElementSplitter } from '../../src/core/net/read-json.ts';
import { fc, runs } from '../support/properties.ts';

/** Splits text cut at the given places (taken modulo its length). */
function split(text: string | Buffer, cuts: readonly number[] = []): unknown[] {
  const bytes = Buffer.from(text);
  const splitter = createElementSplitter('articles');
  const elements: unknown[] = [];
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const to of [...places, bytes.length]) {
    elements.push(...splitter.push(bytes.subarray(from, to)));
    from = to;
  }
  splitter.end();
  return elements;
}

/** Expected result of the splitter, from a parser that keeps everything in memory. */
function parse(text: string): unknown[] {
  const value: unknown = JSON.parse(text);
  const articles = Array.isArray(value) ? value : (value as { articles?: unknown }).articles;
  if (!Array.isArray(articles)) throw new SyntaxError('no articles');
  return articles as unknown[];
}

const trickyString = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '{', ']', '\n', '\u2028', 'é', '😀', '\\u0041'),
});
const anyJson = fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 3 });
const element = fc.oneof(anyJson, trickyString, fc.dictionary(trickyString, fc.oneof(trickyString, anyJson)));
const list = fc.array(element, { maxLength: 6 });
const cuts = fc.array(fc.nat({ max: 5000 }), { maxLength: 30 });
const indent = fc.constantFrom(undefined, 1, '\t', '\r\n ');

/** The list wrapped in an object with other fields before and after it, or alone. */
const document = fc
  .record({ list, before: element, after: element, isBare: fc.boolean(), indent })
  .map(({ list: articles, before, after, isBare, indent: space }) =>
    JSON.stringify(isBare ? articles : { before, articles, 'a"b\\': after }, null, space as string),
  );

describe('splitting a list into its elements', () => {
  test('gives the result of JSON.parse, wherever the bytes are cut', { tags: 'property' }, () => {
    fc.assert(
      fc.property(document, cuts, (text, places) => {
        expect(split(text, places)).toEqual(parse(text));
      }),
      { numRuns: runs(500) },
    );
  });

  test('refuses what JSON.parse refuses, and nothing else', { tags: 'property' }, () => {
    const damage = fc.record({
      at: fc.nat({ max: 5000 }),
      remove: fc.integer({ min: 0, max: 3 }),
      insert: fc.constantFrom('', ',', '"', '\\', ']', '}', '{', '[', ':', '1', 'x', ' ', 'null'),
    });
    fc.assert(
      fc.property(document, damage, cuts, (text, { at, remove, insert }, places) => {
        const from = at % text.length;
        // Through bytes and back, since half a character cannot be sent.
        const damaged = Buffer.from(text.slice(0, from) + insert + text.slice(from + remove)).toString();
        fc.pre([...damaged.matchAll(/"articles"\s*:/g)].length <= 1);
        const outcome = (read: () => unknown): unknown => {
          try {
            return read();
          } catch {
            return 'refused';
          }
        };
        expect(outcome(() => split(damaged, places))).toEqual(outcome(() => parse(damaged)));
      }),
      { numRuns: runs(1000) },
    );
  });

  test('says of each beginning of a list that it was cut off', { tags: 'property' }, () => {
    fc.assert(
      fc.property(document, fc.nat(), cuts, (text, length, places) => {
        const bytes = Buffer.from(text);
        const isCut = (read: () => unknown) => expect(read).toThrow(expect.objectContaining({ isCut: true }));
        isCut(() => split(bytes.subarray(0, length % bytes.length), places));
      }),
      { numRuns: runs(500) },
    );
  });

  test('gives every element as soon as it is complete', () => {
    const splitter = createElementSplitter('articles');
    expect(splitter.push(Buffer.from('{"articles":[{"a":1},{"b"'))).toEqual([{ a: 1 }]);
    expect(splitter.push(Buffer.from(':2}]}'))).toEqual([{ b: 2 }]);
    expect(() => splitter.end()).not.toThrow();
  });

  test('reads a byte order mark as nothing', () => {
    expect(split('\uFEFF[1]')).toEqual([1]);
    expect(split('\uFEFF[1]', [1, 2])).toEqual([1]);
    expect(() => split('[1,\uFEFF2]')).toThrow(expect.objectContaining({ message: 'it is not valid' }));
  });

  test.each([
    ['<!doctype html>', 'it is a web page', false],
    ['', 'it is empty', true],
    [' \n ', 'it is empty', true],
    ['{"articles":[{"a":1},{"b', 'it ends in the middle', true],
    ['{"articles":[1,2]', 'it ends in the middle', true],
    ['{"articles":[1 2]}', 'it is not valid', false],
    ['{"articles":[1,]}', 'it is not valid', false],
    ['{"articles":[1,,2]}', 'it is not valid', false],
    ['{"articles":[,1]}', 'it is not valid', false],
    ['{"articles":[{"a":1],2}', 'it is not valid', false],
    ['{"a":1 "articles":[1]}', 'it is not valid', false],
    ['[1][2]', 'it is not valid', false],
    ['[1]]', 'it is not valid', false],
    ['{"articles":null}', '"articles" is not an array', false],
    ['{"articles":{"a":1}}', '"articles" is not an array', false],
    ['{"items":[]}', '"articles" is missing', false],
    ['{"items":[1]}', '"articles" is missing', false],
    ['{"__proto__":[1]}', '"articles" is missing', false],
    ['{"articles":[]} x', 'it is not valid', false],
    ['"text"', 'it is neither an object nor a list', false],
  ])('says of %j: %s', (text, message, isCut) => {
    expect(() => split(text)).toThrow(expect.objectContaining({ message, isCut }));
    expect(() => split(text, [1, 2, 3])).toThrow(expect.objectContaining({ message, isCut }));
  });

  test('finds the list under a name that is written with escapes, beside others', () => {
    expect(split('{"a":["articles"],"b":{"articles":[1]},"\\u0061rticles":[2,[3]],"c":[4]}')).toEqual([
      2,
      [3],
    ]);
  });

  test('keeps a field named "__proto__" as JSON.parse does', () => {
    const text = '[{"__proto__":{"isPublic":true}}]';
    expect(split(text)).toEqual(parse(text));
    expect((split(text)[0] as { isPublic?: boolean }).isPublic).toBeUndefined();
  });

  test('never quotes the text in its message, since it may be that of a draft', () => {
    expect(() => split('{"articles":[{"title": SECRET}]}')).toThrow(
      expect.objectContaining({ message: 'it is not valid' }),
    );
  });
});

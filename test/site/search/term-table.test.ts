import { expect, test } from 'vitest';
import { TermTable } from '../../../src/site/search/term-table.ts';
import { fc } from '../../support/properties.ts';

const unit = fc.constantFrom('a', 'b', '\0', 'é', '語', '\u{20000}', '\ud800');

test('Terms are numbered by order of first occurrence, whatever they are and however many', {
  tags: 'property',
}, () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string({ unit }), { minLength: 1, maxLength: 12 }), { maxLength: 12 }),
      (drawn) => {
        const table = new TermTable();
        const known = new Map<string, number>();
        for (const words of drawn) {
          const text = words.map((word) => word.replaceAll('\n', '')).join('\n');
          const ids = new Uint32Array(text.length + 1);
          const expected = text.split('\n').map((term) => {
            if (!known.has(term)) known.set(term, known.size);
            return known.get(term);
          });
          expect(table.addLines(text, ids)).toBe(expected.length);
          expect([...ids.subarray(0, expected.length)]).toEqual(expected);
        }
        expect(table.size).toBe(known.size);
        const found = [...known.keys()].map((term, id) => [table.term(id), table.idOf(term)]);
        expect(found).toEqual([...known]);
      },
    ),
  );
});

test('A table keeps its numbers while it grows', () => {
  const table = new TermTable();
  const terms = Array.from({ length: 20_000 }, (_, index) => `term${(index * 7919) % 20_000}語`);
  const ids = new Uint32Array(terms.length);
  table.addLines(terms.join('\n'), ids);
  expect([...ids]).toEqual(terms.map((_, index) => index));
  expect(terms.map((_, id) => table.term(id))).toEqual(terms);
});

test('Two terms with one hash have two numbers', () => {
  const table = new TermTable();
  expect(table.idOf('declinate')).toBe(0);
  expect(table.idOf('macallums')).toBe(1);
  expect(table.idOf('declinate')).toBe(0);
});

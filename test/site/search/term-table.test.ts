import { expect, test } from 'vitest';
import { TermTable } from '../../../src/site/search/term-table.ts';
import { fc } from '../../support/properties.ts';
import { unitsOf } from './units.ts';

const linesOf = (terms: readonly string[]) => terms.map((term) => `${term}\n`).join('');

function numbersOf(table: TermTable, terms: readonly string[]): readonly number[] {
  const ids = new Uint32Array(terms.length);
  expect(table.addLines(unitsOf(linesOf(terms)), ids)).toBe(terms.length);
  return [...ids];
}

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
          const terms = words.map((word) => word.replaceAll('\n', ''));
          for (const term of terms) if (!known.has(term)) known.set(term, known.size);
          expect(numbersOf(table, terms)).toEqual(terms.map((term) => known.get(term)));
        }
        expect([...known.keys()].map((_, id) => table.term(id))).toEqual([...known.keys()]);
        expect([...table.lines]).toEqual([...unitsOf(linesOf([...known.keys()]))]);
      },
    ),
  );
});

test('A table keeps its numbers while it grows', () => {
  const table = new TermTable();
  const terms = Array.from({ length: 20_000 }, (_, index) => `term${(index * 7919) % 20_000}語`);
  expect(numbersOf(table, terms)).toEqual(terms.map((_, index) => index));
  expect(terms.map((_, id) => table.term(id))).toEqual(terms);
});

test('Two terms with one hash have two numbers', () => {
  expect(numbersOf(new TermTable(), ['declinate', 'macallums', 'declinate'])).toEqual([0, 1, 0]);
});

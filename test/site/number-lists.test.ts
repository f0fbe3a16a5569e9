import { expect, test } from 'vitest';
import { NumberLists } from '../../src/site/related.ts';
import { fc } from '../support/properties.ts';

const someLists = fc.array(fc.array(fc.nat(9), { maxLength: 6 }), { maxLength: 12 });

function listsOf(drawn: readonly (readonly number[])[]): NumberLists {
  const lists = new NumberLists(1, 1);
  for (const list of drawn) {
    for (const item of list) lists.push(item);
    lists.end();
  }
  return lists;
}

test('Lists return the numbers added to them', { tags: 'property' }, () => {
  fc.assert(
    fc.property(someLists, (drawn) => {
      const lists = listsOf(drawn);
      expect(drawn.map((_, list) => [...lists.of(list)])).toEqual(drawn);
      expect([...lists.numbers()]).toEqual(drawn.flat());
    }),
  );
});

test('Lists can be renumbered, with some numbers omitted', { tags: 'property' }, () => {
  fc.assert(
    fc.property(someLists, (drawn) => {
      const odd = listsOf(drawn).map((item) => (item % 2 === 1 ? item * 10 : -1));
      expect(drawn.map((_, list) => [...odd.of(list)])).toEqual(
        drawn.map((list) => list.filter((item) => item % 2 === 1).map((item) => item * 10)),
      );
    }),
  );
});

test('Inverted lists name the lists that contain each number, as often as they do', {
  tags: 'property',
}, () => {
  fc.assert(
    fc.property(someLists, (drawn) => {
      const inverted = listsOf(drawn).inverted(10);
      for (let item = 0; item < 10; item += 1) {
        const expected = drawn.flatMap((list, at) => list.filter((other) => other === item).map(() => at));
        expect([...inverted.of(item)]).toEqual(expected);
      }
    }),
  );
});

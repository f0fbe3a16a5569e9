import { expect, it } from 'vitest';
import { createTextBlock } from '../../src/render/text-block.ts';
import { fc } from '../support/properties.ts';

it('holds the UTF-8 bytes of every text, whatever was in it before', { tags: 'property' }, () => {
  const block = createTextBlock();
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array())), (texts) => {
      block.clear();
      const expected = texts.map((text) => Buffer.from(text as string));
      expect(texts.map((text) => Buffer.from(block.add(text)))).toEqual(expected);
      expect(Buffer.from(block.bytes())).toEqual(Buffer.concat(expected));
      expect(block.lengths).toEqual(expected.map(({ length }) => length));
    }),
  );
});

it('makes room for a text of any size, behind those it holds', () => {
  const block = createTextBlock();
  const long = '手順'.repeat(2_000_000);
  for (const text of ['short', long, Buffer.from('bytes')]) block.add(text);
  expect(Buffer.from(block.bytes()).equals(Buffer.from(`short${long}bytes`))).toBe(true);
  block.clear();
  expect(Buffer.from(block.add('again')).toString()).toBe('again');
});

import { expect, it } from 'vitest';
import { ByteWriter } from '../../src/partitions/make-partition.ts';
import { fc } from '../support/properties.ts';

it('contains the UTF-8 bytes of every text, whatever was in it before', { tags: 'property' }, () => {
  const writer = new ByteWriter();
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      const expected = texts.map((text) => Buffer.from(text));
      expect(texts.map((text) => writer.add(text))).toEqual(expected.map(({ length }) => length));
      expect(writer.length).toBe(Buffer.concat(expected).length);
      expect(Buffer.from(writer.take())).toEqual(Buffer.concat(expected));
    }),
  );
});

it('makes room for a text of any size, after those it contains', () => {
  const writer = new ByteWriter();
  const long = '手順'.repeat(2_000_000);
  for (const text of ['short', long, 'end']) writer.add(text);
  expect(Buffer.from(writer.take()).equals(Buffer.from(`short${long}end`))).toBe(true);
  writer.add('again');
  expect(Buffer.from(writer.take()).toString()).toBe('again');
});

it('gives bytes in a block of memory of their own, so that a thread can give it away', () => {
  const writer = new ByteWriter();
  writer.add('first');
  const first = writer.take();
  writer.add('second');
  expect(first.buffer.byteLength).toBe(first.length);
  expect(Buffer.from(first).toString()).toBe('first');
});

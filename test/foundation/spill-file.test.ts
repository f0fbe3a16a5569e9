import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSpillFile, storeBlocks } from '../../src/foundation/spill-file.ts';
import {
  countRepeated,
  HashedSet,
  hashText,
  StoredList,
  StoredMap,
} from '../../src/foundation/stored-map.ts';
import { canMount, mountDisk, unmountDisk } from '../support/mounted-disk.ts';
import { fc } from '../support/properties.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-spill-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Bytes of a block of a spill file. */
const blockBytes = 256 * 1024;

/** Adds enough for several blocks around the texts, so that they are in the file. */
const filler = new Uint8Array(200 * 1024);

describe.each([
  ['in a file', () => join(folder, 'cache')],
  ['in memory', () => null],
])('a spill file %s', (_, place) => {
  it('returns texts of every script and length by their position', () => {
    const spill = createSpillFile(place());
    const texts = [
      '',
      'a',
      'Größe',
      'スマートフォン😀',
      '\ud800 \u0000',
      'x'.repeat(5000),
      'é'.repeat(300_000),
    ];
    const positions = texts.map((text) => {
      spill.addBytes(filler);
      return spill.addText(text);
    });
    spill.addBytes(filler);
    expect(positions.map((position) => spill.readText(position))).toEqual(texts);
    expect(positions.toReversed().map((position) => spill.readText(position))).toEqual(texts.toReversed());
    spill.close();
  });

  it('returns random texts and bytes in any order', { tags: 'property' }, () => {
    const item = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 50 }),
      fc
        .integer({ min: 0, max: 400_000 })
        .map((length) => new Uint8Array(length).map((_byte, at) => at + length)),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(item, fc.nat()), { maxLength: 30 }), (items) => {
        const spill = createSpillFile(place());
        const added = items.map(([value, order]) => ({
          value,
          order,
          position: typeof value === 'string' ? spill.addText(value) : spill.addBytes(value),
        }));
        for (const { value, position } of added.toSorted((a, b) => a.order - b.order)) {
          if (typeof value === 'string') expect(spill.readText(position)).toBe(value);
          else {
            const from = value.length >> 1;
            const read = new Uint8Array(value.length - from);
            spill.readBytes(position + from, read);
            expect(Buffer.compare(read, value.subarray(from))).toBe(0);
          }
        }
        spill.close();
      }),
    );
  });

  it('is the storage of a list', () => {
    const spill = createSpillFile(place());
    const list = new StoredList(spill);
    const texts = Array.from({ length: 5000 }, (_text, at) => `text ${at} ${'x'.repeat(at % 300)}`);
    expect(list.add(texts[0] as string)).toBe(0);
    expect(list.addAll(texts.slice(1))).toBe(1);
    const order = texts.map((_text, at) => (at * 64) % 5000);
    expect(order.map((at) => list.get(at))).toEqual(order.map((at) => texts[at]));
    expect(texts.map((_text, at) => list.get(at))).toEqual(texts);
    expect(() => list.get(5000)).toThrow('there is no text 5000');
    spill.close();
  });

  it('is the storage of a map', () => {
    const spill = createSpillFile(place());
    const map = new StoredMap(spill);
    const keys = Array.from({ length: 5000 }, (_key, at) => `en/article/${at}-ä/index.html`);
    for (const key of keys) map.set(key, `of ${key}`);
    for (const key of keys.slice(0, 10)) map.set(key, '');
    expect(keys.map((key) => map.get(key))).toEqual(keys.map((key, at) => (at < 10 ? '' : `of ${key}`)));
    expect([map.get('other'), map.has('other'), map.has(keys[0] as string)]).toEqual([
      undefined,
      false,
      true,
    ]);
    spill.close();
  });
});

describe.each([
  ['in a file', () => join(folder, 'cache')],
  ['in memory', () => null],
])('blocks %s', (_, place) => {
  it('are returned by every iteration, even if they shared memory', () => {
    const spill = createSpillFile(place());
    const memory = Buffer.alloc(100_000);
    function* blocks(): Generator<Uint8Array> {
      for (let at = 1; at < 10; at += 1) yield memory.fill(at).subarray(0, 11_111 * at);
    }
    const stored = storeBlocks(spill, blocks());
    const expected = Buffer.concat(Array.from(blocks(), (block) => Buffer.from(block)));
    for (let times = 0; times < 2; times += 1) {
      const read = Buffer.concat(Array.from(stored, (block) => Buffer.from(block)));
      expect(read.equals(expected)).toBe(true);
    }
    spill.close();
  });
});

describe('a set of hashes', () => {
  it('contains the added texts and no others, however similar', () => {
    const set = new HashedSet();
    const texts = Array.from({ length: 400_000 }, (_none, at) => `en/article/${at}/index.html`);
    for (const text of texts) if (text.length % 2 === 0) set.add(text);
    for (const text of ['', 'a', '\0', '\0\0', '日本']) {
      expect(set.has(text)).toBe(false);
      set.add(text);
      set.add(text);
    }
    expect(texts.filter((text) => set.has(text) !== (text.length % 2 === 0))).toEqual([]);
    expect(['', 'a', '\0', '\0\0', '日本', '\0\0\0', 'b'].map((text) => set.has(text))).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('a spill file', () => {
  it('creates no file for a little data, and one without a name for more', () => {
    const spill = createSpillFile(join(folder, 'cache'));
    spill.addText('a');
    expect(readdirSync(folder)).toEqual([]);
    for (let times = 0; times < 3; times += 1) spill.addBytes(filler);
    expect(readdirSync(folder)).toEqual(['cache']);
    expect(readdirSync(join(folder, 'cache'))).toEqual([]);
    spill.close();
    spill.close();
  });

  it('stays in memory if its folder cannot be created', () => {
    writeFileSync(join(folder, 'file'), '');
    const spill = createSpillFile(join(folder, 'file'));
    const position = spill.addText('a');
    for (let times = 0; times < 3; times += 1) spill.addBytes(filler);
    expect(spill.readText(position)).toBe('a');
  });

  it.each([
    ['in a file', () => join(folder, 'cache')],
    ['in memory', () => null],
  ])('%s throws after it is closed, instead of returning other data', (_, place) => {
    const spill = createSpillFile(place());
    const stored = spill.addText('stored');
    for (let times = 0; times < 3; times += 1) spill.addBytes(filler);
    const last = spill.addText('last');
    spill.close();
    const closed = 'the spill file is closed';
    expect(() => spill.addText('later')).toThrow(closed);
    expect(() => spill.addBytes(filler)).toThrow(closed);
    expect(() => spill.readText(stored)).toThrow(closed);
    expect(() => spill.readText(last)).toThrow(closed);
    expect(() => spill.readBytes(stored, new Uint8Array(100_000))).toThrow(closed);
    expect(() => spill.readBytes(last, new Uint8Array(1))).toThrow(closed);
  });

  it.skipIf(!canMount)('continues in memory when the disk is full', () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    mountDisk(disk, 'size=1m');
    const spill = createSpillFile(disk);
    try {
      const texts = Array.from({ length: 30 }, (_text, at) => `text ${at}`);
      const positions = texts.map((text, at) => {
        // From now on, the next block can only be written in part; then all of it could be written.
        if (at === 3) writeFileSync(join(disk, 'other'), new Uint8Array(2 ** 20 - 2.5 * blockBytes));
        if (at === 9) rmSync(join(disk, 'other'));
        spill.addBytes(filler);
        return spill.addText(text);
      });
      expect(positions.map((position) => spill.readText(position))).toEqual(texts);
      const read = new Uint8Array(filler.length);
      for (const position of positions) {
        spill.readBytes(position - filler.length, read.fill(1));
        expect(Buffer.compare(read, filler)).toBe(0);
      }
    } finally {
      spill.close();
      unmountDisk(disk);
    }
  });

  it('tells the keys of equal hashes apart', () => {
    const map = new StoredMap(createSpillFile(null));
    const [first, second] = ['1y9sdsmx72bnxm', 'kjf37qx7xxjne'];
    expect(hashText(first)).toBe(hashText(second));
    map.set(first, '1');
    map.set(second, '2');
    expect([map.get(first), map.get(second)]).toEqual(['1', '2']);
  });
});

describe('countRepeated', () => {
  it('counts exactly the texts that occur often enough', { tags: 'property' }, () => {
    const text = fc.constantFrom('', 'a', 'b', 'aa', '\ud800', 'é', 'z'.repeat(100));
    fc.assert(
      fc.property(
        fc.array(text),
        fc.nat({ max: 200 }),
        fc.integer({ min: 1, max: 5 }),
        (texts, expected, least) => {
          const counts = new Map<string, number>();
          for (const one of texts) counts.set(one, (counts.get(one) ?? 0) + 1);
          const often = [...counts].filter(([, times]) => times >= least);
          expect([...countRepeated(() => texts, expected, least)]).toEqual(often);
        },
      ),
    );
  });

  it('is exact if many texts have the same hash', () => {
    const texts = Array.from({ length: 20_000 }, (_text, at) => `text ${at}`);
    const twice = texts.filter((_text, at) => at % 100 === 7);
    expect([...countRepeated(() => [...texts, ...twice], 1, 2).keys()]).toEqual(twice);
  });
});

import { expect, test } from 'vitest';
import { RecordLog, type Scratch } from '../../src/output/record-log.ts';

/** A scratch in memory, which others use as well. */
function sharedScratch(): Scratch {
  const parts: Buffer[] = [];
  return {
    append(bytes) {
      const position = Buffer.concat(parts).length;
      parts.push(Buffer.from(bytes), Buffer.from('somebody else'));
      return position;
    },
    read: (position, length) => Buffer.concat(parts).subarray(position, position + length),
  };
}

test.each([
  ['memory', () => null],
  ['a scratch', sharedScratch],
])('What is put into a log in %s is read back, wherever blocks end', (_, scratch) => {
  const log = new RecordLog(scratch());
  const records = Array.from({ length: 400 }, (_, at) => Buffer.from(`${at}:`.repeat((at * 37) % 300)));
  const places = records.map((record) => log.append(record));
  expect(log.length).toBeGreaterThan(3 * 65_536);
  const others = records.filter((record, at) => !log.read(places[at] ?? 0, record.length).equals(record));
  expect(others).toEqual([]);
  const whole = Buffer.concat([...log.pieces()].map((piece) => Buffer.from(piece)));
  expect(whole.equals(Buffer.concat(records))).toBe(true);
  expect(() => log.read(log.length - 1, 2)).toThrow('ends before');
});

import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createScratchFile } from '../../src/output/scratch-file.ts';
import { siblingsOf } from '../../src/output/siblings.ts';

function placeFor(): ReturnType<typeof siblingsOf> {
  return siblingsOf(join(mkdtempSync(join(tmpdir(), 'lectern-scratch-')), 'dist'));
}

test('What a scratch file took can be read back from where it was put', () => {
  const scratch = createScratchFile(placeFor());
  expect(scratch.append(Buffer.from('first'))).toBe(0);
  expect(scratch.append(Buffer.from('second'))).toBe(5);
  expect(Buffer.from(scratch.read(5, 6)).toString()).toBe('second');
  expect(Buffer.from(scratch.read(3, 4)).toString()).toBe('stse');
  expect(() => scratch.read(8, 4)).toThrow(RangeError);
  scratch.close();
  scratch.close();
});

test('A scratch file leaves nothing behind, and is not made before it is needed', () => {
  const places = placeFor();
  const scratch = createScratchFile(places);
  expect(readdirSync(places.parent)).toEqual([]);
  scratch.append(new Uint8Array(10));
  scratch.close();
  expect(readdirSync(places.parent)).toEqual([]);
});

test('A folder that cannot be written to is the user’s to mend', () => {
  const scratch = createScratchFile({ ...placeFor(), parent: '/nowhere/at/all' });
  expect(() => scratch.append(new Uint8Array(1))).toThrow(
    expect.objectContaining({ code: 'OUTPUT_UNWRITABLE' }),
  );
});

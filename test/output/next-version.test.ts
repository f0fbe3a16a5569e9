import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type NextVersion, startNextVersion } from '../../src/output/next-version.ts';
import { fc } from '../support/properties.ts';

const folder = mkdtempSync(join(tmpdir(), 'lectern-version-'));
const previous = join(folder, 'previous');
const file = join(folder, 'file');
afterAll(() => rmSync(folder, { recursive: true }));

function start(before: string): NextVersion {
  rmSync(file, { force: true });
  writeFileSync(previous, before);
  return startNextVersion(file, previous, Buffer.alloc(4));
}

function append(version: NextVersion, ...texts: readonly string[]): void {
  for (const text of texts) version.append(Buffer.from(text));
}

const exists = () => statSync(file, { throwIfNoEntry: false }) !== undefined;
const isLinked = () => statSync(file).ino === statSync(previous).ino;

describe('the next version of a file', () => {
  it('is not written as long as it is the same as the previous one', () => {
    const version = start('one two three');
    append(version, 'one ', 'two ');
    expect(exists()).toBe(false);
    append(version, 'four');
    expect(exists()).toBe(true);
    append(version, ' five');
    version.finish();
    expect(readFileSync(file, 'utf8')).toBe('one two four five');
    expect(readFileSync(previous, 'utf8')).toBe('one two three');
  });

  it.each([
    ['the same', ['one ', 'two'], true],
    ['shorter', ['one '], false],
    ['longer', ['one ', 'two', ' three'], false],
    ['empty', [], false],
  ])('that is %s is linked only when it is the same to its end', (_what, texts, linked) => {
    const version = start('one two');
    append(version, ...texts);
    version.finish();
    version.abandon();
    expect(isLinked()).toBe(linked);
    expect(readFileSync(file, 'utf8')).toBe(texts.join(''));
  });

  it('holds what was appended, whatever the previous one held', { tags: 'property' }, () => {
    const anyText = fc.array(fc.constantFrom('a', 'b', 'ab', 'aaaaaaaa', ''), { maxLength: 6 });
    fc.assert(
      fc.property(anyText, anyText, (before, texts) => {
        const version = start(before.join(''));
        append(version, ...texts);
        version.finish();
        expect(readFileSync(file, 'utf8')).toBe(texts.join(''));
        expect(isLinked()).toBe(before.join('') === texts.join(''));
      }),
    );
  });

  it('needs no previous one', () => {
    rmSync(file, { force: true });
    for (const none of [join(folder, 'none'), join(previous, 'below'), folder]) {
      const version = startNextVersion(file, none, Buffer.alloc(4));
      append(version, 'text');
      version.finish();
      expect(readFileSync(file, 'utf8')).toBe('text');
    }
  });

  it('is refused when somebody wrote to the previous one meanwhile', () => {
    const version = start('one two');
    append(version, 'one ');
    writeFileSync(previous, 'ONE two');
    utimesSync(previous, 1, 1);
    expect(() => append(version, 'three')).toThrowError(expect.objectContaining({ code: 'OUTPUT_CHANGED' }));
    version.abandon();
  });

  it('is not linked to a file that was put in the place of the previous one meanwhile', () => {
    const version = start('one two');
    append(version, 'one two');
    rmSync(previous);
    writeFileSync(previous, 'another');
    version.finish();
    expect(readFileSync(file, 'utf8')).toBe('one two');
  });
});

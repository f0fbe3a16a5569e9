import { hash } from 'node:crypto';
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
  return startNextVersion(file, { previous, recorded: null, scratch: Buffer.alloc(4) });
}

function append(version: NextVersion, ...texts: readonly string[]): void {
  for (const text of texts) version.append(Buffer.from(text));
}

const exists = () => statSync(file, { throwIfNoEntry: false }) !== undefined;
const isLinked = () => statSync(file).ino === statSync(previous).ino;

const sha256 = (text: string) => hash('sha256', text);

describe('the next version of a file', () => {
  it('is not written as long as it is the same as the previous one', () => {
    const version = start('one two three');
    append(version, 'one ', 'two ');
    expect(exists()).toBe(false);
    append(version, 'four');
    expect(exists()).toBe(true);
    append(version, ' five');
    expect(version.finish()).toEqual({ sha256: sha256('one two four five'), bytes: 17 });
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
        expect(version.finish().sha256).toBe(sha256(texts.join('')));
        expect(readFileSync(file, 'utf8')).toBe(texts.join(''));
        expect(isLinked()).toBe(before.join('') === texts.join(''));
      }),
    );
  });

  it('needs no previous one', () => {
    for (const none of [null, join(folder, 'none'), join(previous, 'below'), folder]) {
      rmSync(file, { force: true });
      const version = startNextVersion(file, { previous: none, recorded: null, scratch: Buffer.alloc(4) });
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

describe('a part of the previous output', () => {
  const other = join(folder, 'other');
  const startRecorded = (before: string): NextVersion => {
    rmSync(file, { force: true });
    writeFileSync(previous, before);
    writeFileSync(other, '0123456789');
    const { ino: inode, mtimeMs } = statSync(previous);
    const recorded = { sha256: sha256(before), bytes: Buffer.byteLength(before), mtimeMs, inode };
    return startNextVersion(file, { previous, recorded, scratch: Buffer.alloc(4) });
  };
  /** Parts of either file and texts, with what they come to. */
  const anyPiece = fc.oneof(
    fc.record({ text: fc.constantFrom('a', 'abc', 'aaaaaaaa', '') }),
    fc.record({ from: fc.constantFrom(previous, other), offset: fc.nat(12), length: fc.nat(12) }),
    fc.record({ on: fc.nat(6) }),
  );

  it('stands in the next version as if it had been written', { tags: 'property' }, () => {
    const anyBefore = fc.array(fc.constantFrom('a', 'bc', 'aaaaaaaa'), { maxLength: 4 });
    fc.assert(
      fc.property(anyBefore, fc.array(anyPiece, { maxLength: 6 }), (before, pieces) => {
        const text = before.join('');
        const version = startRecorded(text);
        let expected = '';
        const repeat = (from: string, offset: number, length: number) => {
          const source = from === previous ? text : '0123456789';
          const part = source.slice(offset, offset + length);
          version.repeat({ file: from, offset, length: part.length });
          expected += part;
        };
        for (const piece of pieces) {
          if ('text' in piece) {
            append(version, piece.text);
            expected += piece.text;
          } else if ('on' in piece) repeat(previous, expected.length, piece.on);
          else repeat(piece.from, piece.offset, piece.length);
        }
        expect(version.finish()).toEqual({ sha256: sha256(expected), bytes: expected.length });
        expect(readFileSync(file, 'utf8')).toBe(expected);
        expect(isLinked()).toBe(expected === text);
      }),
    );
  });

  it('that stays where it was is not read', () => {
    const version = startRecorded('one two');
    version.repeat({ file: previous, offset: 0, length: 4 });
    expect(exists()).toBe(false);
    append(version, 'two');
    expect(version.finish()).toEqual({ sha256: sha256('one two'), bytes: 7 });
    expect(isLinked()).toBe(true);
  });

  it.each([
    ['is longer than the file', () => ({ file: previous, offset: 4, length: 4 })],
    ['is of a file somebody writes to', () => ({ file: previous, offset: 1, length: 2 })],
  ])('is refused when it %s', (_what, part) => {
    const version = startRecorded('one two');
    append(version, 'one');
    utimesSync(previous, 1, 1);
    expect(() => version.repeat(part())).toThrowError(expect.objectContaining({ code: 'OUTPUT_CHANGED' }));
    version.abandon();
  });

  it('of no file at all is a mistake', () => {
    const version = startRecorded('one two');
    expect(() => version.repeat({ file: join(folder, 'none'), offset: 0, length: 1 })).toThrow('none');
    version.abandon();
  });
});

import { hash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RecordedFile } from '../../src/output/last-output.ts';
import { openStagedFile, type StagedFile } from '../../src/output/staged-file.ts';
import { fc } from '../support/properties.ts';

const folder = mkdtempSync(join(tmpdir(), 'lectern-staged-file-'));
const previousFolder = join(folder, 'previous');
const previous = join(previousFolder, 'page');
const file = join(folder, 'file');
mkdirSync(previousFolder);
afterAll(() => rmSync(folder, { recursive: true }));

interface Previous {
  /** Content of the previous output's file of the same path. */
  readonly before: string;
  /** What is known of it is right. */
  readonly isKnown?: boolean;
}

/** Opens the file `page` of an output that replaces one with the files `page` and `other`. */
function open({ before, isKnown = false }: Previous): StagedFile {
  writeFileSync(previous, before);
  writeFileSync(join(previousFolder, 'other'), '0123456789');
  const { ino: inode, mtimeMs } = statSync(previous);
  const recorded = { sha256: sha256(before), bytes: Buffer.byteLength(before), mtimeMs, inode };
  return openIn(previousFolder, isKnown ? recorded : null);
}

function openIn(
  previousOutput: string | null,
  recorded: RecordedFile | null = null,
  path = 'page',
): StagedFile {
  rmSync(file, { force: true });
  return openStagedFile(file, {
    path,
    previousPath: (other) => (previousOutput === null ? null : join(previousOutput, other)),
    recorded,
    scratch: Buffer.alloc(4),
    guarded: (act) => act(),
    onClose: (closed) => ({ path, ...closed }),
  });
}

async function writeAll(staged: StagedFile, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await staged.write(text);
}

/** Flushes buffered data, because byte ranges are not buffered. */
const flush = (staged: StagedFile) => staged.copy({ path: 'other', offset: 0, length: 0 });

const exists = () => statSync(file, { throwIfNoEntry: false }) !== undefined;
const isLinked = () => statSync(file).ino === statSync(previous).ino;
const sha256 = (text: string) => hash('sha256', text);
const closedWith = (text: string) => ({ path: 'page', sha256: sha256(text), bytes: Buffer.byteLength(text) });

describe('a staged file', () => {
  it('is not written as long as it is the same as the previous one', async () => {
    const staged = open({ before: 'one two three' });
    await writeAll(staged, 'one ', 'two ');
    await flush(staged);
    expect(exists()).toBe(false);
    await writeAll(staged, 'four');
    await flush(staged);
    expect(exists()).toBe(true);
    await writeAll(staged, ' five');
    expect(await staged.close()).toEqual(closedWith('one two four five'));
    expect(readFileSync(file, 'utf8')).toBe('one two four five');
    expect(readFileSync(previous, 'utf8')).toBe('one two three');
  });

  it.each([
    ['the same', ['one ', 'two'], true],
    ['shorter', ['one '], false],
    ['longer', ['one ', 'two', ' three'], false],
    ['empty', [], false],
  ])('that is %s is linked only when it is the same to its end', async (_what, texts, linked) => {
    const staged = open({ before: 'one two' });
    await writeAll(staged, ...texts);
    await staged.close();
    staged.abandon();
    expect(isLinked()).toBe(linked);
    expect(readFileSync(file, 'utf8')).toBe(texts.join(''));
  });

  it('keeps the equal part if only the last of many blocks differs', async () => {
    const block = 'All the same here.\n'.repeat(30_000);
    const staged = open({ before: `${block}${block}end` });
    await writeAll(staged, block, block, 'END');
    expect(await staged.close()).toEqual(closedWith(`${block}${block}END`));
    expect(readFileSync(file, 'utf8')).toBe(`${block}${block}END`);
  });

  it('contains what was written, whatever the previous one contained', { tags: 'property' }, async () => {
    const anyText = fc.array(fc.constantFrom('a', 'b', 'ab', 'aaaaaaaa', '', '語'), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(anyText, anyText, fc.boolean(), async (before, texts, isKnown) => {
        const staged = open({ before: before.join(''), isKnown });
        for (const text of texts) {
          await staged.write(text);
          await flush(staged);
        }
        expect(await staged.close()).toEqual(closedWith(texts.join('')));
        expect(readFileSync(file, 'utf8')).toBe(texts.join(''));
        expect(isLinked()).toBe(before.join('') === texts.join(''));
      }),
    );
  });

  it('needs no previous one', async () => {
    writeFileSync(previous, 'a file where a folder should be');
    mkdirSync(join(folder, 'in-the-way/page'), { recursive: true });
    for (const none of [null, join(folder, 'none'), previous, join(folder, 'in-the-way')]) {
      const staged = openIn(none);
      await writeAll(staged, 'text');
      await staged.close();
      expect(readFileSync(file, 'utf8')).toBe('text');
    }
  });

  it('is refused if someone wrote to the previous one meanwhile', async () => {
    const staged = open({ before: 'one two' });
    await writeAll(staged, 'one ');
    await flush(staged);
    writeFileSync(previous, 'ONE two');
    utimesSync(previous, 1, 1);
    await writeAll(staged, 'three');
    await expect(staged.close()).rejects.toMatchObject({ code: 'OUTPUT_CHANGED' });
    staged.abandon();
  });

  it('is not linked to a file that replaced the previous one meanwhile', async () => {
    const staged = open({ before: 'one two' });
    await writeAll(staged, 'one two');
    rmSync(previous);
    writeFileSync(previous, 'another');
    await staged.close();
    expect(readFileSync(file, 'utf8')).toBe('one two');
  });

  it('is a file if the previous one is a link to the same content', async () => {
    rmSync(previous, { force: true });
    writeFileSync(join(folder, 'elsewhere'), 'one two');
    symlinkSync(join(folder, 'elsewhere'), previous);
    const staged = openIn(previousFolder);
    await writeAll(staged, 'one two');
    expect(await staged.close()).toEqual(closedWith('one two'));
    rmSync(previous);
    rmSync(join(folder, 'elsewhere'));
    expect(readFileSync(file, 'utf8')).toBe('one two');
  });
});

describe('a byte range of the previous output', () => {
  /** Texts, ranges of either file, and the range that is next in the same file. */
  const anyPiece = fc.oneof(
    fc.record({ text: fc.constantFrom('a', 'abc', 'aaaaaaaa', '') }),
    fc.record({ path: fc.constantFrom('page', 'other'), offset: fc.nat(12), length: fc.nat(12) }),
    fc.record({ next: fc.nat(6) }),
  );

  it('is in the file as if it had been written', { tags: 'property' }, async () => {
    const anyBefore = fc.array(fc.constantFrom('a', 'bc', 'aaaaaaaa'), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        anyBefore,
        fc.array(anyPiece, { maxLength: 6 }),
        fc.boolean(),
        async (before, pieces, isKnown) => {
          const text = before.join('');
          const staged = open({ before: text, isKnown });
          let expected = '';
          const copy = async (path: string, offset: number, length: number) => {
            const part = (path === 'page' ? text : '0123456789').slice(offset, offset + length);
            await staged.copy({ path, offset, length: part.length });
            expected += part;
          };
          for (const piece of pieces) {
            if ('text' in piece) {
              await staged.write(piece.text);
              expected += piece.text;
            } else if ('next' in piece) await copy('page', expected.length, piece.next);
            else await copy(piece.path, piece.offset, piece.length);
            expect(staged.position()).toBe(expected.length);
          }
          expect(await staged.close()).toEqual(closedWith(expected));
          expect(readFileSync(file, 'utf8')).toBe(expected);
          expect(isLinked()).toBe(expected === text);
        },
      ),
    );
  });

  it('with the same offset is not read', async () => {
    const staged = open({ before: 'one two', isKnown: true });
    // No reader would mistake it for the recorded file.
    const { atime, mtime } = statSync(previous);
    writeFileSync(previous, 'ONE two');
    utimesSync(previous, atime, mtime);
    await staged.copy({ path: 'page', offset: 0, length: 4 });
    await flush(staged);
    expect(exists()).toBe(false);
    staged.abandon();
  });

  it('keeps the file if all ranges have the same offsets', async () => {
    const staged = open({ before: 'one two', isKnown: true });
    await staged.copy({ path: 'page', offset: 0, length: 4 });
    await writeAll(staged, 'two');
    expect(await staged.close()).toEqual(closedWith('one two'));
    expect(isLinked()).toBe(true);
  });

  it('is refused when it is longer than the file', async () => {
    const staged = open({ before: 'one two', isKnown: true });
    await writeAll(staged, 'one ');
    const copy = staged.copy({ path: 'page', offset: 4, length: 4 });
    await expect(copy).rejects.toMatchObject({ code: 'OUTPUT_CHANGED' });
    staged.abandon();
  });

  it('is refused if it is from a file that someone writes to', async () => {
    const staged = open({ before: 'one two' });
    await writeAll(staged, 'one');
    await staged.copy({ path: 'page', offset: 0, length: 1 });
    utimesSync(previous, 1, 1);
    const copy = staged.copy({ path: 'page', offset: 1, length: 2 });
    await expect(copy).rejects.toMatchObject({ code: 'OUTPUT_CHANGED' });
    staged.abandon();
  });

  it.each([
    ['a file that is gone', previousFolder, 'none'],
    ['no previous output at all', null, 'page'],
  ])('is refused when it is of %s', async (_what, previousOutput, path) => {
    const staged = openIn(previousOutput);
    const copy = staged.copy({ path, offset: 0, length: 1 });
    await expect(copy).rejects.toMatchObject({ code: 'OUTPUT_CHANGED' });
    staged.abandon();
  });
});

it.each([
  ['is missing', join(folder, 'none'), 1],
  ['ends before', join(previousFolder, 'other'), 100],
])('names a file of the cache or a shard that %s, and not the output', async (_what, stored, length) => {
  const staged = open({ before: 'x' });
  const error = await staged.write({ file: stored, offset: 0, length }).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({
    message: `${stored} is missing or was changed while the build read it`,
    hint: expect.not.stringContaining('output'),
  });
  staged.abandon();
  rmSync(file, { force: true });
});

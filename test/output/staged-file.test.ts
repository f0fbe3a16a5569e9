import { hash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStagedFile, type StagedFile } from '../../src/output/staged-file.ts';
import { fc } from '../support/properties.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const file = join(folder, 'file');

function open(): StagedFile {
  rmSync(file, { force: true });
  return openStagedFile(file, {
    guarded: (act) => act(),
    onClose: (closed) => ({ path: 'page', ...closed }),
  });
}

const facts = (text: string) => ({
  path: 'page',
  sha256: hash('sha256', text),
  bytes: Buffer.byteLength(text),
});

describe('a staged file', () => {
  it('contains what was written in pieces, with its hash and size', { tags: 'property' }, async () => {
    const anyPiece = fc.constantFrom('a', '', '語', '\u{1f600}', 'x'.repeat(600_000));
    await fc.assert(
      fc.asyncProperty(fc.array(anyPiece, { maxLength: 6 }), fc.boolean(), async (pieces, isBytes) => {
        const staged = open();
        for (const piece of pieces) await staged.write(isBytes ? Buffer.from(piece) : piece);
        expect(await staged.close()).toEqual(facts(pieces.join('')));
        expect(readFileSync(file, 'utf8')).toBe(pieces.join(''));
      }),
    );
  });

  it('joins a character that is divided between two pieces', async () => {
    const staged = open();
    await staged.write('\ud83d');
    await staged.write('\ude00');
    expect(await staged.close()).toEqual(facts('\u{1f600}'));
  });

  it('takes no more after it was abandoned', async () => {
    const staged = open();
    staged.abandon();
    staged.abandon();
    await staged.write('text');
    await expect(staged.close()).rejects.toThrow('is closed');
  });
});

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, it } from 'vitest';
import { checkReader, readerInDocs } from './support/readers.ts';

const runProgram = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-readers-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

it('the reader in docs/chatbot-feed.md follows thirty edits, a restart, a lost output and a language that comes back', async () => {
  const file = join(folder, 'reader.mjs');
  await writeFile(file, readerInDocs());
  await checkReader(async (address, store) => {
    const path = join(folder, store);
    await runProgram(process.execPath, [file, address, path]);
    return JSON.parse(await readFile(path, 'utf8')).articles;
  });
}, 300_000);

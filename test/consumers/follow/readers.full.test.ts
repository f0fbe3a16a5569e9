import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { findTool } from '../../support/tools.ts';
import { checkReader, readerInDocs } from './support/readers.ts';

const runProgram = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-readers-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const python = findTool('python');

describe('the readers in docs/chatbot-feed.md', () => {
  it.each([
    ['js', process.execPath, 'reader.mjs'],
    ...(python === null ? [] : ([['python', python, 'reader.py']] as const)),
  ] as const)(
    'follow thirty edits, a restart, a lost output and a language that comes back: %s',
    async (language, program, name) => {
      const file = join(folder, name);
      await writeFile(file, readerInDocs(language));
      await checkReader(async (address, store) => {
        const path = join(folder, `${name}-${store}`);
        await runProgram(program, [file, address, path]);
        return JSON.parse(await readFile(path, 'utf8')).articles;
      });
    },
    300_000,
  );
});

import { chmodSync, closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createKey, listKeys } from '../../src/service/keys.ts';
import { openDatabase } from '../../src/service/store/database.ts';
import { openStore } from '../../src/service/store/open-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function makeDataFile(): Promise<string> {
  const file = join(temporaryFolder(), 'kb.sqlite');
  await (await openStore(file, { defaultLanguage: 'en', clock: Date.now })).close();
  await createKey(file, 'reader', 'read');
  return file;
}

it('the keys of a damaged data file are a clear error', async () => {
  const file = await makeDataFile();
  damageKeys(file);
  const error = {
    code: 'DATA_UNUSABLE',
    message: `${file} cannot be used: database disk image is malformed`,
  };
  await expect(createKey(file, 'writer', 'write')).rejects.toMatchObject(error);
  await expect(listKeys(file)).rejects.toMatchObject(error);
});

// Root may write whatever the mode of a file says.
it.skipIf(process.getuid?.() === 0)('a key for a read-only data file is a clear error', async () => {
  const file = await makeDataFile();
  chmodSync(file, 0o444);
  onTestFinished(() => chmodSync(file, 0o644));
  await expect(createKey(file, 'writer', 'write')).rejects.toMatchObject({
    code: 'DATA_UNUSABLE',
    message: `${file} cannot be used: attempt to write a readonly database`,
  });
});

/** Overwrites the first page of the table of keys. */
function damageKeys(file: string): void {
  const database = openDatabase(file);
  const page = Number(database.row("SELECT rootpage FROM sqlite_schema WHERE name = 'api_key'")?.rootpage);
  const size = Number(database.row('PRAGMA page_size')?.page_size);
  database.rows('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
  closeSync(descriptor);
}

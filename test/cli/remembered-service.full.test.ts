import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runLectern, startLectern } from '../support/lectern.ts';

let folder: string;
let stop: () => Promise<void>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-remembered-'));
  const multilingual = [{ language_code: 'de', title: 'Hallo', body: '<p>Text</p>' }];
  const article = { title: 'Hello', body: '<p>Text</p>', is_published: true, multilingual };
  writeFileSync(join(folder, 'seed.json'), JSON.stringify({ articles: [article] }));
  stop = await serve();
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(): Promise<() => Promise<void>> {
  const child = startLectern(['serve', '--seed', 'seed.json', '--port', '0', '--quiet'], { cwd: folder });
  await once(createInterface({ input: child.stdout as never }), 'line');
  return async () => {
    child.kill();
    await once(child, 'close');
  };
}

const lectern = (...args: string[]) => runLectern(args, { cwd: folder });
const stored = () => JSON.parse(readFileSync(join(folder, 'lectern.sqlite-tls/service.json'), 'utf8'));

it('lets the commands of a folder find the service that was started there, with its key and certificate', async () => {
  const build = await lectern('build', '--site-url', 'https://help.example.com');
  expect(build).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Published 1 article in 2 languages'),
  });
  const list = await lectern('kb', 'category', 'list');
  expect(list).toMatchObject({ code: 0 });
  expect(await lectern('pull', 'kb')).toMatchObject({ code: 0 });
  expect(await lectern('push', 'kb')).toMatchObject({ code: 0 });
  expect(existsSync(join(folder, 'kb/articles'))).toBe(true);
});

it('keeps the key in a file that only its user may read, and uses it again', async () => {
  const { apiKey } = stored();
  expect(statSync(join(folder, 'lectern.sqlite-tls/service.json')).mode & 0o077).toBe(0);
  await stop();
  stop = await serve();
  expect(stored().apiKey).toBe(apiKey);
  expect(await lectern('kb', 'category', 'list')).toMatchObject({ code: 0 });
});

it('is not used where settings name another source, and its key goes to no other address', async () => {
  writeFileSync(join(folder, 'lectern.config.json'), '{ "baseUrl": "https://127.0.0.1:9/v1" }');
  const { code, stderr } = await lectern('build');
  expect([code, stderr]).toEqual([2, expect.stringContaining('LECTERN_API_KEY')]);
});

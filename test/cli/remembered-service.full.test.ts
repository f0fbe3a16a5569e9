import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runLectern, startLectern } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
let stop: () => Promise<void>;
/** What the last service printed. */
let printed: string;
const promise = 'lectern build, kb, pull and push find it by themselves';

beforeEach(async () => {
  folder = temporaryFolder();
  const multilingual = [{ language_code: 'de', title: 'Hallo', body: '<p>Text</p>' }];
  const article = { title: 'Hello', body: '<p>Text</p>', is_published: true, multilingual };
  writeFileSync(join(folder, 'seed.json'), JSON.stringify({ articles: [article] }));
  stop = await serve();
});
afterEach(async () => {
  await stop();
});

/** @returns stops it, by a signal that it may be unable to handle */
async function serve(
  data = 'lectern.sqlite',
  port = '0',
): Promise<(signal?: NodeJS.Signals) => Promise<void>> {
  const args = ['serve', '--data', data, '--seed', 'seed.json', '--port', port, '--quiet'];
  const child = startLectern(args, { cwd: folder });
  printed = '';
  for await (const line of createInterface({ input: child.stdout as never })) {
    printed += `${line}\n`;
    if (line.startsWith('export ')) break;
  }
  return async (signal) => {
    child.kill(signal);
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

it.each(['SIGTERM', 'SIGKILL'] as const)(
  'of several services with one address, the one that was started last is found, after %s',
  async (signal) => {
    const { port } = new URL(stored().baseUrl);
    await stop();
    const stopOther = await serve('other.sqlite', port);
    expect(printed).toContain(promise);
    expect(await lectern('kb', 'category', 'list')).toMatchObject({ code: 0 });
    expect(await lectern('build', '--site-url', 'https://help.example.com')).toMatchObject({ code: 0 });
    await stopOther(signal);
    stop = await serve('lectern.sqlite', port);
    expect(printed).toContain(promise);
    expect(await lectern('kb', 'category', 'list')).toMatchObject({ code: 0 });
  },
);

it('lists several services with other addresses, promises nothing then, and takes the chosen one', async () => {
  const urls = [stored().baseUrl];
  const stopOther = await serve('other.sqlite');
  urls.push(JSON.parse(readFileSync(join(folder, 'other.sqlite-tls/service.json'), 'utf8')).baseUrl);
  const list = `2 services were started in this folder:\n  ${urls[0]} (lectern.sqlite)\n  ${urls[1]} (other.sqlite)\n`;
  expect(printed).not.toContain(promise);
  expect(printed).toContain('For other commands:\nexport LECTERN_BASE_URL=');
  for (const command of [['build'], ['kb', 'category', 'list'], ['pull', 'kb']]) {
    const { code, stderr } = await lectern(...command);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`error SOURCE_MISSING: ${list}`)]);
    expect(stderr).toContain('--base-url');
  }
  expect(await lectern('kb', 'category', 'list', '--base-url', urls[1])).toMatchObject({ code: 0 });
  await stopOther();
  const { code, stderr } = await lectern('build');
  expect([code, stderr]).toEqual([2, expect.stringContaining(list)]);
});

it('promises nothing if the configuration names another source', async () => {
  await stop();
  writeFileSync(join(folder, 'lectern.config.json'), '{ "baseUrl": "https://127.0.0.1:9/v1" }');
  stop = await serve();
  expect(printed).not.toContain(promise);
});

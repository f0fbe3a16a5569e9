import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { readBlocks } from '../../docs/support/read-blocks.ts';
import { buildSample } from '../../feed/support/build-sample.ts';
import { findText } from '../../feed/support/memory-output.ts';
import { writeTree } from '../../support/folder-layouts.ts';
import { fc, runs } from '../../support/properties.ts';
import { serve } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeWith } from '../../support/tools.ts';
import {
  type Consumer,
  checkChanges,
  checkConsumer,
  checkFork,
  checkUrls,
  type Store,
  servePublished,
  steps,
} from './support/conformance.ts';
import { checkLosses } from './support/losses.ts';
import { clients, type PythonClient, startPythonClient } from './support/python-client.ts';
import { checkRestarts } from './support/restarts.ts';

const docsPage = fileURLToPath(new URL('../../../docs/chatbot-feed.md', import.meta.url));

describeWith('python', 'applying a feed in Python', (python) => {
  let folder: string;
  let cursors = 0;
  let client: PythonClient;

  beforeAll(async () => {
    folder = temporaryFolder();
    client = startPythonClient(python);
  });

  afterAll(async () => {
    client.stop();
  });

  /** Standard output. */
  function run(...args: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      execFile(python, [...args], { encoding: 'utf8' }, (error, stdout) => {
        if (error === null) resolve(stdout);
        else reject(error);
      });
    });
  }

  function makeConsumer(): Consumer {
    const name = join(folder, String(cursors++));
    return {
      store: () => JSON.parse(readFileSync(`${name}.json`, 'utf8')) as Store,
      apply: (address, callsLeft) => client.drive(address, name, `${name}.json`, String(callsLeft), ''),
    };
  }

  it('gives the target the content of the feed, whatever was edited, moved, killed or half uploaded', {
    tags: 'property',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, (all) => checkConsumer(all, makeConsumer())),
      { numRuns: runs(40) },
    );
  });

  it('reads nothing but the manifest and the changes, several runs behind and after a kill', async () => {
    await checkChanges(makeConsumer());
  });

  it('uses no changes of a feed that it did not apply', async () => {
    await checkFork(makeConsumer());
  });

  it('asks for gzip, unpacks no more than its limit, and repeats a request whose answer ends in the middle', async () => {
    const published = await buildSample({
      languages: ['en'],
      articles: [
        { id: 'article000', pages: { en: { title: 'A', markdown: `${'Text. '.repeat(50000)}\n` } } },
      ],
    });
    const asked: unknown[] = [];
    let cut = 1;
    const server = await serve((request, response) => {
      const packed = gzipSync(published.text((request.url ?? '').slice(1)));
      asked.push(request.headers['accept-encoding']);
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(cut-- > 0 ? packed.subarray(0, packed.length / 2) : packed);
    });
    const address = `${server.origin}/`;
    const consumer = makeConsumer();
    expect(await consumer.apply(address, 1000)).toMatchObject({ status: 'applied' });
    expect(asked).toEqual(['gzip', 'gzip', 'gzip', 'gzip']);
    expect(Object.values(consumer.store()).length).toBeGreaterThan(1);
    const limited = `import sys; sys.path.insert(0, sys.argv[1]); import apply_feed as client; client.MAX_MANIFEST_BYTES = 1000
try: client.apply_feed(sys.argv[2], sys.argv[3], print, print)
except client.FeedError as error: print(error)`;
    const printed = await run('-c', limited, clients, address, join(folder, 'limited'));
    expect(printed).toBe('feed/manifest.json is larger than 1000 bytes\n');
  });

  it('repeats a request whose connection broke, and reads all members of a gzip answer', async () => {
    const site = (text: string) => ({
      languages: ['en'],
      articles: [{ id: 'article000', pages: { en: { title: 'A', markdown: `${text.repeat(2000)}\n` } } }],
    });
    const published = await buildSample(site('Some text. '));
    const asked: string[] = [];
    const server = await serve((request, response) => {
      const path = (request.url ?? '').slice(1);
      const content = Buffer.from(published.text(path));
      const half = Math.floor(content.length / 2);
      asked.push(path);
      const headers = asked.length === 1 ? { 'content-length': content.length } : {};
      if (asked.length <= 2) {
        // Cut: first an answer of a known length, then one in pieces.
        response.writeHead(200, headers);
        response.write(content.subarray(0, half), () => response.destroy());
        return;
      }
      const members = [content.subarray(0, half), content.subarray(half)].map((part) => gzipSync(part));
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.concat(members));
    });
    const address = `${server.origin}/`;
    const consumer = makeConsumer();
    expect(await consumer.apply(address, 1000)).toMatchObject({ status: 'applied' });
    const manifest = 'feed/manifest.json';
    const records = ['feed/en/documents.jsonl', 'feed/en/chunks.jsonl'];
    expect(asked).toEqual([manifest, manifest, manifest, ...records]);
    expect(Object.values(consumer.store()).length).toBeGreaterThan(1);
  });

  it('deletes no more than a fifth of the documents, unless it is allowed to, and nothing for a poisoned manifest', async () => {
    const name = join(folder, 'losses');
    await checkLosses(async (address, allow) => {
      const result = await client.drive(address, name, `${name}.json`, '1000', allow ? '' : 'guard');
      const stored = Object.values(JSON.parse(readFileSync(`${name}.json`, 'utf8')) as Store);
      return [result?.status ?? 'killed', stored.filter((one) => 'document' in one).length];
    });
  });

  it('ends its command with 1 and says what to do if the feed is behind or shrank', async () => {
    const server = await servePublished();
    const site = (count: number) => ({
      languages: ['en'],
      articles: Array.from({ length: count }, (_, at) => ({
        id: `article00${at}`,
        pages: { en: { title: 'A', markdown: 'Text.\n' } },
      })),
    });
    const command = (...more: readonly string[]) =>
      run(join(clients, 'apply_feed.py'), server.address, join(folder, 'command'), ...more);
    const first = await buildSample(site(4));
    server.publish((path) => first.text(path));
    await command();
    const second = await buildSample(site(2), { previous: first });
    server.publish((path) => second.text(path));
    await expect(command()).rejects.toMatchObject({
      code: 1,
      message: expect.stringContaining('error MASS_DELETE: 2 documents, down from 4'),
    });
    expect(await command('--allow-mass-delete')).toContain('"op": "delete"');
    server.publish((path) => first.text(path));
    await expect(command()).rejects.toMatchObject({
      code: 1,
      message: expect.stringContaining(
        'error FEED_BEHIND: the feed is at run 1, older than the applied run 2',
      ),
    });
  });

  it('refuses a line of the changes that is not a change', async () => {
    const broken = `import sys; sys.path.insert(0, sys.argv[1]); import apply_feed as client
change = '{"op":"delete","id":"a","url":"/a","reason":"deleted"}'
print(len(list(client._parse_lines(change.encode(), "path", client._is_change))))
for wrong in ("[]", "{", change.replace('"a"', "1"), change.replace("delete", "touch"), change.replace('"op"', '"po"')):
    try: list(client._parse_lines(wrong.encode(), "path", client._is_change))
    except client.FeedError as error: print(error.code)`;
    const printed = await run('-c', broken, clients);
    expect(printed).toBe(`1\n${'FEED_INVALID\n'.repeat(5)}`);
  });

  it('accepts a feed with another id only if it was built later', async () => {
    const consumer = makeConsumer();
    await checkRestarts(async (address) => (await consumer.apply(address, 1000))?.status ?? '');
  });

  it('keeps a store up to date as docs/chatbot-feed.md shows', async () => {
    const server = await servePublished();
    const site = (...texts: readonly string[]) => ({
      languages: ['en'],
      articles: texts.map((text, index) => ({
        id: `article00${index}`,
        pages: { en: { title: 'A', markdown: `${text}\n` } },
      })),
    });
    const example = readBlocks(docsPage).find(({ code }) => code.startsWith('from apply_feed'))?.code ?? '';
    const program = `import json, os, sys
sys.path.insert(0, sys.argv[1])
kept = json.load(open("kept")) if os.path.exists("kept") else {}
embedded = []
class store:
    def put(id, fields): kept[id] = {**kept.get(id, {}), **fields}
    def remove(ids): [kept.pop(id, None) for id in ids]
embed_text = lambda text: embedded.append(text) or [0.5]
${example.replace('https://help.example.com/', server.address)}
json.dump(kept, open("kept", "w"))
print(json.dumps([result["status"], len(kept), len(embedded), all("vector" in each for each in kept.values())]))`;
    const file = join(folder, 'example.py');
    await writeFile(file, `import os; os.chdir(${JSON.stringify(folder)})\n${program}`);
    const apply = async () => JSON.parse(await run(file, clients)) as unknown;
    const first = await buildSample(site('One.', 'Two.', 'Three.'));
    server.publish((path) => first.text(path));
    expect(await apply()).toEqual(['applied', 3, 3, true]);
    expect(await apply()).toEqual(['unchanged', 3, 0, true]);
    const second = await buildSample(site('One.', 'Other.'), { previous: first });
    server.publish((path) => second.text(path));
    expect(await apply()).toEqual(['applied', 2, 1, true]);
  });

  it('refuses a second run with its cursor, which could be overtaken by the texts of the first one', async () => {
    const server = await servePublished();
    const published = await buildSample({
      languages: ['en'],
      articles: [{ id: 'article000', pages: { en: { title: 'A', markdown: 'Text.\n' } } }],
    });
    server.publish((path) => published.text(path));
    const script = `import sys; sys.path.insert(0, sys.argv[1]); import apply_feed as client
def again(_):
    try: print(client.apply_feed(sys.argv[2], sys.argv[3], print, print)["status"])
    except client.FeedError as error: print(error.code)
client.apply_feed(sys.argv[2], sys.argv[3], again, print)
again(None)`;
    const printed = await run('-c', script, clients, server.address, join(folder, 'shared'));
    expect(printed).toBe('LOCKED\nunchanged\n');
  });

  it('raises the errors of a target that is an SQLite file, too, and names what is wrong with the file of a cursor', async () => {
    const server = await servePublished();
    const published = await buildSample({
      languages: ['en'],
      articles: [{ id: 'article000', pages: { en: { title: 'A', markdown: 'Text.\n' } } }],
    });
    server.publish((path) => published.text(path));
    const script = `import sqlite3, sys; sys.path.insert(0, sys.argv[1]); import apply_feed as client
sqlite3.connect(sys.argv[3] + "/foreign").execute("CREATE TABLE run (started)")
for name in ("own-target", "foreign", "."):
    try: client.apply_feed(sys.argv[2], sys.argv[3] + "/" + name, lambda _: sqlite3.connect(":memory:").execute("SELECT * FROM missing"), print)
    except Exception as error: print(error)`;
    const printed = await run('-c', script, clients, server.address, folder);
    expect(printed.split('\n')).toEqual([
      'no such table: missing',
      expect.stringMatching(/foreign is not a feed cursor: /),
      expect.stringMatching(/^the cursor .* cannot be written \(.*\): check that its folder is writable/),
      '',
    ]);
  });

  it('takes paths of pathlib, and no callback that has stored nothing when it returns', async () => {
    const published = await buildSample({
      languages: ['en'],
      articles: [{ id: 'article000', pages: { en: { title: 'A', markdown: 'Text.\n' } } }],
    });
    const site = join(folder, 'site');
    writeTree(site, published.texts());
    const script = `import pathlib, sys; sys.path.insert(0, sys.argv[1]); import apply_feed as client
async def wait(_): pass
def step(_): yield
for upsert in (wait, step, lambda _: None):
    try: print(client.apply_feed(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), upsert, print)["upserted"])
    except client.FeedError as error: print(error.code)`;
    const printed = await run('-W', 'ignore', '-c', script, clients, site, join(folder, 'paths'));
    expect(printed).toBe('USAGE\nUSAGE\n1\n');
  });

  it('repeats a request whose answer stops, whatever error this version of Python has for it', async () => {
    const published = await buildSample({
      languages: ['en'],
      articles: [{ id: 'article000', pages: { en: { title: 'A', markdown: 'Text.\n' } } }],
    });
    let broken = 1;
    const server = await serve((request, response) => {
      const content = published.text((request.url ?? '').slice(1));
      response.writeHead(200, { 'content-length': Buffer.byteLength(content) });
      if (broken-- > 0) response.write(content.slice(0, 10));
      else response.end(content);
    });
    const address = `${server.origin}/`;
    // Until Python 3.9, the time-out of a socket is an OSError and no TimeoutError.
    const script = `import sys; sys.path.insert(0, sys.argv[1]); import apply_feed as client
client.TIMEOUT_SECONDS = 0.5; client.TimeoutError = type("TimeoutError", (OSError,), {})
print(client.apply_feed(sys.argv[2], sys.argv[3], lambda _: None, print)["status"])`;
    expect(await run('-c', script, clients, address, join(folder, 'stopped'))).toBe('applied\n');
  });

  it('refuses a cursor of another format, and a percentage or a size that is none', async () => {
    const cursor = join(folder, 'damaged');
    const tryAll = `import sys; sys.path.insert(0, sys.argv[1]); import apply_feed as client
with open(sys.argv[3], "w") as file: file.write("no database" * 1000)
try: client.apply_feed(sys.argv[2], sys.argv[3], print, print)
except client.FeedError as error: print(error.code)
for percent in (-1, 101, float("nan"), "20", None):
    try: client.apply_feed(sys.argv[2], sys.argv[3], print, print, max_drop_percent=percent)
    except client.FeedError as error: print(error.code)
for size in (0, -1, 1.5, "50", None):
    try: client.apply_feed(sys.argv[2], sys.argv[3], print, print, batch_size=size)
    except client.FeedError as error: print(error.code)`;
    const site = await buildSample({
      languages: ['en'],
      articles: [{ id: 'article000', pages: { en: { title: 'A', markdown: 'Text.\n' } } }],
    });
    const server = await servePublished();
    server.publish((path) => site.text(path));
    const printed = await run('-c', tryAll, clients, server.address, cursor);
    expect(printed.trim().split('\n')).toEqual([
      'CURSOR_UNUSABLE',
      ...Array.from({ length: 10 }, () => 'USAGE'),
    ]);
  });

  it('reads plain http from this machine only, and follows no redirect to another server', async () => {
    const name = join(folder, 'refused');
    await checkUrls(
      async (url) => (await client.drive(url, name, `${name}.json`, '1000', ''))?.status ?? 'killed',
    );
    const server = await serve((_request, response) => {
      response.writeHead(302, { location: 'https://help.example.com/feed/manifest.json' }).end();
    });
    const address = `${server.origin}/`;
    expect(await makeConsumer().apply(address, 1000)).toEqual({
      status: 'FEED_UNREACHABLE',
      message: expect.stringContaining('redirects to another server, https://help.example.com/'),
    });
  });

  it('reads a site in a folder with letters and spaces, encoded or not', async () => {
    const pages = { en: { title: 'A', markdown: 'Text.\n' } };
    const published = await buildSample({ languages: ['en'], articles: [{ id: 'article000', pages }] });
    const server = await serve((request, response) => {
      const [, path = ''] = /^\/hilfe-%C3%BC\/my%20docs\/(.*)$/.exec(request.url ?? '') ?? [];
      const text = findText(published, path);
      if (text === null) response.writeHead(404).end();
      else response.end(text);
    });
    const address = server.origin;
    for (const path of ['/hilfe-ü/my docs/', '/hilfe-%C3%BC/my%20docs/feed/manifest.json'])
      expect(await makeConsumer().apply(address + path, 1000)).toMatchObject({ status: 'applied' });
  });

  it('does not take an unrequested 304 as "unchanged"', async () => {
    const server = await serve((_request, response) => response.writeHead(304).end());
    const address = `${server.origin}/`;
    expect(await makeConsumer().apply(address, 1000)).toEqual({
      status: 'FEED_UNREACHABLE',
      message: expect.stringContaining('HTTP Error 304: Not Modified'),
    });
  });

  it('prints what changed as JSON Lines, for a program in another language', async () => {
    const server = await servePublished();
    const site = (title: string) => ({
      languages: ['en'],
      articles: [{ id: 'article000', pages: { en: { title, markdown: 'Text.\n' } } }],
    });
    const published = await buildSample(site('A'));
    server.publish((path) => published.text(path));
    const command = join(clients, 'apply_feed.py');
    const first = await run(command, server.address, join(folder, 'printed'));
    expect(JSON.parse(first)).toMatchObject({
      op: 'upsert',
      chunks: [{ embed: true, chunk: { title: 'A' } }],
    });
    expect(await run(command, server.address, join(folder, 'printed'))).toBe('');
    // As Windows encodes what goes to another program.
    process.env.PYTHONIOENCODING = 'cp1252';
    onTestFinished(() => void delete process.env.PYTHONIOENCODING);
    const others = await buildSample(site('Menü メニュー \u2028 b'));
    server.publish((path) => others.text(path));
    const second = await run(command, server.address, join(folder, 'others'));
    expect(second).not.toMatch(/[\u2028\u2029\r]/);
    expect(JSON.parse(second)).toMatchObject({ document: { title: 'Menü メニュー \u2028 b' } });
  });
});

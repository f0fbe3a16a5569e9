import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import { dirname, join } from 'node:path';
import { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DatabaseUnavailable } from '../../../src/core/sqlite/sqlite.ts';
import { createApp } from '../../../src/service/http/create-app.ts';
import { startService } from '../../../src/service/start-service.ts';
import { openDatabase } from '../../../src/service/store/database.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite-store.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { createStoreThread } from '../../../src/service/store/store-thread.ts';
import { makeCertificate } from '../../../src/service/tls/make-certificate.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { callService, startTestService } from '../support/service.ts';

/** Takes the write lock of a service's data file, as another process would. */
function lock(data: string) {
  const database = openDatabase(data);
  onTestFinished(() => database.close());
  database.run('BEGIN IMMEDIATE');
  return { release: () => database.run('ROLLBACK') };
}

describe('a data file that another process has locked', () => {
  it('answers a write with 503 and Retry-After, and reads go on meanwhile', async () => {
    const service = await startTestService();
    const { release } = lock(join(service.folder, 'kb.sqlite'));
    const write = service.call('/article', { method: 'POST', body: { title: 'x' } });
    let reads = 0;
    let isDone = false;
    write.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      expect((await service.call('/article')).status).toBe(200);
      reads++;
    }
    const answer = await write;
    expect([answer.status, answer.headers['retry-after'], answer.json.error.code]).toEqual([
      503,
      '1',
      'busy',
    ]);
    expect(reads).toBeGreaterThan(3);
    release();
    expect((await service.call('/article', { method: 'POST', body: { title: 'x' } })).status).toBe(200);
  });

  it('lets a write wait for a lock that is soon released', async () => {
    const service = await startTestService();
    const { release } = lock(join(service.folder, 'kb.sqlite'));
    const write = service.call('/article', { method: 'POST', body: { title: 'x' } });
    await service.call('/article');
    release();
    expect((await write).status).toBe(200);
  });
});

describe('a full disk', () => {
  it('is the error of the write that met it, and the next write succeeds when there is room', async () => {
    const database = openDatabase(join(temporaryFolder(), 'kb.sqlite'));
    onTestFinished(() => database.close());
    const pages = Number(database.row('PRAGMA page_count')?.page_count);
    database.rows(`PRAGMA max_page_count = ${pages}`);
    const insert = () =>
      database.transaction(async () =>
        database.run("INSERT INTO category (category_id, record) VALUES ('c', ?)", 'x'.repeat(100_000)),
      );
    await expect(insert()).rejects.toMatchObject({ name: 'DatabaseUnavailable', reason: 'full' });
    database.rows('PRAGMA max_page_count = 10000');
    expect(await insert()).toBe(1);
  });

  it('is answered with 507, and its cause is in the log', async () => {
    const log: string[] = [];
    const service = await startApp({
      fail: () => {
        throw new DatabaseUnavailable('full', new Error('database or disk is full'));
      },
      log,
    });
    const answer = await callService(service, '/article', { method: 'POST', body: { title: 'x' } });
    expect([answer.status, answer.json.error.code]).toEqual([507, 'storage_full']);
    expect(log.join('')).toContain('database or disk is full');
  });
});

describe('a client that does not read its answers', () => {
  const json = JSON.stringify({ body: 'long '.repeat(4_000_000) });
  const page = [{ position: 1, articleId: 'a', slug: '', json }];
  const ask = (path: string) => `GET /v1/${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

  it.each([
    ['one that is long', ask('article?include_body=true&key=x'), 1],
    // Buffers of the network hold thousands of them.
    ['many that are short', ask('none').repeat(50), Number.POSITIVE_INFINITY],
  ])('loses its connection: %s', async (_what, asked, times) => {
    const service = await startApp({ socketTimeoutMs: 50, listArticles: async () => page });
    const { hostname, port } = new URL(service.baseUrl);
    const accepted = once(service.server, 'secureConnection');
    const socket = connect({ host: hostname, port: Number(port), ca: service.ca });
    await once(socket, 'secureConnect');
    socket.pause();
    socket.on('error', () => {});
    const [there] = await accepted;
    let isClosed = false;
    there.once('close', () => {
      isClosed = true;
    });
    for (let time = 0; !isClosed; time++) {
      if (time < times) socket.write(asked);
      await sleep(1);
    }
    socket.destroy();
  });

  it('and has gone away has all its answers ended, also those that were waiting for earlier ones', async () => {
    let isLogged = () => {};
    const log = { push: (line: string) => line.includes('answered') && lines.push(line) && isLogged() };
    const lines: string[] = [];
    const service = await startApp({ listArticles: async () => page, log });
    const { hostname, port } = new URL(service.baseUrl);
    const socket = connect({ host: hostname, port: Number(port), ca: service.ca });
    socket.write(ask('article?include_body=true&key=x').repeat(3));
    await once(socket, 'data');
    const allLogged = new Promise<void>((resolve) => {
      isLogged = () => void (lines.length === 3 && resolve());
    });
    socket.destroy();
    await allLogged;
  });
});

describe('a client that sends a request before it has read a long response', () => {
  it('gets its answer, though head and body of the request arrive at once', async () => {
    const json = JSON.stringify({ body: 'long '.repeat(4_000_000) });
    const listArticles = async () => [{ position: 1, articleId: 'a', slug: '', json }];
    const service = await startApp({ listArticles });
    const accepted = once(service.server, 'secureConnection');
    const { port, hostname } = new URL(service.baseUrl);
    const tcp = connectTcp(Number(port), hostname);
    onTestFinished(() => void tcp.destroy());
    const held: Buffer[] = [];
    let isHolding = false;
    const wire = new Duplex({
      read() {},
      write(bytes, _encoding, done) {
        if (isHolding) held.push(bytes);
        else tcp.write(bytes);
        done();
      },
    });
    tcp.on('data', (bytes) => wire.push(bytes)).on('end', () => wire.push(null));
    const socket = connect({ socket: wire, ca: service.ca, checkServerIdentity: () => undefined });
    await once(socket, 'secureConnect');
    const [there] = await accepted;
    tcp.pause();
    socket.write(
      'GET /v1/article?include_body=true&limit=1 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\n\r\n',
    );
    while (!there.writableNeedDrain) await sleep(1);
    isHolding = true;
    const body = '{"title":"Second"}';
    const head = `POST /v1/article HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\nconnection: close\r\n`;
    // Two TLS records in one packet.
    socket.write(`${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`);
    socket.write(body);
    while (held.length < 2) await sleep(1);
    tcp.write(Buffer.concat(held));
    isHolding = false;
    tcp.resume();
    const received = await text(socket);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(received).toContain('"title":"Second"');
  });
});

/** The HTTP side alone, with what the service itself does not let set. */
async function startApp({
  fail,
  log = [],
  listArticles,
  ...timeouts
}: {
  readonly fail?: () => never;
  readonly log?: { push(line: string): unknown };
  readonly requestTimeoutMs?: number;
  readonly socketTimeoutMs?: number;
  readonly listArticles?: Store['listArticles'];
}) {
  const store = await openSqliteStore(join(temporaryFolder(), 'kb.sqlite'), {
    defaultLanguage: 'en',
    clock: Date.now,
  });
  const { ca, ...certificate } = await makeCertificate(Date.now());
  const server = createApp({
    store: { ...store, ...(listArticles && { listArticles }), ...(fail && { createArticle: fail }) },
    certificate,
    clock: Date.now,
    defaultLanguage: 'en',
    siteUrl: '',
    maxBodyBytes: 1000,
    requestsPerMinute: 0,
    trustProxy: 0,
    ...timeouts,
    checkKey: async () => ({ keyId: 'run', access: 'write' }),
    logger: pino({}, { write: (line) => void log.push(line) }),
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    return store.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `https://127.0.0.1:${port}/v1`, ca, apiKey: 'x', server };
}

describe('a damaged data file', () => {
  it.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, 4096)],
    ['overwritten', (bytes: Buffer) => bytes.fill(0x55, 4096)],
  ])('that is %s is refused by name', async (_what, damage) => {
    const data = join(temporaryFolder(), 'kb.sqlite');
    const service = await startService({ data });
    await service.close();
    const database = openDatabase(data);
    database.rows('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    writeFileSync(data, damage(readFileSync(data)));
    await expect(startService({ data })).rejects.toMatchObject({
      code: 'DATA_UNUSABLE',
      message: expect.stringContaining('kb.sqlite cannot be used: '),
    });
  });
});

describe('a data file that is', () => {
  async function startWithArticle() {
    const service = await startTestService();
    await service.call('/article', { method: 'POST', body: { article_id: 'aaaaaaaaaa', title: 'Kept' } });
    return { ...service, data: join(service.folder, 'kb.sqlite') };
  }

  it('deleted or replaced gets no more writes, which would be lost', async () => {
    const service = await startWithArticle();
    const { call, data } = service;
    renameSync(data, `${data}.moved`);
    const write = { method: 'PATCH', body: { title: 'Lost' } };
    expect((await call('/article/aaaaaaaaaa', write)).status).toBe(503);
    copyFileSync(`${data}.moved`, data);
    expect((await call('/article/aaaaaaaaaa', write)).json.error.code).toBe('database_unavailable');
    const root = { ...service, baseUrl: new URL(service.baseUrl).origin };
    expect((await callService(root, '/readyz')).status).toBe(503);
    rmSync(data);
    renameSync(`${data}.moved`, data);
    expect((await call('/article/aaaaaaaaaa', write)).status).toBe(200);
  });

  it.skipIf(process.platform === 'win32')('out of reach gets no writes until it is there again', async () => {
    const { call, data } = await startWithArticle();
    renameSync(data, `${data}.moved`);
    symlinkSync(data, data);
    const write = { method: 'PATCH', body: { title: 'New' } };
    expect((await call('/article/aaaaaaaaaa', write)).json.error.code).toBe('database_unavailable');
    rmSync(data);
    renameSync(`${data}.moved`, data);
    expect((await call('/article/aaaaaaaaaa', write)).status).toBe(200);
  });

  it.each(['damaged', 'missing'])('%s when the thread starts is no bug of the service', async (fault) => {
    const file = join(temporaryFolder(), fault, 'kb.sqlite');
    if (fault === 'damaged') {
      mkdirSync(dirname(file));
      writeFileSync(file, 'x'.repeat(100_000));
    }
    const settings = { data: file, accountId: '', defaultLanguage: 'en' };
    const thread = createStoreThread(settings, () => '');
    await expect(thread.call('listCategories')()).rejects.toMatchObject({
      name: 'DatabaseUnavailable',
      reason: fault === 'damaged' ? 'damaged' : 'unreachable',
    });
    await thread.close();
  });
});

describe('probes', () => {
  it('need no key, are not limited, and say whether the data file can be read', async () => {
    const service = await startTestService({ requestsPerMinute: 1 });
    const root = { ...service, baseUrl: new URL(service.baseUrl).origin };
    for (const path of ['/healthz', '/readyz', '/healthz', '/readyz']) {
      const answer = await callService(root, path, { key: null });
      expect([answer.status, answer.json]).toEqual([200, { status: 'ok' }]);
    }
    const database = openDatabase(join(service.folder, 'kb.sqlite'));
    database.run('ALTER TABLE setting RENAME TO away');
    database.close();
    expect((await callService(root, '/healthz', { key: null })).status).toBe(200);
    const answer = await callService(root, '/readyz', { key: null });
    expect([answer.status, answer.json]).toEqual([503, { status: 'unavailable' }]);
  });
});

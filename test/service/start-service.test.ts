import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startService } from '../../src/service/start-service.ts';
import { readOrMakeCertificate } from '../../src/service/tls/certificate-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { callService, startTestService } from './support/service.ts';

const seed = {
  articles: [
    { article_id: 'aaaaaaaaaa', title: 'First', body: '<p>1</p>', is_published: true },
    { article_id: 'bbbbbbbbbb', title: 'Second', body: '<p>2</p>' },
  ],
  categories: [{ category_id: 'c1', title: 'Category' }],
};

function writeSeed(folder: string, content: unknown = seed): string {
  const file = join(folder, 'seed.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

describe('startService', () => {
  it('answers over HTTPS with a certificate that the file it names vouches for', async () => {
    const service = await startTestService();
    expect(service.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect((await service.call('/article')).json).toEqual({ articles: [] });
    expect(readFileSync(service.caFile ?? '', 'utf8')).toBe(service.ca);
    await expect(
      service.call('/article').then(() => callService({ ...service, ca: null }, '/article')),
    ).rejects.toThrow(/certificate/);
  });

  it('answers at localhost and at ::1 with the same certificate', async () => {
    const service = await startTestService({ host: 'localhost' });
    const port = new URL(service.baseUrl).port;
    const byName = { ...service, baseUrl: `https://localhost:${port}/v1` };
    expect((await callService(byName, '/article')).status).toBe(200);
  });

  it('names an address at which clients of this machine trust it if it listens at all addresses', async () => {
    const service = await startTestService({ host: '0.0.0.0' });
    expect((await service.call('/article')).status).toBe(200);
  });

  it('makes another certificate if the clock was ahead when it made the last one', async () => {
    const folder = temporaryFolder();
    const [now, year] = [Date.now(), 365 * 86_400_000];
    const early = await readOrMakeCertificate(folder, now + 3 * year);
    const { cert } = await readOrMakeCertificate(folder, now);
    expect(cert).not.toBe(early.cert);
    expect(Date.parse(new X509Certificate(cert).validFrom)).toBeLessThan(now);
    expect((await readOrMakeCertificate(folder, now)).cert).toBe(cert);
  });

  it('has one certificate if it is started twice at once for the first time', async () => {
    const folder = temporaryFolder();
    const starts = await Promise.all([0, 1].map(() => readOrMakeCertificate(folder, Date.now())));
    expect(starts[0]).toEqual(starts[1]);
  });

  it('says to connect without a pooler whose transactions share connections', async () => {
    const refusal = Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0');
    const pooler = createServer((socket) => {
      const head = Buffer.from('E\0\0\0\0');
      head.writeInt32BE(refusal.length + 4, 1);
      socket.once('data', () => socket.end(Buffer.concat([head, refusal]))).on('error', () => {});
    });
    await once(pooler.listen(0, '127.0.0.1'), 'listening');
    const { port } = pooler.address() as AddressInfo;
    await expect(startService({ data: `postgres://kb@127.0.0.1:${port}/kb` })).rejects.toMatchObject({
      code: 'DATA_UNUSABLE',
      message: expect.stringContaining('unsupported startup parameter: statement_timeout'),
      hint: expect.stringContaining('not of a connection pooler'),
    });
    pooler.close();
  });

  it('accepts the key that clients read from the same variable, which may end with a line feed', async () => {
    const apiKey = 'a-key-of-the-operator';
    const service = await startTestService({ apiKey: ` ${apiKey}\n` });
    expect(service.apiKey).toBe(apiKey);
    expect((await service.call('/article', { key: apiKey })).status).toBe(200);
  });

  it('does not answer plain http', async () => {
    const service = await startTestService();
    const outcome = new Promise((resolve, reject) => {
      get(service.baseUrl.replace('https', 'http'), resolve).on('error', reject);
    });
    await expect(outcome).rejects.toThrow();
  });

  it('keeps its certificate over restarts, and the private key from other users', async () => {
    const folder = temporaryFolder();
    const options = { data: join(folder, 'kb.sqlite') };
    const first = await startService(options);
    await first.close();
    const second = await startService(options);
    await second.close();
    expect(second.ca).toBe(first.ca);
    expect(statSync(join(folder, 'kb.sqlite-tls/key.pem')).mode & 0o077).toBe(0);
  });

  it('keeps other files beside its certificate when it makes another one', async () => {
    const data = join(temporaryFolder(), 'kb.sqlite');
    const folder = `${data}-tls`;
    await (await startService({ data })).close();
    const before = readFileSync(join(folder, 'ca.pem'), 'utf8');
    writeFileSync(join(folder, 'cert.pem'), 'no certificate');
    writeFileSync(join(folder, 'service.json'), '{}', { mode: 0o600 });
    await (await startService({ data })).close();
    expect(readFileSync(join(folder, 'ca.pem'), 'utf8')).not.toBe(before);
    expect(readFileSync(join(folder, 'service.json'), 'utf8')).toBe('{}');
    expect(statSync(join(folder, 'service.json')).mode & 0o777).toBe(0o600);
  });

  it('makes another certificate in the same folder, which keeps its other files also if it is killed meanwhile', async () => {
    const data = join(temporaryFolder(), 'kb.sqlite');
    const folder = `${data}-tls`;
    await (await startService({ data })).close();
    const { ino } = statSync(folder);
    // As after a start that was killed when it had replaced one file.
    const other = join(temporaryFolder(), 'kb.sqlite');
    await (await startService({ data: other })).close();
    writeFileSync(join(folder, 'key.pem'), readFileSync(join(`${other}-tls`, 'key.pem')));
    await (await startService({ data })).close();
    expect(statSync(folder).ino).toBe(ino);
    expect(readdirSync(folder).sort()).toEqual(['ca.pem', 'cert.pem', 'key.pem']);
  });

  it('uses the certificate it is given', async () => {
    const first = await startTestService();
    const tls = {
      certFile: join(first.folder, 'kb.sqlite-tls/cert.pem'),
      keyFile: join(first.folder, 'kb.sqlite-tls/key.pem'),
    };
    // As editors on Windows write it.
    writeFileSync(tls.certFile, `\ufeff${readFileSync(tls.certFile, 'utf8')}`);
    const second = await startTestService({ tls });
    expect(second.caFile).toBeNull();
    expect((await callService({ ...second, ca: first.ca }, '/article')).status).toBe(200);
  });

  it('fills an empty database from a JSON file, and does not change a filled one and notes it', async () => {
    const folder = temporaryFolder();
    const notes: string[] = [];
    const options = {
      data: join(folder, 'kb.sqlite'),
      seed: writeSeed(folder),
      onNote: (note: string) => notes.push(note),
    };
    const first = await startService(options);
    const before = (await callService(first, '/article')).json.articles;
    await first.close();
    expect(before.map((article: { title: string }) => article.title)).toEqual(['First', 'Second']);
    expect(notes).toEqual([]);

    writeSeed(folder, { articles: [{ title: 'Other' }] });
    const second = await startService(options);
    expect((await callService(second, '/article')).json.articles).toEqual(before);
    await second.close();
    expect(notes).toEqual(['The database is not empty, so the seed was not used.']);
  });

  it('fills an empty database from a folder of Markdown', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'kb/articles/first'), { recursive: true });
    writeFileSync(
      join(folder, 'kb/articles/first/en.md'),
      '---\narticle_id: aaaaaaaaaa\ntitle: First\n---\nHi\n',
    );
    const service = await startTestService({ seed: join(folder, 'kb') });
    expect((await service.call('/article/aaaaaaaaaa')).json.article).toMatchObject({
      title: 'First',
      body: '<p>Hi</p>',
      is_published: false,
    });
  });

  it('notes seed fields the API does not have, and ids that occur twice', async () => {
    const folder = temporaryFolder();
    const notes: string[] = [];
    const [article] = seed.articles;
    await startTestService({
      seed: writeSeed(folder, {
        articles: [
          { ...article, colour: 'red' },
          { ...article, colour: 'blue' },
        ],
      }),
      onNote: (note) => notes.push(note),
    });
    expect(notes).toEqual([
      'The API has no field colour; it was dropped from 2 records.',
      'The id aaaaaaaaaa occurs twice in the seed. The first record was used.',
    ]);
  });

  it.each([
    ['no JSON', 'oops', 'it is not JSON'],
    ['an article without a title', { articles: [{}] }, /articles\[0\].*title/s],
    ['a wrong type', { articles: [{ title: 'A', tags: 'x' }] }, /articles\[0\].*tags/s],
  ])('refuses a seed with %s', async (_what, content, message) => {
    const folder = temporaryFolder();
    const outcome = startService({ data: join(folder, 'kb.sqlite'), seed: writeSeed(folder, content) });
    await expect(outcome).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(message),
    });
    expect(readdirSync(folder)).toEqual(['seed.json']);
  });

  it('refuses a seed and a data file it cannot use', async () => {
    const folder = temporaryFolder();
    await expect(startService({ data: join(folder, 'kb.sqlite'), seed: '/nowhere' })).rejects.toMatchObject({
      code: 'USAGE',
      exitCode: 2,
    });
    const below = startService({ data: join(folder, 'new/kb.sqlite'), seed: '/nowhere' });
    await expect(below).rejects.toMatchObject({ code: 'USAGE' });
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(join(folder, 'text'), 'this is not a database, though it is long enough for a header');
    await expect(startService({ data: join(folder, 'text') })).rejects.toMatchObject({
      code: 'DATA_UNUSABLE',
    });
  });

  it.each(['text/kb.sqlite', 'text/below/kb.sqlite'])(
    'says so when the data file cannot be at %s',
    async (path) => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, 'text'), '');
      await expect(startService({ data: join(folder, path) })).rejects.toMatchObject({
        code: 'DATA_UNUSABLE',
        message: expect.stringMatching(/ENOTDIR|EEXIST/),
      });
    },
  );

  it.runIf(process.platform === 'linux').each([
    ['/proc/lectern.sqlite', 'Unable to open connection to local database /proc/lectern.sqlite'],
    ['/proc/lectern/kb/kb.sqlite', 'ENOENT: no such file or directory'],
  ])('ends immediately if the data file cannot be at %s', async (data, why) => {
    await expect(startService({ data })).rejects.toMatchObject({
      code: 'DATA_UNUSABLE',
      message: expect.stringContaining(why),
    });
  });

  it.each([
    [{ requestsPerMinute: -1 }, '--rate-limit must be a whole number from 0, not -1'],
    [{ trustProxy: -1 }, '--trust-proxy must be a whole number from 0, not -1'],
    [{ trustProxy: 1.5 }, '--trust-proxy must be a whole number from 0, not 1.5'],
    [{ requestsPerMinute: Number.NaN }, '--rate-limit must be a whole number from 0, not NaN'],
    [
      { defaultLanguage: 'xx_yy' },
      '--default-language must be a language tag such as en or pt-BR, not xx_yy',
    ],
    [
      { siteUrl: 'help.example.com' },
      '--site-url must be an http or https URL without query and fragment, not help.example.com',
    ],
    [
      { siteUrl: 'https://x.example/?q=1' },
      '--site-url must be an http or https URL without query and fragment, not https://x.example/?q=1',
    ],
    [{ data: 'mysql://me:secret@host/kb' }, '--data must be a file or a postgres:// URL, not mysql://…'],
    [{ apiKey: 'a' }, 'LECTERN_API_KEY must have at least 16 characters'],
  ])('refuses %j before anything is written', async (options, message) => {
    const folder = temporaryFolder();
    const outcome = startService({ data: join(folder, 'kb.sqlite'), ...options });
    await expect(outcome).rejects.toMatchObject({ code: 'USAGE', exitCode: 2, message });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says so when the port is taken', async () => {
    const service = await startTestService();
    const port = Number(new URL(service.baseUrl).port);
    const outcome = startService({ data: join(temporaryFolder(), 'kb.sqlite'), port });
    await expect(outcome).rejects.toMatchObject({
      code: 'PORT_UNUSABLE',
      exitCode: 2,
      message: `the service cannot listen on 127.0.0.1, port ${port}: the port is in use`,
    });
  });

  it('names the certificate and key files that it cannot use', async () => {
    const data = join(temporaryFolder(), 'kb.sqlite');
    const text = join(temporaryFolder(), 'text.pem');
    writeFileSync(text, 'no certificate');
    await expect(startService({ data, tls: { certFile: text, keyFile: 'gone.pem' } })).rejects.toMatchObject({
      code: 'USAGE',
      message: 'the file gone.pem cannot be read',
    });
    await expect(startService({ data, tls: { certFile: text, keyFile: text } })).rejects.toMatchObject({
      code: 'USAGE',
      message: `${text} and ${text} are not a certificate and its private key`,
    });
  });

  it('leaves nothing behind if the port is invalid or in use', async () => {
    const service = await startTestService();
    const folder = temporaryFolder();
    for (const port of [99_999, Number(new URL(service.baseUrl).port)]) {
      await expect(startService({ data: join(folder, 'kb.sqlite'), port })).rejects.toMatchObject({
        code: 'PORT_UNUSABLE',
      });
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves nothing behind if its certificate or data file cannot be used', async () => {
    const folder = temporaryFolder();
    const missing = join(folder, 'missing.pem');
    const tls = { certFile: missing, keyFile: missing };
    await expect(startService({ data: join(folder, 'sub/kb.sqlite'), tls })).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(join(folder, 'kb.sqlite'), 'no database '.repeat(1000));
    await expect(startService({ data: join(folder, 'kb.sqlite') })).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(['kb.sqlite']);
  });

  it('accepts a key given for the run, and makes a new one for each run otherwise', async () => {
    const given = await startTestService({ apiKey: 'my own long key!' });
    expect((await given.call('/article?key=my%20own%20long%20key!', { key: null })).status).toBe(200);
    const made = await startTestService();
    const other = await startTestService();
    expect(made.apiKey).toMatch(/^lk_[A-Za-z0-9]{10}_[\w-]{43}$/);
    expect(other.apiKey).not.toBe(made.apiKey);
  });

  it('writes no key to its log, whichever way it is sent', async () => {
    const lines: string[] = [];
    const service = await startTestService({ logTo: { write: (line) => void lines.push(line) } });
    await service.call('/article');
    await service.call(`/article?key=${service.apiKey}`, { key: null });
    await service.call('/article?key=wrongkey', { key: null });
    await service.call(`/nothing?key=${service.apiKey}`, { key: null });
    await service.call(`/%zz?key=${service.apiKey}`, { key: null });
    await service.close();
    const log = lines.join('');
    expect(log).toContain('"path":"/v1/article","status":200');
    expect(log).toContain('"path":"/v1/article","status":401');
    expect(log).not.toContain(service.apiKey);
    expect(log).not.toContain('wrongkey');
  });
});

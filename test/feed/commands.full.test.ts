import { existsSync, readFileSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { FeedDiff } from '../../src/feed/history/diff-feeds.ts';
import type { Manifest } from '../../src/feed/read/manifest.ts';
import type { ChangeRecord, DocumentRecord } from '../../src/feed/records/record-schemas.ts';
import { type Handler, startServer } from '../source/support/test-server.ts';
import { recordsIn } from '../support/feed-records.ts';
import { runLectern, type SeededService, serveSeed } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const seed = fileURLToPath(new URL('../../sample/', import.meta.url));

/** Serves a published folder as a static host does. */
const serveFolder =
  (root: string): Handler =>
  (request, response) => {
    const path = join(root, decodeURI(request.url ?? '').replace(/\/$/, '/index.html'));
    if (existsSync(path)) response.end(readFileSync(path));
    else response.writeHead(404).end();
  };

describe('lectern verify and lectern diff', () => {
  let folder: string;
  let service: SeededService;

  const run = (...args: string[]) => runLectern(args, { cwd: folder, env: service.env });

  beforeAll(async () => {
    folder = temporaryFolder();
    service = await serveSeed(seed, folder);
    const built = await run('build', '--site-url', 'https://help.example.com');
    expect(built.code, built.stderr).toBe(0);
    await cp(join(folder, 'dist'), join(folder, 'first'), { recursive: true });
  });

  afterAll(async () => {
    await service?.stop();
  });

  it('find no error in the output of a build', async () => {
    const { code, stdout } = await run('verify', 'dist');
    expect(stdout).toMatch(/^run 1: \d+ files, \d+ documents, \d+ chunks, no problems\n$/);
    expect(code).toBe(0);
  });

  it('find a manifest in another form', async () => {
    const changed = join(folder, 'changed');
    await cp(join(folder, 'first'), changed, { recursive: true });
    const manifestFile = join(changed, 'feed/manifest.json');
    await writeFile(manifestFile, JSON.stringify(JSON.parse(await readFile(manifestFile, 'utf8'))));
    const { stdout } = await run('verify', 'changed');
    expect(stdout).toContain(
      'feed/manifest.json: it is not written as Lectern writes it: its spaces or the order of its fields differ, or it has another field or one twice\n',
    );
  });

  it('say that there is no such folder', async () => {
    const { code, stdout, stderr } = await run('verify', 'nope');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('PATH_UNUSABLE: the folder nope does not exist');
    const diff = await run('diff', 'first', 'nope');
    expect([diff.code, diff.stdout]).toEqual([2, '']);
    expect(diff.stderr).toContain('PATH_UNUSABLE: the folder nope does not exist');
  });

  it('name every finding and exit 1 when a file was tampered with', async () => {
    const path = join(folder, 'first', 'feed/en/documents.jsonl');
    const intact = await readFile(path);
    await writeFile(path, intact.toString().replace('"language":"en","title"', '"language":"xx","title"'));
    const text = await run('verify', 'first');
    const json = await run('verify', 'first', '--json');
    await writeFile(path, intact);
    expect(text.code).toBe(1);
    expect(text.stdout).toContain('feed/en/documents.jsonl: its size or SHA-256');
    expect(text.stdout).toMatch(/^feed\/en\/documents.jsonl: .* is not the id of /m);
    expect(text.stderr).toContain('FEED_INVALID');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ seq: 1, findings: expect.any(Array) });
  });

  it('show what a consumer does after an article was renamed and another taken back', async () => {
    const { languages } = JSON.parse(
      await readFile(join(folder, 'dist/feed/manifest.json'), 'utf8'),
    ) as Manifest;
    const documents = languages.flatMap(({ language }) =>
      recordsIn<DocumentRecord>(readFileSync(join(folder, `dist/feed/${language}/documents.jsonl`), 'utf8')),
    );
    const [renamed, withdrawn] = documents as unknown as [DocumentRecord, DocumentRecord];
    const languagesOf = ({ article_id }: DocumentRecord) =>
      documents.flatMap((one) => (one.article_id === article_id ? one.id : []));
    await run('kb', 'article', 'update', renamed.article_id, '--set', 'title=Another title');
    await run('kb', 'article', 'update', withdrawn.article_id, '--set', 'is_published=false');
    const built = await run('build', '--site-url', 'https://help.example.com');
    expect(built.code, built.stderr).toBe(0);
    expect((await run('verify', 'dist')).stdout).toMatch(/^run 2: .* no problems\n$/);

    const { code, stdout } = await run('diff', 'first', 'dist', '--json');
    expect(code).toBe(0);
    const diff = JSON.parse(stdout) as FeedDiff;
    expect([diff.from, diff.to, diff.by]).toEqual([1, 2, 'changes']);
    expect(diff.documents.upsert).toContain(renamed.id);
    expect(diff.documents.delete).toEqual(languagesOf(withdrawn).sort());
    expect(diff.chunks.delete.length).toBeGreaterThan(0);

    const text = await run('diff', 'first', 'dist');
    expect(text.stdout).toContain(`delete ${withdrawn.id}\n`);
    expect(text.stdout).toMatch(
      /\nrun 1 to 2 \(read the changes\): \d+ chunks? to embed, \d+ to delete, \d+ unchanged\n$/,
    );
    const changes = await readFile(join(folder, 'dist/feed/changes/2.jsonl'), 'utf8');
    expect(
      recordsIn<ChangeRecord>(changes).flatMap((change) => (change.op === 'delete' ? [change.reason] : [])),
    ).toEqual(languagesOf(withdrawn).map(() => 'unpublished'));
  });

  it('read a published site as the API is read: with tls.ca, again when it is busy, and without the key', async () => {
    let isBusy = true;
    const site = await startServer((request, response) => {
      if (isBusy) response.writeHead(503, { 'retry-after': '0' }).end();
      else serveFolder(join(folder, 'first'))(request, response);
      isBusy = false;
    });
    onTestFinished(site.close);
    await writeFile(join(folder, 'site-ca.pem'), site.ca);
    await writeFile(join(folder, 'site.json'), JSON.stringify({ tls: { ca: 'site-ca.pem' } }));

    const verified = await run('verify', site.origin, '--config', 'site.json');
    expect([verified.stdout, verified.stderr]).toEqual([
      expect.stringMatching(/^run 1: .* no problems\n$/),
      '',
    ]);
    const compared = await run('diff', site.origin, 'first', '--config', 'site.json');
    expect(compared.stdout).toMatch(/^run 1 to 1 \(no changes\):/);
    expect(new Set(site.keys)).toEqual(new Set([undefined]));
  });

  it('continue a published feed over the same connection settings with build --since', async () => {
    const site = await startServer(serveFolder(join(folder, 'first')));
    onTestFinished(site.close);
    await writeFile(join(folder, 'both.pem'), `${site.ca}\n${await readFile(service.ca, 'utf8')}`);
    await writeFile(join(folder, 'since.json'), JSON.stringify({ tls: { ca: 'both.pem' } }));
    const args = ['--site-url', 'https://help.example.com', '--out', 'since', '--cache', '.since'];
    const built = await run('build', ...args, '--since', site.origin, '--config', 'since.json');
    expect(built.code, built.stderr).toBe(0);
    expect((await run('verify', 'since')).stdout).toContain('no problems');
    expect(site.requests).toContain('GET /feed/en/documents.jsonl');
    expect(new Set(site.keys)).toEqual(new Set([undefined]));
  });

  it('exit with 2 if the URL is wrong', async () => {
    const { code, stderr } = await run('verify', 'http://help.example.com/');
    expect(stderr).toContain('USAGE');
    expect(code).toBe(2);
  });
});

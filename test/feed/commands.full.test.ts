import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { FeedDiff } from '../../src/feed/history/diff-feeds.ts';
import type { DocumentRecord, TombstoneRecord } from '../../src/feed/records/record-schemas.ts';
import type { FeedSourcePage, SourceRecord } from '../../src/feed/source-pages.ts';
import { type Handler, startServer } from '../source/support/test-server.ts';
import { writeTree } from '../support/folder-layouts.ts';
import { runLectern, type ServiceProcess, startServiceProcess } from '../support/lectern.ts';

const seed = fileURLToPath(new URL('../../sample/', import.meta.url));

/** Serves a published folder as a static host does. */
const serveFolder =
  (root: string): Handler =>
  (request, response) => {
    const path = join(root, decodeURI(request.url ?? '').replace(/\/$/, '/index.html'));
    if (existsSync(path)) response.end(readFileSync(path));
    else response.writeHead(404).end();
  };

describe('lectern verify and lectern feed diff', () => {
  let folder: string;
  let service: ServiceProcess;

  const run = (...args: string[]) => runLectern(args, { cwd: folder, env: service.env });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-feed-'));
    service = await startServiceProcess(seed, folder);
    const built = await run('build', '--site-url', 'https://help.example.com');
    expect(built.code, built.stderr).toBe(0);
    await cp(join(folder, 'dist'), join(folder, 'first'), { recursive: true });
  });

  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('find no error in the output of a build', async () => {
    const { code, stdout } = await run('verify', 'dist');
    expect(stdout).toMatch(/^run 1: \d+ files, (\d+) documents, \d+ chunks, \1 pages, no problems\n$/);
    expect(code).toBe(0);
  });

  it('find a manifest in another form', async () => {
    const changed = join(folder, 'changed');
    await cp(join(folder, 'first'), changed, { recursive: true });
    const manifestFile = join(changed, 'feed/manifest.json');
    await writeFile(manifestFile, JSON.stringify(JSON.parse(await readFile(manifestFile, 'utf8'))));
    const { stdout } = await run('verify', 'changed');
    expect(stdout).toContain(
      'MANIFEST_INVALID feed/manifest.json: it cannot be read: it has fields or a form that its schema does not have\n',
    );
  });

  it('report missing pages, twins and assets, in a folder and at a URL', async () => {
    const broken = join(folder, 'broken');
    await cp(join(folder, 'first'), broken, { recursive: true });
    const [document, other] = (await readFile(join(broken, 'feed/en/documents.jsonl'), 'utf8'))
      .split('\n', 2)
      .map((line) => JSON.parse(line) as DocumentRecord) as [DocumentRecord, DocumentRecord];
    const pathOf = (url: string) => decodeURI(new URL(url).pathname.slice(1));
    const page = pathOf(document.url);
    const twin = pathOf(other.markdown_url);
    await rm(join(broken, page, 'index.html'));
    await rm(join(broken, twin));
    await rm(join(broken, '404.html'));
    await rm(join(broken, 'assets'), { recursive: true });

    const inFolder = await run('verify', 'broken', '--no-twins');
    expect(inFolder.code).toBe(1);
    expect(inFolder.stdout).toContain(`PAGE_MISSING ${page}: the page of ${document.id} is missing\n`);
    expect(inFolder.stdout).toContain(`TWIN_WRONG ${twin}: the Markdown of ${other.id} is missing\n`);
    expect(inFolder.stdout).toContain('PAGE_MISSING 404.html: it is missing\n');
    expect(inFolder.stdout).toMatch(/^ASSET_MISSING assets\/site\.\w+\.css: index\.html refers to it$/m);

    const site = await startServer(serveFolder(broken));
    onTestFinished(site.close);
    await writeFile(join(folder, 'broken-ca.pem'), site.ca);
    await writeFile(join(folder, 'broken.json'), JSON.stringify({ tls: { ca: 'broken-ca.pem' } }));
    const atAddress = await run('verify', site.origin, '--config', 'broken.json');
    expect(atAddress.stdout.split('\n').sort()).toEqual(inFolder.stdout.split('\n').sort());
  });

  it('say how many pages of a large site at a URL were checked', async () => {
    const pages = Array.from({ length: 203 }, (_, index) => [
      `many/p${index}.md`,
      `# Page ${index}\n\nText.`,
    ]);
    writeTree(folder, Object.fromEntries(pages));
    const site = await startServer(serveFolder(join(folder, 'large')));
    onTestFinished(site.close);
    await writeFile(join(folder, 'large-ca.pem'), site.ca);
    await writeFile(
      join(folder, 'large.json'),
      JSON.stringify({ tls: { ca: 'large-ca.pem' }, cache: 'large-cache' }),
    );
    const args = [
      '--source',
      'folder:./many',
      '--out',
      'large',
      '--site-url',
      site.origin,
      '--config',
      'large.json',
      '--quiet',
    ];
    expect(await run('build', ...args)).toMatchObject({ code: 0 });
    const verify = async (...flags: string[]) => (await run('verify', ...flags)).stdout;
    expect(await verify(site.origin, '--config', 'large.json')).toMatch(
      / 203 chunks, 200 of 203 pages \(--twins checks all\), no problems\n$/,
    );
    expect(await verify(site.origin, '--config', 'large.json', '--twins')).toContain(
      ', 203 pages, no problems',
    );
    expect(await verify('large')).toContain(', 203 pages, no problems');
  });

  it('say that there is no such folder', async () => {
    const { code, stdout, stderr } = await run('verify', 'nope');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('FOLDER_MISSING: the folder nope does not exist');
    const diff = await run('feed', 'diff', 'first', 'nope');
    expect([diff.code, diff.stdout]).toEqual([2, '']);
    expect(diff.stderr).toContain('FOLDER_MISSING: the folder nope does not exist');
  });

  it('name every finding and exit 1 when a file was tampered with', async () => {
    const path = join(folder, 'first', 'feed/en/documents.jsonl');
    const intact = await readFile(path);
    await writeFile(path, intact.toString().replace('"language":"en"', '"language":"xx"'));
    const text = await run('verify', 'first');
    const json = await run('verify', 'first', '--json');
    await writeFile(path, intact);
    expect(text.code).toBe(1);
    expect(text.stdout).toContain('FILE_CHANGED feed/en/documents.jsonl');
    expect(text.stdout).toContain('ID_WRONG feed/en/documents.jsonl');
    expect(text.stderr).toContain('FEED_INVALID');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ seq: 1, findings: expect.any(Array) });
  });

  it('show what a consumer does after an article was renamed and another taken back', async () => {
    const manifest = JSON.parse(
      await readFile(join(folder, 'dist/feed/source.json'), 'utf8'),
    ) as FeedSourcePage;
    const english = manifest.articles.filter(({ language }) => language === 'en');
    const [renamed, withdrawn] = english as [SourceRecord, SourceRecord];
    const languagesOf = ({ article_id }: SourceRecord) =>
      manifest.articles.filter((article) => article.article_id === article_id).map(({ id }) => id);
    await run('kb', 'article', 'update', renamed.article_id, '--title', 'Another title');
    await run('kb', 'article', 'update', withdrawn.article_id, '--no-is-published');
    const built = await run('build', '--site-url', 'https://help.example.com');
    expect(built.code, built.stderr).toBe(0);
    expect((await run('verify', 'dist')).stdout).toMatch(/^run 2: .* no problems\n$/);

    const { code, stdout } = await run('feed', 'diff', 'first', 'dist', '--json');
    expect(code).toBe(0);
    const diff = JSON.parse(stdout) as FeedDiff;
    expect([diff.from, diff.to, diff.by]).toEqual([1, 2, 'changes']);
    expect(diff.documents.upsert).toContain(renamed.id);
    expect(diff.documents.delete).toEqual(languagesOf(withdrawn).sort());
    expect(diff.chunks.delete.length).toBeGreaterThan(0);

    const text = await run('feed', 'diff', 'first', 'dist');
    expect(text.stdout).toContain(`delete ${withdrawn.id}\n`);
    expect(text.stdout).toMatch(
      /\nrun 1 to 2 \(read the changes\): \d+ chunks? to embed, \d+ to delete, \d+ unchanged\n$/,
    );
    const tombstones = await readFile(join(folder, 'dist/feed/tombstones.jsonl'), 'utf8');
    expect(
      tombstones
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as TombstoneRecord).reason),
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
    const compared = await run('feed', 'diff', site.origin, 'first', '--config', 'site.json');
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
    expect(site.requests).toContain('GET /feed/tombstones.jsonl');
    expect(new Set(site.keys)).toEqual(new Set([undefined]));
  });

  it('exit with 2 if the URL is wrong', async () => {
    const { code, stderr } = await run('verify', 'http://help.example.com/');
    expect(stderr).toContain('FEED_ADDRESS_INVALID');
    expect(code).toBe(2);
  });
});

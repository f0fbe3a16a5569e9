import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runLectern, type ServiceProcess, startLectern, startServiceProcess } from '../support/lectern.ts';

const sample = join(import.meta.dirname, '../../sample');

/** One path through every command, in the order of a new user. Other files test each of them in depth. */
describe('the compiled program', () => {
  let folder: string;
  let service: ServiceProcess;

  /** Runs a command that must succeed, and gives what it prints. */
  const lectern = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runLectern(args, { cwd: folder, env: service.env });
    expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
    return stdout;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-every-feature-'));
    service = await startServiceProcess(sample, folder);
  });
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('prints its version and lists its commands', async () => {
    expect(await lectern('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await lectern('--help')).toContain('lectern build');
  });

  it('refuses a flag it does not have with exit code 2, and names the nearest one', async () => {
    const { code, stderr } = await runLectern(['build', '--base-urll', 'x'], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean --base-url?');
  });

  it('sets up a project, publishes site and feed, and finds nothing wrong with them', async () => {
    const addresses = ['--base-url', service.baseUrl, '--site-url', 'https://help.example.com'];
    await lectern('init', ...addresses, '--title', 'Pebblepost', '--ci', 'gitlab');
    expect(await lectern('build')).toMatch(/^Published \d+ articles in 4 languages: /m);
    expect(await readFile(join(folder, 'dist/ja/index.html'), 'utf8')).toContain('Pebblepost');
    expect(await lectern('verify', 'dist')).toContain('no problems');
  });

  it('reads and writes articles and categories, searches and counts', async () => {
    await writeFile(join(folder, 'article.json'), '{ "title": "Zebra crossing", "body": "<p>Stripes.</p>" }');
    const { article_id } = JSON.parse(await lectern('kb', 'article', 'create', '--input', 'article.json'));
    expect(JSON.parse(await lectern('kb', 'article', 'get', article_id)).title).toBe('Zebra crossing');
    expect(JSON.parse(await lectern('kb', 'category', 'list')).length).toBeGreaterThan(3);
    expect(await lectern('kb', 'search', 'parcel')).toContain('article_id');
    expect(JSON.parse(await lectern('kb', 'stats', 'articles'))).toEqual([]);
    expect(JSON.parse(await lectern('kb', 'source')).articles.length).toBeGreaterThan(20);
  });

  it('carries an edited folder over to the service, and shows consumers of the feed what changes', async () => {
    await lectern('pull', 'kb');
    const articles = join(folder, 'kb/articles');
    const name = (await readdir(articles)).find((entry) => entry.includes('winter-care')) ?? '';
    const [file = ''] = (await readdir(join(articles, name))).filter((entry) => entry.startsWith('en.'));
    const text = await readFile(join(articles, name, file), 'utf8');
    await writeFile(join(articles, name, file), text.replace(/^title: .*/m, 'title: Care in winter'));
    await lectern('push', 'kb');
    expect(await lectern('kb', 'search', 'care in winter')).toContain('Care in winter');

    await cp(join(folder, 'dist'), join(folder, 'first'), { recursive: true });
    await lectern('build');
    expect(await lectern('feed', 'diff', 'first', 'dist')).toMatch(/^upsert \S+-7nhc1gq4vx-en$/m);
  });

  it('previews the site on this machine', async () => {
    const preview = startLectern(['preview', '--port', '0'], { cwd: folder });
    const [url] = await once(createInterface({ input: preview.stdout ?? process.stdin }), 'line');
    expect(await (await fetch(`${url}en/`)).text()).toContain('Pebblepost');
    preview.kill('SIGTERM');
    await once(preview, 'close');
  });
});

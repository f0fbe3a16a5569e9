import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { runLectern, serveSeed } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeWith } from '../support/tools.ts';
import { readBlocks } from './support/read-blocks.ts';

const exec = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const blocks = readBlocks(join(root, 'docs/deploy.md'));

/** The block of docs/deploy.md in a language that says a word. */
function recipe(language: string, word: string): string {
  const found = blocks.find((block) => block.language === language && block.code.includes(word));
  if (found === undefined) throw new Error(`docs/deploy.md has no ${language} with ${word}`);
  return found.code;
}

/** Replaces values that only the reader's machine has; fails if the document has changed. */
function replace(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    expect(text).toContain(from);
    return result.replaceAll(from, to);
  }, text);
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Asks without following redirects or undoing compression. */
function ask(port: number, path: string, encoding = 'identity'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, path, headers: { 'accept-encoding': encoding } },
      (response) => {
        const body: Buffer[] = [];
        response.on('data', (piece: Buffer) => body.push(piece));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(body) }),
        );
      },
    );
    asked.once('error', reject).end();
  });
}

/** Asks until the server answers; one that ends first has found the recipe wrong. */
async function untilListening(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    if ((await ask(port, '/').catch(() => null)) !== null) return;
  }
  throw new Error(`the server ended with code ${child.exitCode}`);
}

let folder: string;
let dist: string;

describe('the web servers of docs/deploy.md', () => {
  beforeAll(async () => {
    folder = temporaryFolder();
    dist = join(folder, 'dist');
    const service = await serveSeed(join(root, 'sample'), folder);
    const settings = [JSON.parse(recipe('json', '"nginx"')), JSON.parse(recipe('json', '["json"]'))];
    const formats = settings.flatMap(({ redirects }) => redirects.formats);
    const config = { ...settings[0], redirects: { formats }, siteUrl: 'https://help.example.com' };
    await writeFile(join(folder, 'lectern.config.json'), JSON.stringify(config));
    const built = await runLectern(['build', '--quiet'], { cwd: folder, env: service.env });
    await service.stop();
    expect(built).toMatchObject({ code: 0 });
  });

  describeWith('nginx', 'nginx', (program) => {
    promises(
      async (port) => {
        const recipeHere = replace(recipe('nginx', 'server {'), {
          '/var/www/help': dist,
          'listen 443 ssl': `listen 127.0.0.1:${port}`,
          'ssl_certificate /': '# /',
          'ssl_certificate_key /': '# /',
        });
        const types = '/etc/nginx/mime.types';
        if (existsSync(types)) await copyFile(types, join(folder, 'mime.types'));
        else
          await writeFile(
            join(folder, 'mime.types'),
            'types { text/html html; text/css css; image/svg+xml svg; }',
          );
        const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
          .map((name) => `${name}_temp_path ${folder}/${name};`)
          .join(' ');
        const logs = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr;`;
        const text = `${logs}\nevents {}\nhttp {\naccess_log off; ${temporary}\n${recipeHere}\n}\n`;
        await writeFile(join(folder, 'nginx.conf'), text);
        return spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
          stdio: ['ignore', 'ignore', 'inherit'],
        });
      },
      ['/hosting/nginx/http.conf'],
    );
  });

  describeWith('caddy', 'Caddy', (program) => {
    promises(async (port) => {
      await exec('sh', [
        '-c',
        replace(recipe('bash', 'jq -r'), { '/var/www/help': dist, '/etc/caddy': folder }),
      ]);
      const recipeHere = replace(recipe('caddyfile', 'file_server'), {
        '/var/www/help': dist,
        '/etc/caddy': folder,
        'help.example.com {': `http://127.0.0.1:${port} {`,
      });
      await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${recipeHere}`);
      return spawn(program, ['run', '--config', join(folder, 'Caddyfile')], {
        env: { ...process.env, HOME: folder },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    });
  });
});

/** What every recipe promises; `hidden` are the files that no reader gets. */
function promises(start: (port: number) => Promise<ChildProcess>, hidden: readonly string[] = []): void {
  let port: number;
  let child: ChildProcess;
  beforeAll(async () => {
    port = await freePort();
    child = await start(port);
    await untilListening(port, child);
  });
  afterAll(async () => {
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.kill();
    await closed;
  });
  const article = '/de/article/1nGz8Jc4Fs-code-funktioniert-nicht/';

  it('serves pages with the security headers', async () => {
    for (const path of ['/', '/de/', article]) {
      const { status, headers, body } = await ask(port, path);
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(body.equals(await readFile(join(dist, decodeURI(path), 'index.html')))).toBe(true);
    }
  });

  it('leads URLs without the last slash, and those of the old help centre, to the page', async () => {
    for (const path of [article.slice(0, -1), '/l/de/article/1nGz8Jc4Fs']) {
      const { status, headers } = await ask(port, path);
      expect([path, Math.floor(status / 100), headers.location]).toEqual([path, 3, article]);
    }
  });

  it('answers with the not-found page and its status', async () => {
    for (const path of ['/nothing', '/en/nothing/', ...hidden]) {
      const { status, headers, body } = await ask(port, path);
      expect([path, status]).toEqual([path, 404]);
      expect(body.equals(await readFile(join(dist, '404.html')))).toBe(true);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    }
  });

  it('lets assets be kept for a year, and pages not', async () => {
    const page = await readFile(join(dist, 'de/index.html'), 'utf8');
    const style = /href="(\/assets\/site\.[^"]+\.css)"/.exec(page)?.[1] ?? '';
    const asset = await ask(port, style);
    expect([asset.status, asset.headers['cache-control']]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    expect((await ask(port, '/de/')).headers['cache-control'] ?? '').not.toContain('immutable');
  });

  it('compresses pages for readers that take it', async () => {
    const { headers, body } = await ask(port, '/de/', 'gzip');
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(body).equals(await readFile(join(dist, 'de/index.html')))).toBe(true);
  });
}

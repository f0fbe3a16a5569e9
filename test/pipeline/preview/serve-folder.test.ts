import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { LecternError } from '../../../src/core/errors.ts';
import { type PreviewServer, serveFolder } from '../../../src/pipeline/preview/serve-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let parent: string;
let server: PreviewServer;
const render = async (path: string) => {
  if (path === 'broken/index.html')
    throw new LecternError('TEMPLATE_FAILED', '<home.eta:3>', { hint: 'fix it' });
  return path === 'live/index.html' ? '<body>live</body>' : null;
};
const script = '<script src="/__lectern/reload.js?v=0" async></script>';

beforeEach(async () => {
  parent = temporaryFolder();
  const files = {
    'dist/index.html': 'root',
    'dist/404.html': 'lost',
    'dist/en/index.html': 'home',
    'dist/ja/リセット/index.html': 'reset',
    'dist/_headers': '/docs/*\n  X-Frame-Options: DENY\n/docs/en/*\n  X-Frame-Options: SAMEORIGIN\n',
    'dist/_redirects':
      '# old\n/docs/old/* /docs/en/:splat 301\n/kb/:id /docs/en/?a=:id 302\n/docs/en/ /x 301\n',
    'secret.txt': 'secret',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(parent, path, '..'), { recursive: true });
    await writeFile(join(parent, path), text);
  }
  server = await serveFolder({ folder: join(parent, 'dist'), port: 0, basePath: '/docs', render });
});
afterEach(async () => {
  await server.close();
});

const get = (path: string) => fetch(server.url + path, { redirect: 'manual' });

function getAs(host: string): Promise<{ readonly status: number | undefined; readonly text: string }> {
  return new Promise((resolve, reject) => {
    request(`${server.url}/docs/en/`, { headers: { host } }, async (response) => {
      resolve({ status: response.statusCode, text: await readText(response) });
    })
      .on('error', reject)
      .end();
  });
}

describe('serveFolder', () => {
  it('serves pages by folder, in every script, below the base path', async () => {
    expect(await (await get('/docs/')).text()).toBe(`root${script}`);
    expect(await (await get('/docs/ja/%E3%83%AA%E3%82%BB%E3%83%83%E3%83%88/')).text()).toBe(`reset${script}`);
    expect((await get('/en/')).status).toBe(404);
  });

  it('serves a site below a path with letters of every script and spaces, with its headers', async () => {
    const basePath = '/Hilfe%20f%C3%BCr%20alle';
    await writeFile(join(parent, 'dist/_headers'), `${basePath}/*\n  X-Frame-Options: DENY\n`);
    const other = await serveFolder({ folder: join(parent, 'dist'), port: 0, basePath, render });
    onTestFinished(() => other.close());
    const response = await fetch(`${other.url}${basePath}/en/`);
    expect([response.status, response.headers.get('x-frame-options')]).toEqual([200, 'DENY']);
    const folder = await fetch(`${other.url}${basePath}/en`, { redirect: 'manual' });
    expect(folder.headers.get('location')).toBe(`${basePath}/en/`);
  });

  it('takes two slashes at the start of a path for no name of a host', async () => {
    expect((await get('//')).status).toBe(404);
    expect((await get('//docs/en/')).status).toBe(404);
    const atRoot = await serveFolder({ folder: join(parent, 'dist'), port: 0, basePath: '', render });
    onTestFinished(() => atRoot.close());
    const { headers } = await fetch(`${atRoot.url}//en`, { redirect: 'manual' });
    expect(headers.get('location')).toBe('/en/');
  });

  it('reads headers as hosts do: with comments that are indented, and Windows line ends', async () => {
    await writeFile(
      join(parent, 'dist/_headers'),
      '/*\r\n  # see: https://example.com\r\n  X-Frame-Options: DENY\r\n  not a name: x\r\n',
    );
    const response = await get('/docs/en/');
    expect([response.status, response.headers.get('x-frame-options')]).toEqual([200, 'DENY']);
  });

  it.each(['localhost', 'LOCALHOST:80', 'site.localhost', '127.0.0.1:4173', '[::1]:1'])(
    'answers to the name %s of this machine',
    async (host) => {
      expect((await getAs(host)).status).toBe(200);
    },
  );

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '192.168.0.7',
    'a@localhost@b',
  ])('does not answer to the name %j, which another site may lead here', async (host) => {
    const { status, text } = await getAs(host);
    expect([status, text]).toEqual([
      421,
      'lectern preview answers only at localhost. Open http://localhost with its port.\n',
    ]);
  });

  it('leads a folder without slash to the one with', async () => {
    const response = await get('/docs/en?q=1');
    expect([response.status, response.headers.get('location')]).toEqual([301, '/docs/en/?q=1']);
  });

  it('answers with the 404 page if there is nothing', async () => {
    const response = await get('/docs/none');
    expect([response.status, await response.text()]).toEqual([404, `lost${script}`]);
  });

  it('applies the generated headers, the later rule winning', async () => {
    expect((await get('/docs/')).headers.get('x-frame-options')).toBe('DENY');
    expect((await get('/docs/en/')).headers.get('x-frame-options')).toBe('SAMEORIGIN');
  });

  it('applies the generated redirects if there is no file', async () => {
    const places = await Promise.all(
      ['/docs/old/a/b', '/kb/7', '/docs/en/'].map(async (path) => {
        const { status, headers } = await get(path);
        return [status, headers.get('location')];
      }),
    );
    expect(places).toEqual([
      [301, '/docs/en/a/b'],
      [302, '/docs/en/?a=7'],
      [200, null],
    ]);
  });

  it('prefers pages rendered live, and shows why a page cannot be rendered', async () => {
    expect(await (await get('/docs/live/')).text()).toBe(`<body>live${script}</body>`);
    const broken = await get('/docs/broken/');
    expect(broken.status).toBe(500);
    const page = await broken.text();
    expect(page).toMatch(/TEMPLATE_FAILED[\s\S]*&lt;home\.eta:3&gt;[\s\S]*fix it/);
    // A long path must not hide the rest of the message on a narrow screen.
    expect(page).toContain('white-space: pre-wrap');
  });

  it('tells open pages to load again, also one that was made before and listens only now', async () => {
    const events = (await get('/__lectern/events?v=0')).body?.getReader();
    expect(Buffer.from((await events?.read())?.value ?? []).toString()).toBe(': connected\n\n');
    server.reload();
    expect(Buffer.from((await events?.read())?.value ?? []).toString()).toBe('data: reload\n\n');

    const late = (await get('/__lectern/events?v=0')).body?.getReader();
    expect(Buffer.from((await late?.read())?.value ?? []).toString()).toBe('data: reload\n\n');
    expect(await (await get('/docs/')).text()).toContain('reload.js?v=1"');
  });

  describe('of a video', () => {
    const getRange = async (range: string) => {
      await writeFile(join(parent, 'dist/video.mp4'), '0123456789');
      return fetch(`${server.url}/docs/video.mp4`, { headers: { range } });
    };

    it('names the type, without which Firefox plays nothing', async () => {
      const response = await getRange('items=0-1');
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4']);
      expect(response.headers.get('accept-ranges')).toBe('bytes');
    });

    it.each([
      ['bytes=0-1', '01', 'bytes 0-1/10'],
      ['bytes=8-', '89', 'bytes 8-9/10'],
      ['bytes=7-99', '789', 'bytes 7-9/10'],
      ['bytes=-3', '789', 'bytes 7-9/10'],
      ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ])('sends a part of it, without which Safari plays nothing: %s', async (range, text, place) => {
      const response = await getRange(range);
      expect([response.status, response.headers.get('content-range')]).toEqual([206, place]);
      expect(await response.text()).toBe(text);
    });

    it.each(['bytes=10-', 'bytes=-0'])('refuses a part that is not there: %s', async (range) => {
      const response = await getRange(range);
      expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    });

    it.each(['bytes=0-1,4-5', 'bytes=5-4', 'bytes=-', 'bytes=a-b'])(
      'sends all of it for parts that it does not know: %s',
      async (range) => {
        const response = await getRange(range);
        expect([response.status, await response.text()]).toEqual([200, '0123456789']);
      },
    );
  });

  it('says why a port cannot be used', async () => {
    const serveAt = (port: number) => serveFolder({ folder: parent, port, basePath: '', render });
    await expect(serveAt(Number(new URL(server.url).port))).rejects.toMatchObject({
      code: 'PORT_UNUSABLE',
      exitCode: 2,
      message: expect.stringMatching(/is in use$/),
    });
    await expect(serveAt(99_999)).rejects.toMatchObject({
      message: 'the preview cannot listen on localhost, port 99999: the port must be from 0 to 65535',
    });
  });

  it.each([
    '/docs/..%2fsecret.txt',
    '/docs/%2e%2e/%2e%2e/secret.txt',
    '/docs/..%5csecret.txt',
    '/docs/%00',
    '/docs/%zz',
  ])('never leaves the folder for %s', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('secret');
  });
});

import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Answer, startFileServer } from './file-server.ts';
import { dataAddress, png } from './images.ts';
import { image, publish } from './publish-bodies.ts';

describe('images inside of texts', () => {
  it('become files with width and height, named by their content', async () => {
    const { documents, files } = await publish([image(dataAddress(png(640, 480)))]);
    const [path = ''] = files.keys();
    expect(path).toMatch(/^assets\/media\/[0-9a-f]{20}\.png$/);
    expect(documents[0]?.html).toBe(
      `<p><img src="/help/${path}" alt="A chart" width="640" height="480" class="image-block"></p>`,
    );
    expect(files.get(path)).toEqual(png(640, 480));
  });

  it('are their alternative texts in Markdown', async () => {
    const { documents } = await publish([image(dataAddress(png(1, 1)))]);
    expect(documents[0]?.markdown).toBe('A chart\n');
  });

  it('are written once, however many articles contain them', async () => {
    const body = image(dataAddress(png(2, 2)));
    const { files } = await publish([body, body + body, body]);
    expect(files.size).toBe(1);
  });

  it('have the type of their first bytes, whatever the URL says', async () => {
    const { files } = await publish([image(dataAddress(png(2, 2), 'gif'))]);
    expect([...files.keys()]).toEqual([expect.stringMatching(/\.png$/)]);
  });

  it('are removed and reported if they contain no image', async () => {
    const { documents, files } = await publish([
      image(`data:image/png;base64,${btoa('<script>1</script>')}`),
    ]);
    expect(documents[0]?.html).not.toContain('data:');
    expect(documents[0]?.markdown).not.toContain('data:');
    expect(documents[0]?.problems.map(({ code }) => code)).toEqual(['IMAGE_REFUSED']);
    expect(files.size).toBe(0);
  });
});

describe('images of the help centre', () => {
  it('are downloaded once, even if several articles show them', async () => {
    const server = await startFileServer({ '/a.png': png(30, 20) });
    const body = image(`${server.origin}/a.png`);
    const { documents, files } = await publish([body, body, image('/a.png')], { server });
    expect(server.log).toEqual(['GET /a.png']);
    const [path] = files.keys();
    for (const { html } of documents) expect(html).toContain(`src="/help/${path}"`);
    expect(documents[0]?.html).toContain('width="30" height="20"');
  });

  it('are found however the URL is written', async () => {
    const server = await startFileServer({ '/a.png?s=1&t=2': png(3, 3), '/b%20c.png': png(4, 4) });
    const body = `<img alt="" src='/a.png?s=1&amp;t=2'><img alt="" data-src=/b%20c.png src="">
      <img alt="" srcset="/b%20c.png 2x"><IMG ALT="" SRC=" /a.png?s=1&#38;t=2 ">`;
    const { documents, problems } = await publish([body], { server });
    expect(problems).toEqual([]);
    expect(documents[0]?.images.map(({ src }) => src)).toEqual(
      documents[0]?.images.map(() => expect.stringMatching(/^\/help\/assets\/media\//)),
    );
  });

  it('are requested again with the cached version, and taken from the cache while it is valid', async () => {
    const server = await startFileServer({ '/a.png': png(30, 20) });
    const cache = temporaryFolder();
    const first = await publish([image('/a.png')], { server, cache });
    const second = await publish([image('/a.png')], { server, cache });
    expect(server.log).toEqual(['GET /a.png', 'GET /a.png 304']);
    expect(second).toEqual(first);
  });

  it('are replaced when the server has another version', async () => {
    const server = await startFileServer({ '/a.png': png(30, 20) });
    const cache = temporaryFolder();
    await publish([image('/a.png')], { server, cache });
    server.files.set('/a.png', png(60, 40, 1));
    const { documents } = await publish([image('/a.png')], { server, cache });
    expect(documents[0]?.html).toContain('width="60"');
    expect(await readdir(join(cache, 'files'))).toHaveLength(1);
  });

  it('come from the cache when there is no network', async () => {
    const server = await startFileServer({ '/a.png': png(30, 20) });
    const cache = temporaryFolder();
    const first = await publish([image('/a.png')], { server, cache });
    expect(await publish([image('/a.png')], { server, cache, offline: true })).toEqual(first);
  });

  it('come from the cache while the server fails', async () => {
    const server = await startFileServer({ '/a.png': png(30, 20) });
    const cache = temporaryFolder();
    const first = await publish([image('/a.png')], { server, cache });
    server.files.set('/a.png', (_request, response) => response.writeHead(503).end());
    expect(await publish([image('/a.png')], { server, cache })).toEqual(first);
  });

  it('are not requested from a server that still refuses after it was waited for as long as it asked', async () => {
    const server = await startFileServer();
    const busy: Answer = (_request, response) => response.writeHead(429, { 'retry-after': '1' }).end();
    for (const path of ['/a.png', '/b.png']) server.files.set(path, busy);
    const { problems } = await publish([image('/a.png'), image('/b.png')], { server });
    expect(server.log).toEqual(['GET /a.png', 'GET /a.png', 'GET /a.png']);
    expect(problems.map(({ code }) => code)).toEqual(['MEDIA_NOT_COPIED', 'MEDIA_NOT_COPIED']);
  });

  it.each<[string, Answer]>([
    ['is too large', new Uint8Array(100_001)],
    [
      'leads to a host that is not allowed',
      (_request, response) => response.writeHead(302, { location: 'http://elsewhere.example/' }).end(),
    ],
  ])('are downloaded after a file of their server that %s', async (_what, refused) => {
    const server = await startFileServer({ '/a.png': refused, '/b.png': png(1, 1) });
    const { files, problems } = await publish([image('/a.png'), image('/b.png')], { server });
    expect(files.size).toBe(1);
    expect(problems.map(({ code }) => code)).toEqual(['MEDIA_NOT_COPIED']);
  });

  it('keep their URL and are reported if they cannot be downloaded', async () => {
    const server = await startFileServer();
    const { documents, problems } = await publish([image('/gone.png')], { server });
    expect(documents[0]?.html).toContain(`src="${server.origin}/gone.png"`);
    expect(problems).toMatchObject([{ code: 'MEDIA_NOT_COPIED', articleId: 'a234567890', language: 'en' }]);
    expect(problems[0]?.message).toContain('answered 404');
  });

  it.each([
    ['a broken SVG', '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>', 'the SVG image is not well-formed'],
    ['a page', '<!doctype html><title>Sign in</title>', 'a page instead of an image'],
    ['anything else', 'MZ', 'not a PNG, JPEG, GIF, WebP, AVIF or SVG'],
  ])('keep their address when the server sends %s', async (_what, content, why) => {
    const server = await startFileServer({ '/a.png': content });
    const { files, problems } = await publish([image('/a.png')], { server });
    expect(files.size).toBe(0);
    expect(problems[0]?.message).toContain(why);
  });

  it('are copied as SVG without scripts', async () => {
    const server = await startFileServer({
      '/a.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" onload="x()"><script>x()</script><path d="M0 0"/></svg>',
    });
    const { documents, files, problems } = await publish([image('/a.svg')], { server });
    expect(problems).toEqual([]);
    expect(documents[0]?.html).toMatch(
      /src="\/help\/assets\/media\/[0-9a-f]{20}\.svg" alt="[^"]*" width="20" height="10"/,
    );
    expect([...files.values()].map(String)).toEqual([
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><path d="M0 0"/></svg>',
    ]);
  });

  it('are not copied from other hosts, without a request or a report', async () => {
    const server = await startFileServer();
    const { documents, problems } = await publish([image('https://elsewhere.example/a.png')], { server });
    expect(documents[0]?.html).toContain('src="https://elsewhere.example/a.png"');
    expect(problems).toEqual([]);
  });

  it('are not copied beyond the limit, which is reported', async () => {
    const server = await startFileServer({ '/a.png': png(1, 1), '/b.png': png(2, 2, 1) });
    const { files, problems } = await publish([image('/a.png') + image('/b.png')], { server, maxFiles: 1 });
    expect(files.size).toBe(1);
    expect(problems[0]?.message).toContain('1 files were copied already');
  });

  it('are not published when only a removed part of the body names them', async () => {
    const server = await startFileServer({ '/a.png': png(1, 1) });
    const { files } = await publish(['<p>Text</p><template><img src="/a.png"></template>'], { server });
    expect([...files.keys()]).toEqual([]);
  });

  it('are downloaded again when the cache is damaged', async () => {
    const server = await startFileServer({ '/a.png': png(30, 20) });
    const cache = temporaryFolder();
    const first = await publish([image('/a.png')], { server, cache });
    await writeFile(join(cache, 'index.json'), '{ no json');
    expect(await publish([image('/a.png')], { server, cache })).toEqual(first);
    await rm(join(cache, 'files'), { recursive: true });
    expect(await publish([image('/a.png')], { server, cache })).toEqual(first);
  });
});

describe('a copy in the cache that is damaged', () => {
  const damage = async (cache: string): Promise<void> => {
    for (const name of await readdir(join(cache, 'files'))) {
      await writeFile(join(cache, 'files', name), png(30, 20, 9));
    }
  };

  it('is downloaded again', async () => {
    const server = await startFileServer({ '/a.png': png(30, 20) });
    const cache = temporaryFolder();
    const first = await publish([image('/a.png')], { server, cache });
    await damage(cache);
    expect(await publish([image('/a.png')], { server, cache })).toEqual(first);
    expect(server.log).toEqual(['GET /a.png', 'GET /a.png']);
  });

  it('is made again from a body that contains the image', async () => {
    const cache = temporaryFolder();
    const body = image(dataAddress(png(64, 48)));
    const first = await publish([body], { cache });
    await damage(cache);
    expect(await publish([body], { cache })).toEqual(first);
  });

  it('is not published without the network', async () => {
    const server = await startFileServer({ '/a.png': png(30, 20) });
    const cache = temporaryFolder();
    await publish([image('/a.png')], { server, cache });
    await damage(cache);
    const { files, problems } = await publish([image('/a.png')], { server, cache, offline: true });
    expect(files.size).toBe(0);
    expect(problems.map(({ code }) => code)).toEqual(['MEDIA_NOT_COPIED']);
  });
});

describe('files that articles link to', () => {
  it('are copied under their own names', async () => {
    const server = await startFileServer({ '/up/Price%20list%202026.PDF': '%PDF-1.7 …' });
    const { documents, files } = await publish(['<a href="/up/Price%20list%202026.PDF#page=3">Prices</a>'], {
      server,
    });
    const [path = ''] = files.keys();
    expect(path).toMatch(/^assets\/files\/[0-9a-f]{20}\/Price-list-2026\.pdf$/);
    expect(documents[0]?.html).toBe(`<a href="/help/${path}#page=3">Prices</a>`);
    expect(documents[0]?.markdown).toBe(`[Prices](https://docs.example.com/help/${path}#page=3)\n`);
  });

  it('keep their URL if the server sends a page instead', async () => {
    const server = await startFileServer({ '/a.pdf': '\n<html>Sign in</html>' });
    const { documents, problems } = await publish(['<a href="/a.pdf">Prices</a>'], { server });
    expect(documents[0]?.html).toContain(`href="${server.origin}/a.pdf"`);
    expect(problems[0]?.message).toContain('a page instead of the file');
  });

  it('are left alone when their kind is not on the list', async () => {
    const server = await startFileServer({ '/a.env': 'MZ' });
    await publish(['<a href="/a.env">Setup</a><a href="/article/a234567890">More</a>'], { server });
    expect(server.log).toEqual([]);
  });

  it('are what players play and show before, too', async () => {
    const server = await startFileServer({ '/a.mp4': 'film', '/b.zip': 'PK', '/p.png': png(8, 8) });
    const body = '<video poster="/p.png" title="Film"><source src="/a.mp4"></video>';
    const { documents, files, problems } = await publish([body], { server });
    expect(problems).toEqual([]);
    expect([...files.keys()].sort()).toEqual([
      expect.stringMatching(/^assets\/files\/\w{20}\/a\.mp4$/),
      expect.stringMatching(/^assets\/media\/\w{20}\.png$/),
    ]);
    for (const path of files.keys()) expect(documents[0]?.html).toContain(`="/help/${path}"`);
    expect(documents[0]?.markdown).toContain('(https://docs.example.com/help/assets/files/');
  });

  it('are images in full size, too', async () => {
    const server = await startFileServer({ '/s.png': png(1, 1), '/l.png': png(9, 9, 1) });
    const { documents, files } = await publish(['<a href="/l.png"><img alt="" src="/s.png"></a>'], {
      server,
    });
    expect(files.size).toBe(2);
    expect(documents[0]?.html).toMatch(/^<a href="\/help\/assets\/media\/\w+\.png"><img src="\/help\/assets/);
  });
});

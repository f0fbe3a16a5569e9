import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RedirectFormat } from '../../../src/core/config/schema.ts';
import { writeTree } from '../../support/folder-layouts.ts';
import { freePort } from '../../support/free-port.ts';
import { article, category, translation } from '../../support/knowledge-base.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeWith, type Tool } from '../../support/tools.ts';
import { publish, sampleBase } from './support.ts';

/** Requests to every server, with the expected targets or responses. */
const requests = [
  ['/en/article/aaaaaaaaaa-two/', 200],
  ['/en/article/aaaaaaaaaa-reset/', '/en/article/aaaaaaaaaa-two/'],
  ['/en/article/aaaaaaaaaa-reset', '/en/article/aaaaaaaaaa-two/'],
  ['/en/article/bbbbbbbbbb-invoice/', 404],
  ['/faq', '/en/'],
  ['/article/aaaaaaaaaa-anything', '/en/article/aaaaaaaaaa-two/'],
  ['/l/ja/article/aaaaaaaaaa', '/ja/article/aaaaaaaaaa-%E3%83%AA%E3%82%BB%E3%83%83%E3%83%88/'],
  ['/l/sv/article/aaaaaaaaaa', '/en/article/aaaaaaaaaa-two/'],
  ['/category/my-category', '/en/category/my-category-mine/'],
  ['/category/my-category-old-slug', '/en/category/my-category-mine/'],
  ['/l/en/category/my-slug', '/en/category/my-short/'],
  ['/article/zzzzzzzzzz', 404],
  ['/nothing', 404],
] as const;

interface Server {
  readonly origin: string;
  close(): Promise<void>;
}

/** Tests a server program with the generated files; skips visibly if it is not installed. */
function describeServer(
  tool: Tool & RedirectFormat,
  start: (program: string, folder: string, port: number) => Promise<ChildProcess>,
) {
  describeWith(tool, `a real ${tool} with the generated files`, (program) => {
    let server: Server;
    beforeAll(async () => {
      server = await serve(tool, (folder, port) => start(program, folder, port));
    });
    afterAll(() => server.close());

    it.each(requests)('answers %s with %s', async (path, wanted) => {
      const response = await fetch(server.origin + path, { redirect: 'manual' });
      const answer = response.headers.get('location') ?? response.status;
      expect(answer).toBe(wanted);
    });

    it('sends the security headers with every page', async () => {
      for (const path of ['/en/', '/nothing']) {
        const { headers } = await fetch(server.origin + path);
        expect(headers.get('content-security-policy')).toContain("default-src 'none'");
        expect(headers.get('x-content-type-options')).toBe('nosniff');
      }
    });
  });
}

describeServer('nginx', async (program, folder, port) => {
  await mkdir(join(folder, 'logs'));
  await writeFile(join(folder, 'mime.types'), 'types { text/html html; text/css css; }');
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  include ${folder}/dist/hosting/nginx/http.conf;
  server { listen 127.0.0.1:${port}; root ${folder}/dist; include ${folder}/dist/hosting/nginx/server.conf; }
}`,
  );
  return spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
});

async function serve(
  format: RedirectFormat,
  start: (folder: string, port: number) => Promise<ChildProcess>,
): Promise<Server> {
  const folder = temporaryFolder();
  const first = await publish(sampleBase());
  const base = sampleBase({ reset: 'two' });
  const { files } = await publish(
    {
      ...base,
      articles: [
        ...base.articles.slice(0, 1),
        article('fffffffff1', [translation('en', 'Mine')], { categoryId: 'my-category' }),
        article('fffffffff2', [translation('en', 'Short')], { categoryId: 'my' }),
      ],
      categories: [
        ...base.categories,
        category('my', { en: 'Short' }),
        category('my-category', { en: 'Mine' }),
      ],
    },
    {
      previous: first.files,
      settings: { formats: [format], movedFrom: ['hosted'], rules: [{ from: '/faq', to: '/en/' }] },
    },
  );
  writeTree(join(folder, 'dist'), Object.fromEntries(files));
  const port = await freePort();
  const child = await start(folder, port);
  const origin = `http://127.0.0.1:${port}`;
  await untilListening(origin, child);
  return {
    origin,
    async close() {
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.kill();
      await closed;
    },
  };
}

/** Asks until the server answers; a server that ends first has found the configuration wrong. */
async function untilListening(origin: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(origin).catch(() => null);
    if (response !== null) return;
  }
  throw new Error(`the server ended with code ${child.exitCode}`);
}

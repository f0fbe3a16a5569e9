import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runLectern } from '../support/lectern.ts';

it('pull reports every record whose text is not UTF-8', async () => {
  const article = (article_id: string, title: string) => ({
    article_id,
    title,
    slug: 'x',
    body: '',
    multilingual: [],
  });
  const server = createServer(({ url = '' }, response) => {
    const articles = url.includes('skip')
      ? []
      : [article('aaaaaaaaaa', 'Sound'), article('bbbbbbbbbb', 'Grüße')];
    const value = url.includes('/category')
      ? { categories: [{ category_id: 'c1', title: 'Städte' }] }
      : { articles };
    response.setHeader('content-type', 'application/json').end(Buffer.from(JSON.stringify(value), 'latin1'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'lectern-damaged-'));
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const { code, stderr } = await runLectern(['pull', 'kb', '--base-url', baseUrl, '--insecure-loopback'], {
    cwd: folder,
    env: { LECTERN_API_KEY: 'key-of-the-tests' },
  });
  expect([code, stderr.split('\n').filter((line) => line.startsWith('warning'))]).toEqual([
    0,
    [
      'warning: category c1 contains bytes that are not UTF-8; the folder has U+FFFD instead',
      'warning: article bbbbbbbbbb contains bytes that are not UTF-8; the folder has U+FFFD instead',
    ],
  ]);
});

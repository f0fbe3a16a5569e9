import { expect, it } from 'vitest';
import { runLectern } from '../support/lectern.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('pull reports every record whose text is not UTF-8', async () => {
  const article = (article_id: string, title: string) => ({
    article_id,
    title,
    slug: 'x',
    body: '',
    multilingual: [],
  });
  const { origin } = await serve(({ url = '' }, response) => {
    const articles = url.includes('skip')
      ? []
      : [article('aaaaaaaaaa', 'Sound'), article('bbbbbbbbbb', 'Grüße')];
    const value = url.includes('/category')
      ? { categories: [{ category_id: 'c1', title: 'Städte' }] }
      : { articles };
    response.setHeader('content-type', 'application/json').end(Buffer.from(JSON.stringify(value), 'latin1'));
  });
  const folder = temporaryFolder();
  const baseUrl = `${origin}/v1`;
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

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openArticleCache } from '../../src/render/article-cache.ts';
import { packArticle } from '../../src/render/packed-article.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-article-cache-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const article = (id: string) => {
  const bytes = new Uint8Array(1000);
  return packArticle(
    { id, media: null, resolutions: [], pages: [] },
    { lengths: [1000], bytes: () => bytes },
  );
};
const entryBytes = article('a').length;
const packBytes = () => statSync(join(folder, 'articles.pack')).size;

/** One run: recalls some, remembers others; says which of the first were there. */
function run(recalled: string, remembered: string, maxBytes?: number): string {
  const cache = openArticleCache(folder, 'engine', maxBytes);
  if (cache === null) throw new Error('there is no cache');
  const found = [...recalled].filter((id) => cache.recall(id) !== null);
  for (const id of remembered) cache.remember(id, article(id));
  cache.finish();
  return found.join('');
}

describe('the cache of articles', () => {
  it('never grows beyond its limit', () => {
    const limit = 3.5 * entryBytes;
    run('', 'abcde', limit);
    expect(packBytes()).toBe(3 * entryBytes);
    expect(run('abcde', 'fg', limit)).toBe('abc');
    expect(packBytes()).toBe(3 * entryBytes);
  });

  it('forgets what a run neither recalled nor remembered', () => {
    run('', 'abc');
    run('ab', '');
    expect(run('abc', '')).toBe('ab');
  });

  it('begins anew when most of it is forgotten', () => {
    run('', 'abcde');
    run('a', '');
    expect(run('a', 'b')).toBe('');
    expect(packBytes()).toBe(entryBytes);
  });
});

import { expect, it } from 'vitest';
import type { ArticleFacts } from '../../src/render/article-facts.ts';
import { checksumOf, isSound, packArticle, unpackArticle } from '../../src/render/packed-article.ts';
import { createTextBlock, type TextBlock } from '../../src/render/text-block.ts';

function blockOf(...texts: readonly string[]): TextBlock {
  const block = createTextBlock();
  for (const text of texts) block.add(text);
  return block;
}

const facts: ArticleFacts = {
  id: 'aaaaaaaaaa',
  media: null,
  resolutions: [{ language: 'ja', href: '/article/bbbbbbbbbb', resolution: '{"kind":"external"}' }],
  pages: [
    {
      language: 'ja',
      files: [{ path: 'ja/article/aaaaaaaaaa/index.html', sha256: 'ab'.repeat(32) }],
      feed: {
        id: 'aaaaaaaaaa-ja',
        hash: 'cd'.repeat(32),
        metaHash: 'ef'.repeat(32),
        marks: 'a b',
        tokens: 3,
        chunks: 1,
        flags: [],
        secrets: [],
        opening: '手順',
        fullTextHead: 4,
        fullTextChars: 9,
      },
      search: { article: '[]', lengths: 'A', terms: '手順', postings: Uint32Array.of(0, 1, 2, 0xffffffff) },
      anchors: { anchors: '\n手順\n', links: [] },
      media: [],
      problems: [],
    },
  ],
};

it('a packed article is the same when it is unpacked, also from the middle of a file', () => {
  const texts = ['<p>手順</p>', '', '{}\n'];
  const packed = packArticle(facts, blockOf(...texts));
  const within = Buffer.concat([Buffer.from('odd'), packed, Buffer.from('rest')]);
  for (const block of [packed, within.subarray(3, 3 + packed.length)]) {
    const article = unpackArticle(block);
    expect(article.facts).toEqual(facts);
    expect(article.texts.map((text) => Buffer.from(text).toString())).toEqual(texts);
  }
});

it('a packed article has a block of memory of its own, so that a thread can give it away', () => {
  const packed = packArticle(facts, blockOf('text'));
  expect(packed.buffer.byteLength).toBe(packed.length);
});

it('a packed article that was altered or cut anywhere is not sound', () => {
  const packed = packArticle(facts, blockOf('text'));
  expect(isSound(packed)).toBe(true);
  for (const at of [0, 10, packed.length - 5, packed.length - 1]) {
    const altered = Buffer.from(packed);
    altered[at] = (altered[at] ?? 0) ^ 1;
    expect(isSound(altered)).toBe(false);
  }
  for (const length of [0, 3, 4, packed.length - 1]) expect(isSound(packed.subarray(0, length))).toBe(false);
  expect(checksumOf(packed)).not.toBe(checksumOf(packArticle(facts, blockOf('Text'))));
});

import { deserialize, serialize } from 'node:v8';
import type { ArticleFacts } from './article-facts.ts';

/** An article as it was packed. */
export interface PackedArticle {
  readonly facts: ArticleFacts;
  /** UTF-8, in the order they were packed. */
  readonly texts: readonly Uint8Array[];
}

const lengthBytes = 4;

/**
 * Packs an article into one block of memory, which moves between threads without being copied and goes to the cache as it
 * is: length of the facts, the facts, their texts.
 */
export function packArticle(facts: ArticleFacts, texts: readonly Uint8Array[]): Uint8Array {
  const head = serialize({ facts, lengths: texts.map(({ length }) => length) });
  const size = texts.reduce((sum, { length }) => sum + length, lengthBytes + head.length);
  // Not from the pool: the block is to be given away whole.
  const block = Buffer.allocUnsafeSlow(size);
  block.writeUInt32LE(head.length);
  block.set(head, lengthBytes);
  let at = lengthBytes + head.length;
  for (const text of texts) {
    block.set(text, at);
    at += text.length;
  }
  return block;
}

/** Reads what {@link packArticle} wrote. */
export function unpackArticle(block: Uint8Array): PackedArticle {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.length);
  let at = lengthBytes + bytes.readUInt32LE();
  const { facts, lengths } = deserialize(bytes.subarray(lengthBytes, at)) as {
    readonly facts: ArticleFacts;
    readonly lengths: readonly number[];
  };
  const texts = lengths.map((length) => {
    at += length;
    return bytes.subarray(at - length, at);
  });
  return { facts, texts };
}

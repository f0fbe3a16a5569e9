import { hash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import type { ArticleFacts } from './article-facts.ts';

/** An article as it was packed. */
export interface PackedArticle {
  readonly facts: ArticleFacts;
  /** UTF-8, in the order they were packed. */
  readonly texts: readonly Uint8Array[];
}

const lengthBytes = 4;
const checksumBytes = 32;

/**
 * Packs an article into one block of memory, which moves between threads without being copied and goes to the cache as it
 * is: length of the facts, the facts, their texts, SHA-256 of all that.
 */
export function packArticle(facts: ArticleFacts, texts: readonly Uint8Array[]): Uint8Array {
  const head = serialize({ facts, lengths: texts.map(({ length }) => length) });
  const size = texts.reduce((sum, { length }) => sum + length, lengthBytes + head.length);
  // Not from the pool: the block is to be given away whole.
  const block = Buffer.allocUnsafeSlow(size + checksumBytes);
  block.writeUInt32LE(head.length);
  block.set(head, lengthBytes);
  let at = lengthBytes + head.length;
  for (const text of texts) {
    block.set(text, at);
    at += text.length;
  }
  block.write(hash('sha256', block.subarray(0, size)), size, 'hex');
  return block;
}

/** The checksum a block bears, hex. */
export function checksumOf(block: Uint8Array): string {
  return bufferOf(block).toString('hex', block.length - checksumBytes);
}

/** Whether a block is as it was packed. */
export function isSound(block: Uint8Array): boolean {
  const size = block.length - checksumBytes;
  return size >= lengthBytes && hash('sha256', block.subarray(0, size)) === checksumOf(block);
}

/** Reads what {@link packArticle} wrote. */
export function unpackArticle(block: Uint8Array): PackedArticle {
  const bytes = bufferOf(block);
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

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

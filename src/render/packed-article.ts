import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { ArticleFacts } from './article-facts.ts';
import type { TextBlock } from './text-block.ts';

/** An article as it was packed. */
export interface PackedArticle {
  readonly facts: ArticleFacts;
  /** UTF-8, in the order they were packed. */
  readonly texts: readonly Uint8Array[];
}

const lengthBytes = 4;
const checksumBytes = 4;

/**
 * Packs an article into one block of memory, which moves between threads without being copied and goes to the cache as it
 * is: length of the facts, the facts, their texts, CRC-32 of all that. A checksum finds damage; nobody forges a cache who could
 * not as well change the output.
 */
export function packArticle(facts: ArticleFacts, texts: Pick<TextBlock, 'lengths' | 'bytes'>): Uint8Array {
  const head = serialize({ facts, lengths: texts.lengths });
  const bytes = texts.bytes();
  const size = lengthBytes + head.length + bytes.length;
  // Not from the pool: the block is to be given away whole.
  const block = Buffer.allocUnsafeSlow(size + checksumBytes);
  block.writeUInt32LE(head.length);
  block.set(head, lengthBytes);
  block.set(bytes, lengthBytes + head.length);
  block.writeUInt32LE(crc32(block.subarray(0, size)), size);
  return block;
}

/** The checksum a block bears. */
export function checksumOf(block: Uint8Array): number {
  return bufferOf(block).readUInt32LE(block.length - checksumBytes);
}

/** Whether a block is as it was packed. */
export function isSound(block: Uint8Array): boolean {
  const size = block.length - checksumBytes;
  return size >= lengthBytes && crc32(block.subarray(0, size)) === checksumOf(block);
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

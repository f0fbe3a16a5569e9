import { isUtf8 } from 'node:buffer';

/** Objects whose bytes held something that is not UTF-8. */
const damaged = new WeakSet<object>();

/**
 * Parses JSON bytes. Bytes that are not UTF-8 (RFC 8259, 8.1) become U+FFFD, and {@link hasDamagedText} is true for every object of
 * the value, as the bytes do not tell which of its texts they belong to.
 * @throws SyntaxError
 */
export function decodeJson(bytes: Buffer): unknown {
  const value: unknown = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  if (!isUtf8(bytes)) markDamaged(value);
  return value;
}

/** Whether a record that {@link decodeJson} gave came in bytes that are not UTF-8. */
export function hasDamagedText(record: object): boolean {
  return damaged.has(record);
}

function markDamaged(value: unknown): void {
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    damaged.add(next);
    for (const inner of Object.values(next)) open.push(inner);
  }
}

/** Collects pieces into large blocks. */
interface BlockBuffer {
  add(piece: string | Uint8Array): void;
  /** Bytes of everything added, except the first half of a surrogate pair whose second half has not been added yet. */
  added(): number;
  /** Passes on the collected bytes. */
  flush(): void;
}

const blockBytes = 512 * 1024;

/** Largest number of UTF-8 bytes per UTF-16 unit. */
const bytesPerUnit = 3;

/** The block that was used last. Memory that is allocated for each file is freed late, and then not returned to the system. */
let unused: Buffer | null = null;

/**
 * Encodes strings as UTF-8 into one buffer, three to nine times as fast as joining them first.
 * @param take called with each block; it must copy the bytes it needs, because the next block uses the same memory
 */
export function createBlockBuffer(take: (block: Uint8Array) => void): BlockBuffer {
  let buffer: Buffer | null = null;
  let used = 0;
  let taken = 0;
  /** First half of a surrogate pair; the second half may be at the start of the next piece. */
  let half = '';

  const give = (block: Uint8Array): void => {
    taken += block.length;
    take(block);
  };
  const flushBytes = (): void => {
    if (buffer !== null && used > 0) give(buffer.subarray(0, used));
    used = 0;
  };
  /** The block, with room for so many bytes; `null`, after a flush, if they never fit. */
  const blockFor = (bytes: number): Buffer | null => {
    if (used + bytes > blockBytes) flushBytes();
    if (bytes > blockBytes) return null;
    if (buffer === null) {
      buffer = unused ?? Buffer.allocUnsafeSlow(blockBytes);
      unused = null;
    }
    return buffer;
  };
  const addBytes = (bytes: Uint8Array): void => {
    const block = blockFor(bytes.length);
    if (block === null) give(bytes);
    else {
      block.set(bytes, used);
      used += bytes.length;
    }
  };
  const addText = (text: string): void => {
    const block = blockFor(text.length * bytesPerUnit);
    if (block === null) give(Buffer.from(text));
    else used += block.write(text, used);
  };
  const addHalf = (): void => {
    if (half === '') return;
    const text = half;
    half = '';
    addText(text);
  };

  return {
    add(piece) {
      if (typeof piece !== 'string') {
        addHalf();
        addBytes(piece);
        return;
      }
      const text = half + piece;
      half = isFirstHalf(text.charCodeAt(text.length - 1)) ? text.slice(-1) : '';
      addText(half === '' ? text : text.slice(0, -1));
    },
    added: () => taken + used,
    flush() {
      addHalf();
      flushBytes();
      unused ??= buffer;
      buffer = null;
    },
  };
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Collects pieces into large blocks. */
interface BlockBuffer {
  add(piece: string | Uint8Array): void;
  /** Bytes of everything added, except the first half of a surrogate pair whose second half has not been added yet. */
  added(): number;
  /** Passes on the collected bytes. */
  flush(): void;
}

const firstBytes = 16 * 1024;
const mostBytes = 512 * 1024;

/** Largest number of UTF-8 bytes per UTF-16 unit. */
const bytesPerUnit = 3;

const none = Buffer.alloc(0);

/** The buffer that was used last. Memory that is allocated for each file is freed late, and then not returned to the system. */
let spare = none;

/**
 * Encodes strings as UTF-8 into one buffer, three to nine times as fast as joining them first.
 * @param take called with each block; it must copy the bytes it needs, because the next block uses the same memory
 */
export function createBlockBuffer(take: (block: Uint8Array) => void): BlockBuffer {
  let buffer = none;
  let used = 0;
  let taken = 0;
  /** First half of a surrogate pair; the second half may be at the start of the next piece. */
  let half = '';

  const give = (block: Uint8Array): void => {
    taken += block.length;
    take(block);
  };
  const flushBytes = (): void => {
    if (used > 0) give(buffer.subarray(0, used));
    used = 0;
  };
  const addBytes = (bytes: Uint8Array): void => {
    if (!makeRoom(bytes.length)) {
      give(bytes);
      return;
    }
    buffer.set(bytes, used);
    used += bytes.length;
  };
  const addText = (text: string): void => {
    if (makeRoom(text.length * bytesPerUnit)) used += buffer.write(text, used);
    else give(Buffer.from(text));
  };
  const addHalf = (): void => {
    if (half === '') return;
    const text = half;
    half = '';
    addText(text);
  };
  /** `false`, with an empty buffer, if so many bytes never fit. */
  const makeRoom = (bytes: number): boolean => {
    if (buffer === none) {
      buffer = spare === none ? Buffer.allocUnsafeSlow(firstBytes) : spare;
      spare = none;
    }
    if (used + bytes <= buffer.length) return true;
    if (used + bytes <= mostBytes) {
      let length = buffer.length;
      while (length < used + bytes) length *= 2;
      const grown = Buffer.allocUnsafeSlow(length);
      grown.set(buffer.subarray(0, used));
      buffer = grown;
      return true;
    }
    flushBytes();
    return bytes <= mostBytes && makeRoom(bytes);
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
      if (buffer.length > spare.length) spare = buffer;
      buffer = none;
    },
  };
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

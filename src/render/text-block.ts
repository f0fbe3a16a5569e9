/** Texts one after another, as UTF-8, in memory that is used again: an article makes twenty, of some 100 KB. */
export interface TextBlock {
  /** Adds a text; gives its bytes, which stand until {@link TextBlock.clear}. */
  add(text: string | Uint8Array): Uint8Array;
  /** Bytes of every text, in order. */
  readonly lengths: readonly number[];
  /** All texts. */
  bytes(): Uint8Array;
  clear(): void;
}

const usualBytes = 1 << 20;

/** What a huge article needed is given back. */
const mostKeptBytes = 8 << 20;

/** UTF-8 has at most three bytes per UTF-16 unit. */
const bytesPerUnit = 3;

export function createTextBlock(): TextBlock {
  let space = Buffer.allocUnsafeSlow(usualBytes);
  let used = 0;
  let lengths: number[] = [];
  const makeRoom = (bytes: number): void => {
    if (used + bytes <= space.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (used + bytes));
    larger.set(space.subarray(0, used));
    space = larger;
  };
  return {
    add(text) {
      makeRoom(typeof text === 'string' ? text.length * bytesPerUnit : text.length);
      const start = used;
      if (typeof text === 'string') used += space.write(text, used);
      else {
        space.set(text, used);
        used += text.length;
      }
      lengths.push(used - start);
      return space.subarray(start, used);
    },
    get lengths() {
      return lengths;
    },
    bytes: () => space.subarray(0, used),
    clear() {
      if (space.length > mostKeptBytes) space = Buffer.allocUnsafeSlow(usualBytes);
      used = 0;
      lengths = [];
    },
  };
}

/** The lines of a file that comes in blocks, without their ends; a line may be overwritten once the next is asked for. */
export function* splitLines(blocks: Iterable<Uint8Array>): Generator<Uint8Array> {
  const cutter = createLineCutter();
  for (const block of blocks) yield* cutter.cut(block);
  yield* cutter.end();
}

/** Cuts blocks into lines as they come. */
export interface LineCutter {
  /** The lines that end in this block. */
  cut(block: Uint8Array): Generator<Uint8Array>;
  /** What is left. */
  end(): readonly Uint8Array[];
}

export function createLineCutter(): LineCutter {
  /** Begin of a line whose end is still to come. */
  let waiting: Uint8Array[] = [];
  return {
    *cut(block) {
      let start = 0;
      for (let end = block.indexOf(10); end >= 0; end = block.indexOf(10, start)) {
        const last = block.subarray(start, end);
        start = end + 1;
        if (waiting.length === 0) yield last;
        else {
          const line = Buffer.concat([...waiting, last]);
          waiting = [];
          yield line;
        }
      }
      if (start < block.length) waiting.push(block.slice(start));
    },
    end: () => (waiting.length === 0 ? [] : [Buffer.concat(waiting)]),
  };
}

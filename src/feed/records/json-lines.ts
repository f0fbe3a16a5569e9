import { splitLines } from '../../output/blocks.ts';

/**
 * Parses JSON Lines from bytes, one line at a time, so that a file larger than the longest string can be read.
 * Throws `SyntaxError` with the number of the line that is not JSON.
 */
export function* parseJsonLines(bytes: Uint8Array): Generator<unknown> {
  const parse = createLineParser();
  for (const line of splitLines([bytes])) {
    const value = parse(line);
    if (value !== undefined) yield value;
  }
}

/** Creates a function that parses one line per call; an empty line is `undefined`. Throws as {@link parseJsonLines} does. */
export function createLineParser(): (line: Uint8Array) => unknown {
  const decoder = new TextDecoder();
  let number = 0;
  return (line) => {
    number += 1;
    const text = decoder.decode(line);
    if (text.trim() === '') return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch (cause) {
      throw new SyntaxError(`line ${number} is not JSON`, { cause });
    }
  };
}

/** One record as a line. */
export function jsonLine(record: unknown): string {
  return `${JSON.stringify(record)}\n`;
}

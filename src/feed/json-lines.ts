/**
 * Parses JSON Lines from bytes, one line at a time, so that a file larger than the longest string can be read.
 * Throws `SyntaxError` with the number of the line that is no JSON.
 */
export function* parseJsonLines(bytes: Uint8Array): Generator<unknown> {
  const decoder = new TextDecoder();
  let start = 0;
  for (let number = 1; start < bytes.length; number += 1) {
    const found = bytes.indexOf(10, start);
    const end = found < 0 ? bytes.length : found;
    const line = decoder.decode(bytes.subarray(start, end));
    start = end + 1;
    if (line.trim() === '') continue;
    try {
      yield JSON.parse(line) as unknown;
    } catch (cause) {
      throw new SyntaxError(`line ${number} is no JSON`, { cause });
    }
  }
}

/** One record as a line. */
export function jsonLine(record: unknown): string {
  return `${JSON.stringify(record)}\n`;
}

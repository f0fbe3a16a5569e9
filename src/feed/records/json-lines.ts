/** The non-empty lines of a JSON Lines file in UTF-8, whose byte order mark is text, too. A large file is decoded line by line. */
export function* linesOf(bytes: Uint8Array): Generator<string> {
  const { length } = bytes;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, length);
  for (let from = 0; from < length; ) {
    const next = buffer.indexOf(10, from);
    const end = next === -1 ? length : next;
    if (end > from) yield buffer.toString('utf8', from, end);
    from = end + 1;
  }
}

/** Line and paragraph separators, at which Python and Node also end lines. */
const separators = /[\u2028\u2029]/g;

/** One record as a line. */
export function jsonLine(record: unknown): string {
  const json = JSON.stringify(record);
  return `${json.replace(separators, (sign) => (sign === '\u2028' ? '\\u2028' : '\\u2029'))}\n`;
}

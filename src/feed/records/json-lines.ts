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

/** A value as JSON in one line, for every program. A string is also one of YAML; it is quoted, so that `no`, `1.10` and dates are read as text. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(separators, (sign) => (sign === '\u2028' ? '\\u2028' : '\\u2029'));
}

/** One record as a line. */
export function jsonLine(record: unknown): string {
  return `${jsonText(record)}\n`;
}

/** The non-empty lines of a JSON Lines file in UTF-8, whose byte order mark is text, too. A large file is decoded line by line. */
export function* linesOf(bytes: Uint8Array, start = 0, length = bytes.length): Generator<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, length);
  for (let from = start; from < length; ) {
    const next = buffer.indexOf(10, from);
    const end = next === -1 ? length : next;
    if (end > from) yield buffer.toString('utf8', from, end);
    from = end + 1;
  }
}

const articlesStart = ',"articles":[\n';
const articlesEnd = '\n]}\n';

/** The articles of a `source.json`, each as the text of its line. @throws Error if the file is not written like this */
export function* articleLinesOf(bytes: Uint8Array): Generator<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = buffer.indexOf(10) + 1;
  const end = bytes.length - articlesEnd.length;
  const isWhole =
    buffer.toString('utf8', 0, start).endsWith(articlesStart) && buffer.toString('utf8', end) === articlesEnd;
  if (!isWhole) throw new Error('it is not written like a source page');
  for (const line of linesOf(bytes, start, end)) yield line.replace(/,$/, '');
}

/** One record as a line. */
export function jsonLine(record: unknown): string {
  return `${JSON.stringify(record)}\n`;
}

/** The non-empty lines of a JSON Lines file, whose byte order mark is text, too. */
export function* linesOf(bytes: Uint8Array): Generator<string> {
  for (const line of new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).split('\n'))
    if (line !== '') yield line;
}

/** One record as a line. */
export function jsonLine(record: unknown): string {
  return `${JSON.stringify(record)}\n`;
}

/** The non-empty lines of a JSON Lines file. */
export function* linesOf(bytes: Uint8Array): Generator<string> {
  for (const line of new TextDecoder().decode(bytes).split('\n')) if (line !== '') yield line;
}

/** One record as a line. */
export function jsonLine(record: unknown): string {
  return `${JSON.stringify(record)}\n`;
}

/**
 * The only file that writes to stdout and stderr. It escapes control characters, so that text of authors, servers or file names cannot move
 * the cursor, change colours or hide text.
 */

type StreamName = 'stdout' | 'stderr';

/** Prints results to stdout. */
export function writeOutput(text: string): void {
  process.stdout.write(escapeControls(text));
}

/** Prints notes, progress and errors to stderr. */
export function writeError(text: string): void {
  process.stderr.write(escapeControls(text));
}

/** Prints a line to stderr. */
export function say(sentence: string): void {
  writeError(`${sentence}\n`);
}

/** Prints a text with colours. `format` must escape foreign text itself, because colours in it would be printed. */
export function writePainted(stream: StreamName, format: (paint: Paint) => string): void {
  const parts = format(createPaint(process[stream], process.env)).split(colourSequence);
  process[stream].write(parts.map((part, index) => (index % 2 === 1 ? part : escapeControls(part))).join(''));
}

/** Prints a document to stdout: escaped on a terminal, unchanged to a file or pipe. */
export function writeDocument(text: string): void {
  process.stdout.write(process.stdout.isTTY ? escapeControls(text) : text);
}

/** Replaces the last line of the terminal on stderr; `''` clears it. */
export function rewriteLine(text: string): void {
  process.stderr.write(`\r\x1b[2K${escapeControls(text)}`);
}

/** Whether the stream is a terminal. */
export function isTerminal(stream: StreamName): boolean {
  return Boolean(process[stream].isTTY);
}

/** Columns of the terminal; 80 if there is none. */
export function terminalColumns(stream: StreamName): number {
  return process[stream].columns || 80;
}

/** Columns for wrapping text. */
export function textWidth(): number {
  return Math.max(40, Math.min(terminalColumns('stdout'), 100));
}

/**
 * Ignores closed pipes (`lectern kb source | head -1`) and errors of stderr, such as a full disk for a log: the command still completes. If
 * results cannot be written to stdout, the command fails at the end.
 */
export function ignoreClosedPipes(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    process.once('exit', () => {
      process.exitCode ||= 1;
      writeError(`error PATH_UNUSABLE: the results cannot be written to stdout (${code})\n`);
    });
  });
}

/** Colours a text for the terminal, or returns it unchanged. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
}

/** Sequences that {@link createPaint} writes. */
const colourSequence = /(\x1b\[(?:1|2|22|31|33|39)m)/;

/**
 * Whether a stream gets colours: on a terminal that supports them. NO_COLOR (no-color.org) turns them off; FORCE_COLOR turns them on
 * anywhere (`0`: off) and takes precedence, as in Node.
 */
export function createPaint(
  { isTTY = false }: { readonly isTTY?: boolean | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): Paint {
  const force = environment.FORCE_COLOR;
  const isOn =
    force === undefined
      ? isTTY && !environment.NO_COLOR && environment.TERM !== 'dumb'
      : force !== '0' && force !== 'false';
  const wrap = (on: number, off: number) => (text: string) =>
    isOn && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text;
  return { bold: wrap(1, 22), dim: wrap(2, 22), red: wrap(31, 39), yellow: wrap(33, 39) };
}

/** Control characters (C0 except tab and line feed, DEL, C1) and marks that change the text direction. */
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Makes control characters of foreign text visible (`\u009b`), which could move the cursor, change colours or hide text. In JSON, the
 * escape means the same character.
 */
export function escapeControls(text: string): string {
  return text.replace(controls, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

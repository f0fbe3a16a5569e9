/** Colours a text for the terminal, or leaves it as it is. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
}

/** A stream as far as colour is concerned. */
interface PaintTarget {
  readonly isTTY?: boolean | undefined;
}

/**
 * Colours for a stream: on a terminal that is not dumb. NO_COLOR (no-color.org) turns them off; FORCE_COLOR turns them on
 * anywhere (`0`: off) and takes precedence, as in Node.
 */
export function createPaint(
  { isTTY = false }: PaintTarget,
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

/**
 * A letter as lines: `x` and `y` of each point as two digits in base 36, points apart by spaces and lines by `/`. Capitals are between 0 and 12 (`c`),
 * small letters between 4 and 12, and descenders end at 16 (`g`). A line that begins with `~` is a smooth curve through its points.
 */
const round = '~34 15 08 1b 3c 5b 68 55 34';
const bowl = '~00 40 61 73 65 46 06';
const letters: Readonly<Record<string, string>> = {
  A: '0c 40 8c/18 78',
  B: '0c 00/~00 30 51 63 55 36 06/~06 46 67 79 6b 4c 0c',
  C: '~82 71 40 12 06 1a 4c 7b 8a',
  D: '0c 00/~00 30 62 86 6a 3c 0c',
  E: '60 00 0c 6c/06 56',
  F: '60 00 0c/06 56',
  G: '~82 71 40 12 06 1a 4c 7b 8a/8a 87 57',
  H: '00 0c/80 8c/06 86',
  I: '00 0c',
  J: '50 58/~58 4b 2c 0b',
  K: '00 0c/70 07/25 7c',
  L: '00 0c 6c',
  M: '0c 00 59 a0 ac',
  N: '0c 00 8c 80',
  O: '~40 12 06 1a 4c 7a 86 72 40',
  P: `0c 00/${bowl}`,
  Q: '~40 12 06 1a 4c 7a 86 72 40/59 8d',
  R: `0c 00/${bowl}/36 7c`,
  S: '~71 40 11 03 25 56 78 6b 3c 0a',
  T: '00 80/40 4c',
  U: '00 07/~07 1b 4c 7b 87/87 80',
  V: '00 4c 80',
  W: '00 3c 61 9c c0',
  X: '00 8c/80 0c',
  Y: '00 46 80/46 4c',
  Z: '00 70 0c 7c',
  a: `${round}/64 6c`,
  b: `00 0c/${round}`,
  c: '~66 55 34 15 08 1b 3c 5b 6a',
  d: `${round}/60 6c`,
  e: '08 68/~68 55 34 15 08 1b 3c 5b 6a',
  f: '~40 21 13 15/15 1c/04 44',
  g: `${round}/64 6c/~6c 5f 3g 1f`,
  h: '00 0c/~07 15 34 55 67/67 6c',
  i: '04 0c/00 01',
  j: '24 2c/~2c 1f 0g/20 21',
  k: '00 0c/54 09/27 6c',
  l: '00 0c',
  m: '04 0c/~07 15 24 45 57/57 5c/~57 65 74 95 a7/a7 ac',
  n: '04 0c/~07 15 34 55 67/67 6c',
  o: round,
  p: `04 0g/${round}`,
  q: `${round}/64 6g`,
  r: '04 0c/~07 15 34 44',
  s: '~55 34 14 06 27 48 5a 3c 1c 0b',
  t: '20 29/~29 2b 3c 4c/04 44',
  u: '04 09/~09 1b 3c 5b 69/64 6c',
  v: '04 3c 64',
  w: '04 2c 55 8c a4',
  x: '04 6c/64 0c',
  y: '04 3c/64 1g',
  z: '04 54 0c 5c',
  0: '~30 12 06 1a 3c 5a 66 52 30',
  1: '02 20 2c',
  2: '~02 11 30 51 53 35/35 0c 6c',
  3: '~01 30 51 53 46 26/~26 46 58 5a 3c 0b',
  4: '4c 40 08 68',
  5: '50 10 05/~05 35 57 5a 3c 0b',
  6: '~40 12 08 1b 3c 5b 69 57 36 17 08',
  7: '00 60 2c',
  8: '~30 11 03 15 36 55 63 51 30/~36 17 09 1b 3c 5b 69 57 36',
  9: '~2c 59 64 51 30 11 03 15 36 55 64',
  '-': '07 47',
  '.': '0b 0c',
  ',': '0b 0d',
  "'": '00 02',
  ':': '05 06/0b 0c',
  '!': '00 08/0b 0c',
};

/** Accents over a small letter whose middle is at 3. Over a capital they are `capitalShift` higher. */
const accents: Readonly<Record<string, string>> = {
  '\u0300': '20 42',
  '\u0301': '40 22',
  '\u0302': '12 30 52',
  '\u0303': '~12 21 42 51',
  '\u0308': '10 11/50 51',
  '\u030c': '10 32 50',
};
const capitalShift = 4;

/** A point of a drawing. */
export type DrawnPoint = readonly [x: number, y: number];

/** A text as lines, and its width. The unit is a twelfth of the height of a capital; the baseline is at 12. */
export interface Text {
  readonly width: number;
  readonly lines: readonly (readonly DrawnPoint[])[];
}

/** Room between letters, and between words. */
const gap = 3.2;
const space = 5;

/** Draws a text; `null` if it has another letter than those above. */
export function drawText(text: string): Text | null {
  const lines: DrawnPoint[][] = [];
  let left = 0;
  let last = { start: 0, end: 0, shift: 0 };
  for (const letter of text.normalize('NFD')) {
    const accent = Object.hasOwn(accents, letter) ? accents[letter] : undefined;
    if (accent !== undefined) {
      const over = (last.start + last.end) / 2 - 3;
      for (const line of accent.split('/').map(readLine))
        lines.push(line.map(([x, y]): DrawnPoint => [x + over, y - last.shift]));
      continue;
    }
    if (letter === ' ') {
      left += space;
      continue;
    }
    const drawing = Object.hasOwn(letters, letter) ? letters[letter] : undefined;
    if (drawing === undefined) return null;
    const own = drawing.split('/').map(readLine);
    lines.push(...own.map((line) => line.map(([x, y]): DrawnPoint => [x + left, y])));
    const end = left + Math.max(...own.flat().map(([x]) => x));
    last = { start: left, end, shift: letter === letter.toLowerCase() ? 0 : capitalShift };
    left = end + gap;
  }
  return { width: Math.max(0, left - gap), lines };
}

function readLine(text: string): readonly DrawnPoint[] {
  const points = text
    .replace('~', '')
    .split(' ')
    .map((pair): DrawnPoint => [Number.parseInt(pair.charAt(0), 36), Number.parseInt(pair.charAt(1), 36)]);
  return text.startsWith('~') ? smooth(points) : points;
}

/** Points of a curve through points (Catmull-Rom); a line that ends where it begins has no corner there. */
function smooth(points: readonly DrawnPoint[]): readonly DrawnPoint[] {
  const last = points.length - 1;
  const isClosed = String(points[0]) === String(points[last]);
  const at = (index: number): DrawnPoint => {
    const inside = isClosed ? (index + last) % last : Math.min(last, Math.max(0, index));
    return points[inside] as DrawnPoint;
  };
  const steps = [0, 0.25, 0.5, 0.75];
  const curve = points.slice(1).flatMap((_, index) => {
    const [a, b, c, d] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    return steps.map((t): DrawnPoint => [blend(a[0], b[0], c[0], d[0], t), blend(a[1], b[1], c[1], d[1], t)]);
  });
  return [...curve, at(isClosed ? 0 : last)];
}

function blend(a: number, b: number, c: number, d: number, t: number): number {
  return b + (t / 2) * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

import { hash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { loadColors } from '../../core/colors.ts';
import { getOrMake } from '../../core/group-by.ts';
import type { RenderedFile } from './assets.ts';
import { type DrawnPoint, drawText, type Text } from './letters.ts';
import { accentsOf, type Theme } from './palettes.ts';

/** Paths of the pictures that a site without pictures of its own gets; the names contain a hash of their content. */
interface BrandPictures {
  /** For shared links, 1200 × 630. */
  readonly share: string;
  /** For home screens, by width in pixels. */
  readonly icons: ReadonlyMap<number, string>;
  /** Paints them. They are painted only if they are published again, because that takes some hundredths of a second. */
  readonly paint: () => Generator<RenderedFile>;
}

/** A change of the drawing changes the names. */
const drawing = 2;

const iconSizes = [192, 512];

/**
 * The pictures of a site: the mark of a book on the accent colour, and for shared links the name beside it. A name in another script is not
 * drawn, because that needs its font; chats show it as text.
 */
export function brandPictures(theme: Theme, title: string): BrandPictures {
  const { light: accent } = accentsOf(theme);
  const key = hash('sha256', `${drawing} ${accent}`).slice(0, 10);
  const share = `assets/share.${hash('sha256', `${drawing} ${accent} ${title}`).slice(0, 10)}.png`;
  const icons = new Map(iconSizes.map((size) => [size, `assets/icon-${size}.${key}.png`]));
  return {
    share,
    icons,
    *paint() {
      const ground = toRgb(accent);
      yield { path: share, content: makePng(`share ${title}`, ground, () => paintShare(title)) };
      for (const [size, path] of icons)
        yield { path, content: makePng(`icon ${size}`, ground, () => paintIcon(size)) };
    },
  };
}

type Rgb = readonly [red: number, green: number, blue: number];

function toRgb(color: string): Rgb {
  // The settings have been checked, so it is a colour.
  const hex = loadColors().formatHex(color) ?? '#000000';
  const number = Number.parseInt(hex.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

/** A picture: the share of white of each pixel, row by row. */
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Float32Array;
}

type Line = readonly DrawnPoint[];

function createPicture(width: number, height: number): Picture {
  return { width, height, pixels: new Float32Array(width * height) };
}

function paintIcon(size: number): Picture {
  const picture = createPicture(size, size);
  paintLines(picture, placed(book, [0.19 * size, 0.19 * size], 0.62 * size), 0.026 * size);
  return picture;
}

/** The picture for shared links: the mark at the left, the name beside it, and the circles of the home page behind. */
function paintShare(title: string): Picture {
  const picture = createPicture(1200, 630);
  const { width, height, pixels } = picture;
  for (let y = 0; y < height; y += 1)
    for (let x = 420; x < width; x += 1) {
      const distance = Math.sqrt((x - 1104) ** 2 + (y - 800) ** 2) % 90;
      const line = Math.max(0, 1 - Math.abs(distance - 45) / 1.5);
      pixels[y * width + x] = line * 0.16 * Math.min(1, (x - 420) / 600);
    }
  paintLines(picture, placed(book, [127, 162], 306), 12.9);
  paintName(picture, title);
  return picture;
}

/** The open book of the header, in a square of 1 × 1. */
const book: readonly Line[] = ([-1, 1] as const).map((side) => {
  const wave = (t: number, y: number): DrawnPoint => [0.5 + (side * t) / 2, y - 0.4 * t * (1 - t)];
  const steps = Array.from({ length: 9 }, (_, at) => at / 8);
  const outline = [...steps.map((t) => wave(t, 0.2)), ...steps.toReversed().map((t) => wave(t, 0.92))];
  return [...outline, wave(0, 0.2)];
});

function placed(lines: readonly Line[], [left, top]: DrawnPoint, unit: number): readonly Line[] {
  return lines.map((line) => line.map(([x, y]): DrawnPoint => [left + x * unit, top + y * unit]));
}

/** Room for the name, in pixels. */
const nameLeft = 520;
const nameWidth = 600;
/** Twelfths of the height of a capital: the height of a row, and half the width of a stroke. */
const rowUnits = 21;
const halfPen = 0.85;
const maxRows = 3;
/** Sizes of such a twelfth, in pixels. A longer name is not drawn. */
const largestUnit = 8.5;
const smallestUnit = 3;

/** Draws the name in as many rows as make it largest. */
function paintName(picture: Picture, title: string): void {
  const words = title.split(/\s+/).filter((word) => word !== '');
  let best: { readonly rows: readonly Text[]; readonly unit: number } = { rows: [], unit: smallestUnit };
  for (let count = 1; count <= Math.min(maxRows, words.length); count += 1) {
    const rows = breakRows(words.join(' '), count).flatMap((row) => drawText(row) ?? []);
    const unit = Math.min(largestUnit, nameWidth / Math.max(...rows.map((row) => row.width)));
    if (rows.length === count && unit > best.unit) best = { rows, unit };
  }
  const { rows, unit } = best;
  // The middle of the letters is that of the picture.
  const top = picture.height / 2 - ((rows.length - 1) * rowUnits + 12) * (unit / 2);
  for (const [at, { lines }] of rows.entries())
    paintLines(picture, placed(lines, [nameLeft, top + at * rowUnits * unit], unit), halfPen * unit);
}

/** Divides words into rows of about the same length. */
function breakRows(text: string, count: number): readonly string[] {
  if (count === 1) return [text];
  const breaks = [...text.matchAll(/ /g)].map(({ index }) => index);
  const wanted = text.length / count;
  const at = breaks.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0] ?? text.length;
  return [text.slice(0, at), ...breakRows(text.slice(at + 1), count - 1)];
}

/** Draws lines with round ends. @param half half the width of the stroke, in pixels */
function paintLines({ width, height, pixels }: Picture, lines: readonly Line[], half: number): void {
  for (const line of lines)
    for (const [index, [bx, by]] of line.slice(1).entries()) {
      const [ax, ay] = line[index] ?? [bx, by];
      const [dx, dy] = [bx - ax, by - ay];
      const inverse = 1 / (dx * dx + dy * dy || 1);
      const [left, right] = [Math.max(0, Math.floor(Math.min(ax, bx) - half)), Math.max(ax, bx) + half + 1];
      const [top, bottom] = [Math.max(0, Math.floor(Math.min(ay, by) - half)), Math.max(ay, by) + half + 1];
      for (let y = top; y <= Math.min(height - 1, bottom); y += 1)
        for (let x = left; x <= Math.min(width - 1, right); x += 1) {
          const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) * inverse));
          const distance = Math.sqrt((x - ax - along * dx) ** 2 + (y - ay - along * dy) ** 2);
          const share = Math.min(1, Math.max(0, half - distance + 0.5));
          const pixel = y * width + x;
          if (share > (pixels[pixel] as number)) pixels[pixel] = share;
        }
    }
}

/** Number of shades between ground and white. */
const shades = 64;

/** The size of a picture, and its rows as PNG compresses them: each after a byte for "no filter". */
interface PaintedPicture {
  readonly width: number;
  readonly height: number;
  readonly rows: Buffer;
}

/** Painted pictures by what is on them. Only the palette depends on the colours of a site, so a process paints each picture once. */
const painted = new Map<string, PaintedPicture>();

function compressRows({ width, height, pixels }: Picture): PaintedPicture {
  const rows = Buffer.alloc((width + 1) * height);
  for (const [pixel, share] of pixels.entries())
    rows[pixel + Math.floor(pixel / width) + 1] = Math.round(share * (shades - 1));
  return { width, height, rows: deflateSync(rows, { level: 9 }) };
}

/** A PNG with a palette from the ground to white (PNG specification, third edition). @param name of what is on it */
function makePng(name: string, ground: Rgb, paint: () => Picture): Buffer {
  const picture = getOrMake(painted, name, () => compressRows(paint()));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(picture.width, 0);
  header.writeUInt32BE(picture.height, 4);
  // Bit depth 8, colour type 3: a palette.
  header.set([8, 3, 0, 0, 0], 8);
  const palette = Array.from({ length: shades }, (_, shade) =>
    ground.map((channel) => Math.round(channel + ((255 - channel) * shade) / (shades - 1))),
  ).flat();
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette)),
    chunk('IDAT', picture.rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const made = Buffer.alloc(content.length + 8);
  made.writeUInt32BE(data.length, 0);
  content.copy(made, 4);
  made.writeUInt32BE(crc32(content), content.length + 4);
  return made;
}

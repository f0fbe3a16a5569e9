import { hash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { loadColors } from '../../core/colors.ts';
import type { RenderedFile } from './assets.ts';
import { accentOf, type Theme } from './palettes.ts';

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
const drawing = 1;

const iconSizes = [192, 512];

/** The pictures of a site: the mark of a book on the accent colour. They have no text, because that needs fonts in every script. */
export function brandPictures(theme: Theme): BrandPictures {
  const accent = accentOf(theme);
  const key = hash('sha256', `${drawing} ${accent}`).slice(0, 10);
  const share = `assets/share.${key}.png`;
  const icons = new Map(iconSizes.map((size) => [size, `assets/icon-${size}.${key}.png`]));
  return {
    share,
    icons,
    *paint() {
      const ground = toRgb(accent);
      yield { path: share, content: makePng(1200, 630, ground, paintShare) };
      for (const [size, path] of icons) yield { path, content: makePng(size, size, ground, paintIcon) };
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

/** Share of white at a point of the picture for shared links: the mark at the left, and the circles of the home page at the right. */
function paintShare(x: number, y: number): number {
  const mark = markAt((x - 110) / 340, (y - 145) / 340, 0.9);
  if (mark > 0 || x < 420) return mark;
  const distance = Math.sqrt((x - 1104) ** 2 + (y - 800) ** 2) % 90;
  const line = Math.max(0, 1 - Math.abs(distance - 45) / 1.5);
  return line * 0.16 * Math.min(1, (x - 420) / 600);
}

type Corner = readonly [x: number, y: number];

/** The open book of the header, in a square of 1 × 1. */
const book: readonly (readonly Corner[])[] = (() => {
  const page = (side: 1 | -1): Corner[] => {
    const wave = (t: number, y: number): Corner => [0.5 + (side * t) / 2, y - 0.4 * t * (1 - t)];
    const steps = Array.from({ length: 9 }, (_, at) => at / 8);
    const outline = [...steps.map((t) => wave(t, 0.2)), ...steps.toReversed().map((t) => wave(t, 0.92))];
    return [...outline, wave(0, 0.2)];
  };
  return [page(-1), page(1)];
})();

/** The lines of the mark: start, direction, and 1 / length². */
const segments = book.flatMap((line) =>
  line.slice(1).map((end, index) => {
    const [x, y] = line[index] ?? end;
    const [dx, dy] = [end[0] - x, end[1] - y];
    return { x, y, dx, dy, inverse: 1 / (dx * dx + dy * dy || 1) };
  }),
);

const halfStroke = 0.042;

/** Share of white at a point of the mark. @param scale part of the square that it fills */
function markAt(x: number, y: number, scale: number): number {
  const px = (x - 0.5) / scale + 0.5;
  const py = (y - 0.5) / scale + 0.5;
  if (px < -halfStroke || px > 1 + halfStroke || py < 0 || py > 1) return 0;
  let nearest = 1;
  for (const { x: ax, y: ay, dx, dy, inverse } of segments) {
    const along = Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) * inverse));
    const ox = px - ax - along * dx;
    const oy = py - ay - along * dy;
    const squared = ox * ox + oy * oy;
    if (squared < nearest) nearest = squared;
  }
  return Math.min(1, Math.max(0, (halfStroke - Math.sqrt(nearest)) / 0.006));
}

function paintIcon(x: number, y: number, size: number): number {
  return markAt(x / size, y / size, 0.62);
}

/** Number of shades between ground and white. */
const shades = 64;

/** Share of white of a pixel of a picture. */
type PaintPixel = (x: number, y: number, width: number) => number;

/** Compressed rows by the size of their picture. Only the palette depends on the site, so a process paints each picture once. */
const painted = new Map<string, Buffer>();

/** The rows of a picture, each after a byte for "no filter", as PNG compresses them. */
function paintRows(width: number, height: number, paint: PaintPixel): Buffer {
  const size = `${width} ${height}`;
  let compressed = painted.get(size);
  if (compressed === undefined) {
    const rows = Buffer.alloc((width + 1) * height);
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1)
        rows[y * (width + 1) + 1 + x] = Math.round(paint(x, y, width) * (shades - 1));
    compressed = deflateSync(rows, { level: 9 });
    painted.set(size, compressed);
  }
  return compressed;
}

/** A PNG with a palette from the ground to white (PNG specification, third edition). */
function makePng(width: number, height: number, ground: Rgb, paint: PaintPixel): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Bit depth 8, colour type 3: a palette.
  header.set([8, 3, 0, 0, 0], 8);
  const palette = Array.from({ length: shades }, (_, shade) =>
    ground.map((channel) => Math.round(channel + ((255 - channel) * shade) / (shades - 1))),
  ).flat();
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette)),
    chunk('IDAT', paintRows(width, height, paint)),
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

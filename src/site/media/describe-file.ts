import { posix } from 'node:path';
// image-size reads width and height from the first bytes of an image, in all formats.
import { imageSize } from 'image-size';
import { decodePercent } from '../../core/addresses.ts';
import { decodeText } from '../../core/file-system.ts';

/** A file that can be published, or the reason why it cannot. */
export type DescribedFile =
  | {
      readonly kind: 'image' | 'file';
      /** Relative to the output folder. */
      readonly path: string;
      readonly width: number | null;
      readonly height: number | null;
    }
  | { readonly kind: 'unfit'; readonly why: string };

/** Hex digits of the SHA-256 in a file name: 80 bits are enough to distinguish all files of a site. */
const nameLength = 20;

/** Names an image by the hash of its content; its first bytes decide the type. An SVG has been cleaned. */
export function describeImage(bytes: Uint8Array, sha256: string): DescribedFile {
  const kind = isSvg(bytes) ? 'svg' : imageKind(bytes);
  if (kind === null) {
    const isPage = isMarkup(bytes);
    const formats = 'it is not a PNG, JPEG, GIF, WebP, AVIF or SVG image';
    return { kind: 'unfit', why: isPage ? 'the server sent a page instead of an image' : formats };
  }
  const { width, height } = measureImage(bytes) ?? { width: null, height: null };
  return { kind: 'image', path: `assets/media/${sha256.slice(0, nameLength)}.${kind}`, width, height };
}

/** Names a linked file by the hash of its content and its own name, so that readers save it under a meaningful name. */
export function describeAttachment(bytes: Uint8Array, sha256: string, address: string): DescribedFile {
  if (isMarkup(bytes)) return { kind: 'unfit', why: 'the server sent a page instead of the file' };
  const name = safeName(posix.basename(new URL(address).pathname));
  const path = `assets/files/${sha256.slice(0, nameLength)}/${name}`;
  return { kind: 'file', path, width: null, height: null };
}

/** Whether a file seems to be an SVG; {@link cleanSvg} decides. */
export function isSvg(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 4096)).toString('utf8');
  return isMarkup(bytes) && /<svg[\s>]/.test(start) && !/<(?:html|head|body)\b|<!doctype html/i.test(start);
}

/** Whether a browser could treat the file as a page: its first character is `<`. */
function isMarkup(bytes: Uint8Array): boolean {
  return decodeText(Buffer.from(bytes.subarray(0, 512)))
    .trimStart()
    .startsWith('<');
}

function safeName(encoded: string): string {
  const name = decodePercent(encoded);
  const extension = posix.extname(name).toLowerCase();
  const stem = name
    .slice(0, name.length - extension.length)
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return `${[...stem].slice(0, 60).join('') || 'file'}${extension}`;
}

/** An image format that cannot contain scripts. SVG can. */
type ImageKind = 'png' | 'jpg' | 'gif' | 'webp' | 'avif';

/**
 * Detects the type of a file by its first bytes, not by its name or media type; `null` unless it is a raster image that browsers show.
 * Signatures: PNG 3 §5.2, JPEG B.1.1.2, GIF89a §17, WebP RIFF header, ISO BMFF `ftyp` brands.
 */
export function imageKind(bytes: Uint8Array): ImageKind | null {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 64)).toString(
    'latin1',
  );
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpg';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif';
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'webp';
  if (start.startsWith('ftyp', 4) && /avi[fs]/.test(start.slice(8))) return 'avif';
  return null;
}

/** Width and height in CSS pixels, as a browser shows the image. */
interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** First EXIF orientation that rotates the image by 90° (CIPA DC-008, tag 0x0112); higher ones do, too. */
const firstSidewaysOrientation = 5;

/** The size of an image from its header; `null` if the header is invalid. */
export function measureImage(bytes: Uint8Array): ImageSize | null {
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    if (!(width > 0 && height > 0)) return null;
    return orientation >= firstSidewaysOrientation ? { width: height, height: width } : { width, height };
  } catch {
    return null;
  }
}

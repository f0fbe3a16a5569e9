import { posix } from 'node:path';
import { imageKind } from './image-kind.ts';
import { measureImage } from './measure-image.ts';

/** A file fit to be published, or why it is not. */
export type DescribedFile =
  | {
      readonly kind: 'image' | 'file';
      /** Relative to the output folder. */
      readonly path: string;
      readonly width: number | null;
      readonly height: number | null;
    }
  | { readonly kind: 'unfit'; readonly why: string };

/** Hex digits of a SHA-256 that name a file: 80 bits keep all files of any site apart. */
const nameLength = 20;

/** Names an image by what it holds; its type is what its first bytes say. */
export function describeImage(bytes: Uint8Array, sha256: string): DescribedFile {
  const kind = imageKind(bytes);
  if (kind === null) return { kind: 'unfit', why: describeUnfit(bytes) };
  const { width, height } = measureImage(bytes) ?? { width: null, height: null };
  return { kind: 'image', path: `assets/media/${sha256.slice(0, nameLength)}.${kind}`, width, height };
}

/** Names a linked file by what it holds and, so that a reader saves it under a telling name, by its own name. */
export function describeAttachment(bytes: Uint8Array, sha256: string, address: string): DescribedFile {
  if (isMarkup(bytes)) return { kind: 'unfit', why: 'the server sent a page instead of the file' };
  const name = safeName(posix.basename(new URL(address).pathname));
  const path = `assets/files/${sha256.slice(0, nameLength)}/${name}`;
  return { kind: 'file', path, width: null, height: null };
}

function describeUnfit(bytes: Uint8Array): string {
  if (!isMarkup(bytes)) return 'it is not a PNG, JPEG, GIF, WebP or AVIF image';
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('utf8');
  return /<svg[\s>]/i.test(start)
    ? 'SVG images can hold scripts and are not copied'
    : 'the server sent a page instead of an image';
}

/** Whether a browser could take the file for a page: its first character is `<`. */
function isMarkup(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 512))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
    .startsWith('<');
}

function safeName(encoded: string): string {
  let name = encoded;
  try {
    name = decodeURIComponent(encoded);
  } catch {
    // Badly encoded names are taken as they stand.
  }
  const extension = posix.extname(name).toLowerCase();
  const stem = name
    .slice(0, name.length - extension.length)
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return `${[...stem].slice(0, 60).join('') || 'file'}${extension}`;
}

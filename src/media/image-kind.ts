/** An image format that cannot hold a script; SVG is none of them. */
export type ImageKind = 'png' | 'jpg' | 'gif' | 'webp' | 'avif';

/**
 * What a file is by its first bytes, whatever its name or the server says; `null` for everything that is no raster
 * image a browser shows. Signatures: PNG 3 §5.2, JPEG B.1.1.2, GIF89a §17, WebP RIFF header, ISO BMFF `ftyp` brands.
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

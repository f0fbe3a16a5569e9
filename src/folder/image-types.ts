/** Largest image file that is put into a body, in bytes. */
export const maxImageBytes = 256 * 1024;

const mediaTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.svg': 'image/svg+xml',
};

/** Media type of an image file by the extension of its name, in lower case and with its dot. */
export function mediaTypeOf(extension: string): string | undefined {
  return mediaTypes[extension];
}

/** Extension of a file of this media type; `null`: no image type that is known. */
export function extensionOf(mediaType: string): string | null {
  return Object.keys(mediaTypes).find((extension) => mediaTypes[extension] === mediaType) ?? null;
}

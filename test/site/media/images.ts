/** A PNG of one colour with this size in its header; `shade` makes files of different content. */
export function png(width: number, height: number, shade = 0): Buffer {
  const header = Buffer.alloc(33);
  header.write('\x89PNG\r\n\x1a\n', 0, 'latin1');
  header.writeUInt32BE(13, 8);
  header.write('IHDR', 12, 'latin1');
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  header.writeUInt8(8, 24);
  return Buffer.concat([header, Buffer.from([shade])]);
}

/** The image as a `data:` URL. */
export function dataAddress(image: Buffer, type = 'png'): string {
  return `data:image/${type};base64,${image.toString('base64')}`;
}

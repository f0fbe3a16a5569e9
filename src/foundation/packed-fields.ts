/**
 * Packs short texts into one string, which takes less memory than several strings in an object. Each text follows its length + 1 (0 for
 * `null`), as characters of seven bits. These are Latin-1, so that V8 stores a row of Latin-1 texts with one byte per character.
 */
export function packFields(fields: readonly (string | null)[]): string {
  const parts: string[] = [];
  for (const field of fields) {
    let size = field === null ? 0 : field.length + 1;
    for (; size >= 0x80; size = Math.floor(size / 0x80))
      parts.push(String.fromCharCode(0x80 + (size % 0x80)));
    parts.push(String.fromCharCode(size), field ?? '');
  }
  // One join, because concatenated strings would keep their parts in memory.
  return parts.join('');
}

/** The text at an index of a packed string. */
export function readField(packed: string, index: number): string | null {
  let at = 0;
  for (let left = index; ; left -= 1) {
    let size = 0;
    let unit = 0x80;
    for (let scale = 1; unit >= 0x80; scale *= 0x80) {
      if (at === packed.length) throw new RangeError(`there is no field ${index}`);
      unit = packed.charCodeAt(at);
      size += (unit % 0x80) * scale;
      at += 1;
    }
    const end = size === 0 ? at : at + size - 1;
    if (left === 0) return size === 0 ? null : packed.slice(at, end);
    at = end;
  }
}

/** The same text in memory of its own: V8 keeps the whole text in memory as long as a part of it is used. */
export function copyText(part: string): string {
  return [part.slice(0, 1), part.slice(1)].join('');
}

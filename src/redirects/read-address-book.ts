import { z } from '../foundation/schema.ts';
import { type BlockBuffer, createBlockBuffer } from '../output/block-buffer.ts';
import { createLineCutter, splitLines } from '../output/cut-lines.ts';
import { type AddressEntry, addressBookPath, addressEntry, entryKey } from './address-entry.ts';
import { bookEnd, bookHead, checksumStart, createChecksum } from './print-address-book.ts';

const bookSchema = z.object({
  schema: z.literal('lectern.addresses/1'),
  pages: z.array(addressEntry),
  /** Who edits the book by hand leaves it out. */
  sha256: z.string().optional(),
});

/** Reads the site as it was published last; `null` when there is no such file. */
export interface PreviousSite {
  readonly read: (path: string) => Promise<Uint8Array | null>;
  /** In blocks. */
  readonly open: (path: string) => Promise<AsyncIterable<Uint8Array> | null>;
}

/**
 * Reads the book of the previous output entry by entry.
 * @returns the entries, sorted; none where there is no book, `null` when it is damaged or no book of this version
 */
export async function readAddressBook(site: PreviousSite): Promise<Iterable<AddressEntry> | null> {
  const blocks = await site.open(addressBookPath);
  if (blocks === null) return [];
  // As bytes: that many entries would need several times the memory.
  const lines: Uint8Array[] = [];
  if (
    await readLines(
      blocks,
      createBlockBuffer((block) => lines.push(Buffer.from(block))),
    )
  ) {
    return parseLines(lines);
  }
  // Somebody wrote it anew, in other lines.
  const bytes = await site.read(addressBookPath);
  return bytes === null ? [] : parseWhole(bytes);
}

const afterEntries = new Set(['', '  ],', bookEnd]);

/** Adds the entries of a book that is as `printAddressBook` writes it; `false` for any other. */
async function readLines(blocks: AsyncIterable<Uint8Array>, entries: BlockBuffer): Promise<boolean> {
  const cutter = createLineCutter();
  const decoder = new TextDecoder();
  let text = '';
  let last = '';
  let number = 0;
  let isPlain = true;
  const checksum = createChecksum();
  let found = '';
  const take = (line: Uint8Array): void => {
    text = decoder.decode(line);
    const headLine = bookHead[number];
    number += 1;
    if (headLine !== undefined) isPlain &&= text === headLine;
    if (headLine !== undefined || !isPlain || afterEntries.has(text)) return;
    if (text.startsWith(checksumStart)) {
      found = text.slice(checksumStart.length, -1);
      return;
    }
    const entry = parseEntry(text.endsWith(',') ? text.slice(0, -1) : text);
    const key = entry === null ? '' : entryKey(entry);
    isPlain = key > last;
    last = key;
    if (entry !== null) checksum.add(entry);
    entries.add(`${JSON.stringify(entry)}\n`);
  };
  for await (const block of blocks) for (const line of cutter.cut(block)) take(line);
  for (const line of cutter.end()) take(line);
  entries.flush();
  return isPlain && text === bookEnd && found === checksum.digest();
}

function parseEntry(text: string): AddressEntry | null {
  try {
    return addressEntry.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Can be gone through again and again. */
function parseLines(blocks: readonly Uint8Array[]): Iterable<AddressEntry> {
  return {
    *[Symbol.iterator]() {
      const decoder = new TextDecoder();
      for (const line of splitLines(blocks)) yield JSON.parse(decoder.decode(line)) as AddressEntry;
    },
  };
}

function parseWhole(bytes: Uint8Array): readonly AddressEntry[] | null {
  try {
    const { pages, sha256 } = bookSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    const byKey = new Map(pages.map((entry) => [entryKey(entry), entry]));
    const sorted = [...byKey.values()].sort((a, b) => (entryKey(a) < entryKey(b) ? -1 : 1));
    const checksum = createChecksum();
    for (const entry of sorted) checksum.add(entry);
    return sha256 === undefined || sha256 === checksum.digest() ? sorted : null;
  } catch {
    return null;
  }
}

import { z } from '../foundation/schema.ts';
import { type BlockBuffer, createBlockBuffer } from '../output/block-buffer.ts';
import { createLineCutter, splitLines } from '../output/cut-lines.ts';
import {
  checksumStart,
  createChecksum,
  entryKey,
  historyEnd,
  historyHead,
  type UrlHistoryEntry,
  urlHistoryEntry,
  urlHistoryPath,
} from './url-history.ts';

const historySchema = z.object({
  schema: z.literal('lectern.addresses/1'),
  pages: z.array(urlHistoryEntry),
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
 * Reads the URL history of the previous output entry by entry.
 * @returns the entries, sorted; none where there is no file, `null` when it is damaged or of another version
 */
export async function readUrlHistory(site: PreviousSite): Promise<Iterable<UrlHistoryEntry> | null> {
  const blocks = await site.open(urlHistoryPath);
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
  // The file was rewritten in another layout.
  const bytes = await site.read(urlHistoryPath);
  return bytes === null ? [] : parseWhole(bytes);
}

const afterEntries = new Set(['', '  ],', historyEnd]);

/** Adds the entries of a history written as `serializeUrlHistory` writes it; `false` for any other. */
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
    const headLine = historyHead[number];
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
  return isPlain && text === historyEnd && found === checksum.digest();
}

function parseEntry(text: string): UrlHistoryEntry | null {
  try {
    return urlHistoryEntry.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Can be gone through again and again. */
function parseLines(blocks: readonly Uint8Array[]): Iterable<UrlHistoryEntry> {
  return {
    *[Symbol.iterator]() {
      const decoder = new TextDecoder();
      for (const line of splitLines(blocks)) yield JSON.parse(decoder.decode(line)) as UrlHistoryEntry;
    },
  };
}

function parseWhole(bytes: Uint8Array): readonly UrlHistoryEntry[] | null {
  try {
    const { pages, sha256 } = historySchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    const byKey = new Map(pages.map((entry) => [entryKey(entry), entry]));
    const sorted = [...byKey.values()].sort((a, b) => (entryKey(a) < entryKey(b) ? -1 : 1));
    const checksum = createChecksum();
    for (const entry of sorted) checksum.add(entry);
    return sha256 === undefined || sha256 === checksum.digest() ? sorted : null;
  } catch {
    return null;
  }
}

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomically } from '../foundation/atomic-write.ts';
import { makeFolder } from '../foundation/make-folder.ts';
import { z } from '../foundation/schema.ts';

const download = z.object({
  /** `null`: it could not be copied. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
});

/** What was downloaded from an address, and how to ask whether it changed. */
export type Download = z.output<typeof download>;

const indexSchema = z.object({
  schema: z.literal('lectern.media-index/1'),
  downloads: z.record(z.string(), download),
});

/** Reads what earlier runs downloaded, by address; nothing when the file is absent or of another version. */
export async function readDownloadIndex(file: string): Promise<ReadonlyMap<string, Download>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  if (text === '') return new Map();
  try {
    return new Map(Object.entries(indexSchema.parse(JSON.parse(text)).downloads));
  } catch {
    // A cache that cannot be read is no worse than none.
    return new Map();
  }
}

/** Hash of what every address was a copy of; `null` where there is no index. */
export function hashDownloads(file: string): string | null {
  try {
    const { downloads } = indexSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    return hash(
      'sha256',
      JSON.stringify(Object.entries(downloads).map(([url, { sha256 }]) => [url, sha256])),
    );
  } catch {
    return null;
  }
}

/** Writes the index whole or not at all: a cache that cannot be written only costs the next run its time. */
export async function writeDownloadIndex(
  file: string,
  downloads: ReadonlyMap<string, Download>,
): Promise<void> {
  const sorted = [...downloads].sort(([a], [b]) => (a < b ? -1 : 1));
  const index = { schema: 'lectern.media-index/1', downloads: Object.fromEntries(sorted) };
  try {
    makeFolder(dirname(file));
    writeFileAtomically(file, [`${JSON.stringify(index, null, 2)}\n`]);
  } catch {
    return;
  }
}

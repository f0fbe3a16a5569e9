import type { LanguageTag } from '../foundation/model.ts';
import type { ByteRange, Output, OutputFile, StoredRange, WrittenFile } from '../output/output.ts';
import { partitionName } from '../plan/partitions.ts';

/** Totals per language. */
export interface LanguageTotals {
  documents: number;
  chunks: number;
  tokens: number;
}

/** Files of a language that hold a section of every slice of a partition. */
export const sectionKinds = ['documents', 'chunks', 'sourceJson', 'sourceText', 'fullText'] as const;

export type SectionKind = (typeof sectionKinds)[number];

/**
 * The part of a file that one slice of a partition makes: its bytes, or where they are in another file or in the previous output.
 */
export type Section = Uint8Array | StoredRange | readonly ByteRange[];

/** The part of one language's feed from one partition, in the order of its slices. */
export interface LanguageSections {
  readonly language: LanguageTag;
  readonly slices: readonly SliceSections[];
}

/** What a slice of a partition has in one language. */
export interface SliceSections extends SliceSummary {
  readonly sections: Readonly<Record<SectionKind, Section>>;
}

/** The same without the sections. */
export interface SliceSummary {
  /** Its number: see `Partitions.sliceBits`. */
  readonly slice: number;
  readonly totals: LanguageTotals;
  /** Of each document, in order: the sizes of its part of `fullText`. */
  readonly fullTexts: readonly FullTextSize[];
}

export type FullTextSize = readonly [chars: number, bytes: number];

/** Where the sections of a slice in one language are, once they are written. */
export type SectionRanges = Readonly<Record<SectionKind, readonly ByteRange[]>>;

/** A part of a section, in bytes. */
export function sliceSection(section: Section, start: number, length: number): Section {
  if (section instanceof Uint8Array) return section.subarray(start, start + length);
  if ('file' in section) return { file: section.file, offset: section.offset + start, length };
  const ranges: ByteRange[] = [];
  let skipped = 0;
  for (const range of section) {
    const from = Math.max(start - skipped, 0);
    const to = Math.min(start + length - skipped, range.length);
    if (from < to) ranges.push({ path: range.path, offset: range.offset + from, length: to - from });
    skipped += range.length;
  }
  return ranges;
}

/** Appends a section to a file of the output; gives where it is there. */
export async function appendSection(file: OutputFile, path: string, section: Section): Promise<ByteRange> {
  const offset = file.position();
  if (section instanceof Uint8Array || 'file' in section) await file.write(section);
  else for (const range of section) await file.copy(range);
  return { path, offset, length: file.position() - offset };
}

/** Opens the files that hold sections. */
export interface SectionOutput extends Pick<Output, 'open'> {
  /** A thread writes each file after it is closed: nothing waits for one before the last. Absent: `false`. */
  readonly isDeferred?: boolean;
}

/** Closed files that may still have to be written. A failure that is never awaited does not count as unhandled. */
export interface Closed<T> {
  readonly written: Promise<T>;
}

/**
 * Closes files that hold sections. A failure is met where the result is awaited.
 * @returns what was written, once `output` says so
 */
export async function closeSectionFile(
  { isDeferred }: SectionOutput,
  file: OutputFile,
): Promise<Closed<WrittenFile>> {
  const written = file.close();
  written.catch(() => {});
  if (!isDeferred) await written;
  return { written };
}

/** The files of one kind and language: one, or one per group of slices. Each is a head, sections in order, a tail. */
export interface SectionFiles {
  /** Appends what a slice has, so many records; slices come in order. Gives where it is. */
  add(slice: number, section: Section, records: number): Promise<ByteRange>;
  /** Closes the last one. A group without a record has no file, unless there is only one group. */
  close(): Promise<Closed<readonly SectionFile[]>>;
}

export interface SectionFile {
  /** Name of the group; empty where there is only one. */
  readonly part: string;
  readonly records: number;
  readonly headBytes: number;
  readonly written: WrittenFile;
}

export interface SectionFilesOptions {
  /** Leading bits that name a slice. */
  readonly sliceBits: number;
  /** Leading bits that name a group, not more than these. */
  readonly bits: number;
  readonly path: (part: string) => string;
  readonly head?: string;
  /** Between two sections. */
  readonly separator?: string;
  readonly tail?: string;
}

/** Opens each file when its first section comes. */
export function openSectionFiles(
  output: SectionOutput,
  { sliceBits, bits, path, head = '', separator = '', tail = '' }: SectionFilesOptions,
): SectionFiles {
  const closed: (Omit<SectionFile, 'written'> & { readonly written: Promise<WrittenFile> })[] = [];
  let open: {
    readonly group: number;
    readonly file: OutputFile;
    readonly headBytes: number;
    records: number;
  } | null = null;
  const closeOpen = async () => {
    if (open === null) return;
    const { group, file, headBytes, records } = open;
    if (tail !== '') await file.write(tail);
    open = null;
    const { written } = await closeSectionFile(output, file);
    closed.push({ part: partitionName(group, bits), records, headBytes, written });
  };
  const openGroup = async (group: number) => {
    if (open?.group === group) return open;
    await closeOpen();
    const file = await output.open(path(partitionName(group, bits)));
    if (head !== '') await file.write(head);
    open = { group, file, headBytes: file.position(), records: 0 };
    return open;
  };
  return {
    async add(slice, section, records) {
      const group = slice >>> (sliceBits - bits);
      const current = await openGroup(group);
      if (separator !== '' && records > 0 && current.records > 0) await current.file.write(separator);
      current.records += records;
      return appendSection(current.file, path(partitionName(group, bits)), section);
    },
    async close() {
      if (bits === 0) await openGroup(0);
      await closeOpen();
      const written = Promise.all(closed.map(async (file) => ({ ...file, written: await file.written })));
      written.catch(() => {});
      return { written };
    },
  };
}

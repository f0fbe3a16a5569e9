import type { LanguageTag } from '../foundation/model.ts';
import type { ByteRange, OutputFile, StoredRange } from '../output/output.ts';
import { partitionName } from '../plan/partitions.ts';

/** Totals per language. */
export interface LanguageTotals {
  documents: number;
  chunks: number;
  tokens: number;
}

/** Files of a language that contain a section of every slice of a partition. */
export const sectionKinds = ['documents', 'chunks', 'sourceJson', 'sourceText', 'fullText'] as const;

export type SectionKind = (typeof sectionKinds)[number];

/** The part of a file that comes from one slice of a partition: its bytes, or their location in another file or in the previous output. */
export type Section = Uint8Array | StoredRange | readonly ByteRange[];

/** The part of one language's feed from one partition, in the order of its slices. */
export interface LanguageSections {
  readonly language: LanguageTag;
  readonly slices: readonly SliceSections[];
}

/** The sections of a slice of a partition in one language. */
export interface SliceSections extends SliceSummary {
  readonly sections: Readonly<Record<SectionKind, Section>>;
}

/** Facts about a slice without its sections. */
export interface SliceSummary {
  /** Slice number: see `Partitions.sliceBits`. */
  readonly slice: number;
  readonly totals: LanguageTotals;
  /** For each document, in order: the sizes of its part of `fullText`. */
  readonly fullTexts: readonly FullTextSize[];
}

export type FullTextSize = readonly [chars: number, bytes: number];

/** Locations of the sections of a slice in one language after they are written. */
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

/** Appends a section to a file of the output; returns its location there. */
export async function appendSection(
  file: SectionOutputFile,
  path: string,
  section: Section,
): Promise<ByteRange> {
  const offset = file.position();
  if (section instanceof Uint8Array || 'file' in section) await file.write(section);
  else for (const range of section) await file.copy(range);
  return { path, offset, length: file.position() - offset };
}

/** A file that contains sections. */
export type SectionOutputFile = Pick<OutputFile, 'write' | 'copy' | 'position'> & {
  close(): Promise<unknown>;
};

/** Opens the files that contain sections. */
export interface SectionOutput {
  open(path: string): Promise<SectionOutputFile>;
  /** Waits for threads that write the closed files; absent: `close` waits until the file is written. */
  written?(): Promise<void>;
}

/** The files of one kind and language: one file, or one per group of slices. Each has a head, sections in order, and a tail. */
export interface SectionFiles {
  /** Appends the section of a slice with this number of records; slices come in order. Returns its location. */
  add(slice: number, section: Section, records: number): Promise<ByteRange>;
  /** Closes the last file and lists all. A group without records has no file, unless it is the only group. */
  close(): Promise<readonly SectionFile[]>;
}

export interface SectionFile {
  /** Name of the group; empty if there is only one. */
  readonly part: string;
  readonly records: number;
  readonly headBytes: number;
  readonly path: string;
  readonly bytes: number;
}

export interface SectionFilesOptions {
  /** Number of leading bits that identify a slice. */
  readonly sliceBits: number;
  /** Number of leading bits that identify a group, at most `sliceBits`. */
  readonly bits: number;
  readonly path: (part: string) => string;
  readonly head?: string;
  /** Written between two sections. */
  readonly separator?: string;
  readonly tail?: string;
}

/** Opens each file when its first section arrives. */
export function openSectionFiles(
  output: SectionOutput,
  { sliceBits, bits, path, head = '', separator = '', tail = '' }: SectionFilesOptions,
): SectionFiles {
  const closed: SectionFile[] = [];
  let open: {
    readonly group: number;
    readonly file: SectionOutputFile;
    readonly headBytes: number;
    records: number;
  } | null = null;
  const closeOpen = async () => {
    if (open === null) return;
    const { group, file, headBytes, records } = open;
    if (tail !== '') await file.write(tail);
    open = null;
    const part = partitionName(group, bits);
    closed.push({ part, records, headBytes, path: path(part), bytes: file.position() });
    await file.close();
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
      return closed;
    },
  };
}

import type { ByteRange, OutputFile, WrittenFile } from '../output/output.ts';
import { partitionName } from '../plan/partitions.ts';
import { appendSection, closeSectionFile, type Section, type SectionOutput } from './sections.ts';

/** The files of one kind and language: one, or one per group of partitions. Each is a head, sections in order, a tail. */
export interface SectionFiles {
  /** Appends what a partition has, so many records; partitions come in order. Gives where it is. */
  add(partition: number, section: Section, records: number): Promise<ByteRange>;
  /** Closes the last one. A group without a record has no file, unless there is only one group. */
  close(): Promise<readonly SectionFile[]>;
}

export interface SectionFile {
  /** Name of the group; empty where there is only one. */
  readonly part: string;
  readonly records: number;
  readonly headBytes: number;
  readonly written: WrittenFile;
}

export interface SectionFilesOptions {
  /** Leading bits that name a partition. */
  readonly partitionBits: number;
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
  { partitionBits, bits, path, head = '', separator = '', tail = '' }: SectionFilesOptions,
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
    async add(partition, section, records) {
      const group = partition >>> (partitionBits - bits);
      const current = await openGroup(group);
      if (separator !== '' && records > 0 && current.records > 0) await current.file.write(separator);
      current.records += records;
      return appendSection(current.file, path(partitionName(group, bits)), section);
    },
    async close() {
      if (bits === 0) await openGroup(0);
      await closeOpen();
      return Promise.all(closed.map(async (file) => ({ ...file, written: await file.written })));
    },
  };
}

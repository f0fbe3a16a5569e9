import type { LanguageTag } from '../foundation/model.ts';
import type { ByteRange, Output } from '../output/output.ts';
import { fileAddress } from '../plan/page-url.ts';
import type { Partitions } from '../plan/partitions.ts';
import type { Plan, PlannedLanguage } from '../plan/plan.ts';
import { type FullTextOptions, openFullText } from './llms/full-text.ts';
import type { FeedFileFacts } from './manifest.ts';
import {
  type LanguageSections,
  openSectionFiles,
  type SectionFile,
  type SectionOutput,
  type SectionRanges,
  type SliceSections,
} from './sections.ts';
import { type SourcePart, sourceHead, sourcePath, sourceTail, writeSourcePages } from './source-pages.ts';

/**
 * The feed files that contain many articles: a head, the sections of the slices in order, a tail. A file is reused unchanged if all its
 * sections are at the byte ranges of the previous output.
 */
export interface FeedFiles {
  /** Adds the sections of a partition in one language; partitions come in order. Returns the location of the sections of each slice. */
  add(language: LanguageSections): Promise<readonly SectionRanges[]>;
  /** Closes the files of all languages. Threads may still write them. */
  close(): Promise<void>;
  /**
   * Waits for these threads, then writes the files that contain others.
   * @returns what the manifest says about each file, by path
   */
  finish(): Promise<ReadonlyMap<string, FeedFileFacts>>;
}

/** Opens the files of every language. @param sectionOutput opens the files that contain sections */
export async function openFeedFiles(
  plan: Plan,
  partitions: Partitions,
  output: Pick<Output, 'open' | 'write' | 'readStaged'>,
  sectionOutput: SectionOutput,
  llmsFullChars: number,
): Promise<FeedFiles> {
  const languages = new Map<LanguageTag, LanguageFiles>();
  const facts = new Map<string, FeedFileFacts>();
  const sources: SourcePart[] = [];
  for (const language of plan.languages) {
    languages.set(language.tag, await openLanguage(plan, language, partitions, sectionOutput, llmsFullChars));
  }
  return {
    async add({ language, slices }) {
      const files = languages.get(language);
      if (files === undefined) throw new Error(`${language} is not planned`);
      const ranges: SectionRanges[] = [];
      for (const slice of slices) ranges.push(await files.add(slice));
      return ranges;
    },
    async close() {
      for (const files of languages.values()) sources.push(...(await files.close(facts)));
    },
    async finish() {
      await sectionOutput.written?.();
      for (const [path, fact] of await writeSourcePages(plan, partitions, output, sources)) {
        facts.set(path, fact);
      }
      const [first] = plan.languages;
      if (first !== undefined) {
        await output.write('llms-full.txt', await readAll(output, fullTextPath(first.tag, 1)));
      }
      return facts;
    },
  };
}

interface LanguageFiles {
  add(slice: SliceSections): Promise<SectionRanges>;
  /** Closes the files and adds their facts; returns the parts of the source page. */
  close(facts: Map<string, FeedFileFacts>): Promise<readonly SourcePart[]>;
}

const fileKinds = {
  documents: 'documents',
  chunks: 'chunks',
  sourceJson: 'source',
  sourceText: 'source',
} as const;
type FileKind = keyof typeof fileKinds;

async function openLanguage(
  plan: Plan,
  language: PlannedLanguage,
  partitions: Partitions,
  output: SectionOutput,
  llmsFullChars: number,
): Promise<LanguageFiles> {
  const { tag } = language;
  const { sliceBits } = partitions;
  const ofRecords = { sliceBits, bits: partitions.fileBits.get(tag) ?? 0 };
  const ofSource = { sliceBits, bits: partitions.sourceBits.get(tag) ?? 0 };
  const recordPath = (kind: string) => (part: string) =>
    `feed/${tag}/${kind}${part === '' ? '' : `/${part}`}.jsonl`;
  const pathOfSource = (part: string) => sourcePath(tag, part, plan.languages.length === 1);
  const files = {
    documents: openSectionFiles(output, { ...ofRecords, path: recordPath('documents') }),
    chunks: openSectionFiles(output, { ...ofRecords, path: recordPath('chunks') }),
    sourceJson: openSectionFiles(output, {
      ...ofSource,
      path: (part) => `${pathOfSource(part)}.json`,
      head: sourceHead(plan, [language]),
      separator: ',\n',
      tail: sourceTail,
    }),
    sourceText: openSectionFiles(output, { ...ofSource, path: (part) => `${pathOfSource(part)}.txt` }),
  };
  const kinds = Object.keys(files) as readonly FileKind[];
  const fullText = await openFullText(output, fullTextOptions(plan, language, llmsFullChars));
  let lastGroup = 0;
  return {
    async add({ slice, totals, sections, fullTexts }) {
      const ranges: Partial<Record<FileKind, readonly ByteRange[]>> = {};
      for (const kind of kinds) {
        const records = kind === 'chunks' ? totals.chunks : totals.documents;
        ranges[kind] = [await files[kind].add(slice, sections[kind], records)];
      }
      const group = slice >>> (sliceBits - ofSource.bits);
      if (group !== lastGroup) fullText.breakPart();
      lastGroup = group;
      return {
        ...(ranges as Record<FileKind, readonly ByteRange[]>),
        fullText: await fullText.add(sections.fullText, fullTexts),
      };
    },
    async close(facts) {
      const closed: Partial<Record<FileKind, readonly SectionFile[]>> = {};
      for (const kind of kinds) {
        closed[kind] = await files[kind].close();
        for (const { path, part, records } of closed[kind]) {
          const ofPart = part === '' ? {} : { part };
          facts.set(path, { kind: fileKinds[kind], language: tag, ...ofPart, records });
        }
      }
      await fullText.close();
      const { sourceJson, sourceText } = closed as Record<FileKind, readonly SectionFile[]>;
      return sourceJson.map((json, at) => ({ language, json, text: sourceText[at] as SectionFile }));
    },
  };
}

async function readAll(output: Pick<Output, 'readStaged'>, path: string): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  for await (const block of output.readStaged(path)) blocks.push(block);
  return Buffer.concat(blocks);
}

function fullTextPath(language: LanguageTag, part: number): string {
  return `${language}/llms-full${part === 1 ? '' : `-${part}`}.txt`;
}

/** Options of `llms-full.txt` for a language. */
export function fullTextOptions(
  plan: Pick<Plan, 'siteUrl' | 'basePath'>,
  { tag, name, siteTitle }: Pick<PlannedLanguage, 'tag' | 'name' | 'siteTitle'>,
  chars: number,
): FullTextOptions {
  return {
    chars,
    path: (part) => fullTextPath(tag, part),
    url: (part) => fileAddress(plan, fullTextPath(tag, part)).url,
    head: (part) =>
      [
        `# ${siteTitle}${part === 1 ? '' : ` (part ${part})`}`,
        `> Every help article of ${siteTitle} in ${name} (${tag}).`,
        `Other languages: ${fileAddress(plan, 'llms.txt').url}\n`,
      ].join('\n\n'),
  };
}

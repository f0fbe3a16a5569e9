import type { LanguageTag } from '../foundation/model.ts';
import type { ByteRange, Output, OutputFile } from '../output/output.ts';
import type { WrittenFile } from '../output/written-files.ts';
import { fileAddress } from '../plan/page-url.ts';
import type { Partitions } from '../plan/partitions.ts';
import { partitionName } from '../plan/partitions.ts';
import type { Plan, PlannedLanguage } from '../plan/plan.ts';
import { type FullText, type FullTextOptions, openFullText } from './llms/full-text.ts';
import type { FeedFileFacts } from './manifest.ts';
import type { SourcePage } from './records/source-record.ts';
import { appendSection, isEmptySection, type LanguageSections, type SectionRanges } from './sections.ts';

/**
 * The files of a feed that hold many articles: a head, the sections of the partitions in order, a tail. A file whose sections are
 * all where they were in the previous output is kept as it is.
 */
export interface FeedFiles {
  /** Adds what a partition has in one language; partitions come in order. */
  add(partition: number, language: LanguageSections): Promise<SectionRanges>;
  /** Closes them and writes the files of all languages; gives what the manifest says of each, by path. */
  close(): Promise<ReadonlyMap<string, FeedFileFacts>>;
}

/** Above this, `feed/source.json` and `feed/source.txt` list the files of the languages instead of copying them. */
export const mostSourceBytes = 20 * 1024 * 1024;

/** Opens the files of every language. */
export async function openFeedFiles(
  plan: Plan,
  partitions: Partitions,
  output: Pick<Output, 'open' | 'write' | 'readStaged'>,
  llmsFullChars: number,
): Promise<FeedFiles> {
  const languages = new Map<LanguageTag, LanguageFiles>();
  for (const language of plan.languages) {
    const fileBits = partitions.fileBits.get(language.tag) ?? 0;
    const shift = partitions.bits - fileBits;
    languages.set(
      language.tag,
      await openLanguage(plan, language, output, { fileBits, shift, llmsFullChars }),
    );
  }
  return {
    async add(partition, sections) {
      const files = languages.get(sections.language);
      if (files === undefined) throw new Error(`${sections.language} is not planned`);
      return files.add(partition, sections);
    },
    async close() {
      const facts = new Map<string, FeedFileFacts>();
      const sources: ClosedSource[] = [];
      for (const files of languages.values()) {
        const source = await files.close(facts);
        sources.push(source);
      }
      await writeSourcesOfAll(plan, output, sources, facts);
      const [first] = plan.languages;
      if (first !== undefined) {
        await output.write('llms-full.txt', await readAll(output, fullTextPath(first.tag, 1)));
      }
      return facts;
    },
  };
}

interface LanguageFiles {
  add(partition: number, sections: LanguageSections): Promise<SectionRanges>;
  close(facts: Map<string, FeedFileFacts>): Promise<ClosedSource>;
}

/** The source page of one language, closed. */
interface ClosedSource {
  readonly language: PlannedLanguage;
  readonly json: WrittenFile;
  readonly text: WrittenFile;
  /** Bytes of `json` before its first article. */
  readonly headBytes: number;
}

interface LanguageFileSettings {
  /** Leading bits of an article's hash that name its file of records. */
  readonly fileBits: number;
  /** Bits of a partition's number besides those. */
  readonly shift: number;
  readonly llmsFullChars: number;
}

const sourceTail = '\n]}\n';

async function openLanguage(
  plan: Plan,
  language: PlannedLanguage,
  output: Pick<Output, 'open'>,
  { fileBits, shift, llmsFullChars }: LanguageFileSettings,
): Promise<LanguageFiles> {
  const { tag } = language;
  const folder = `feed/${tag}`;
  const [jsonPath, textPath] = [`${folder}/source.json`, `${folder}/source.txt`];
  const json = await output.open(jsonPath);
  const text = await output.open(textPath);
  await json.write(sourceHead(plan, [language]));
  const headBytes = json.position();
  const fullText: FullText = await openFullText(output, fullTextOptions(plan, language, llmsFullChars));
  const records = createRecordFiles(output, folder, tag, fileBits);
  let articles = 0;
  return {
    async add(partition, { totals, sections, fullTexts }) {
      const isNewFile = await records.startFile(partition >>> shift);
      if (isNewFile) fullText.breakPart();
      if (!isEmptySection(sections.sourceJson)) await json.write(articles === 0 ? '\n' : ',\n');
      articles += totals.documents;
      return {
        ...(await records.add(totals, sections)),
        sourceJson: [await appendSection(json, jsonPath, sections.sourceJson)],
        sourceText: [await appendSection(text, textPath, sections.sourceText)],
        fullText: await fullText.add(sections.fullText, fullTexts),
      };
    },
    async close(facts) {
      await records.close(facts);
      await json.write(sourceTail);
      const closed = { language, headBytes, json: await json.close(), text: await text.close() };
      for (const path of [jsonPath, textPath]) {
        facts.set(path, { kind: 'source', language: tag, records: articles });
      }
      await fullText.close();
      return closed;
    },
  };
}

/** `documents.jsonl` and `chunks.jsonl`, or one of each per group of partitions. */
function createRecordFiles(
  output: Pick<Output, 'open'>,
  folder: string,
  language: LanguageTag,
  fileBits: number,
) {
  const kinds = ['documents', 'chunks'] as const;
  const closed = new Map<string, FeedFileFacts>();
  let open: { readonly number: number; readonly files: readonly OpenRecords[] } | null = null;
  const closeOpen = async () => {
    for (const { path, kind, file, records, part } of open?.files ?? []) {
      await file.close();
      closed.set(path, { kind, language, ...(part === '' ? {} : { part }), records });
    }
    open = null;
  };
  /** Opens the files of a group of partitions; `false` where they are open. */
  const startFile = async (number: number): Promise<boolean> => {
    if (open?.number === number) return false;
    await closeOpen();
    const part = partitionName(number, fileBits);
    const files: OpenRecords[] = [];
    for (const kind of kinds) {
      const path = part === '' ? `${folder}/${kind}.jsonl` : `${folder}/${kind}/${part}.jsonl`;
      files.push({ path, kind, part, file: await output.open(path), records: 0 });
    }
    open = { number, files };
    return true;
  };
  return {
    startFile,
    async add(totals: LanguageSections['totals'], sections: LanguageSections['sections']) {
      const ranges: Record<'documents' | 'chunks', readonly ByteRange[]> = { documents: [], chunks: [] };
      for (const files of open?.files ?? []) {
        ranges[files.kind] = [await appendSection(files.file, files.path, sections[files.kind])];
        files.records += totals[files.kind];
      }
      return ranges;
    },
    async close(facts: Map<string, FeedFileFacts>): Promise<void> {
      // A language without any document has its files all the same.
      if (open === null && closed.size === 0 && fileBits === 0) await startFile(0);
      await closeOpen();
      for (const [path, file] of closed) facts.set(path, file);
    },
  };
}

interface OpenRecords {
  readonly path: string;
  readonly kind: 'documents' | 'chunks';
  readonly part: string;
  readonly file: OutputFile;
  records: number;
}

/** The source page of all languages: those of the languages one after another, or where they are. */
async function writeSourcesOfAll(
  plan: Plan,
  output: Pick<Output, 'open' | 'readStaged'>,
  sources: readonly ClosedSource[],
  facts: Map<string, FeedFileFacts>,
): Promise<void> {
  const [jsonPath, textPath] = ['feed/source.json', 'feed/source.txt'];
  const json = await output.open(jsonPath);
  const text = await output.open(textPath);
  const count = sources.reduce((sum, { json: file }) => sum + (facts.get(file.path)?.records ?? 0), 0);
  const isWhole = sources.reduce((sum, { json: file }) => sum + file.bytes, 0) <= mostSourceBytes;
  if (isWhole) {
    await json.write(sourceHead(plan, plan.languages));
    let isFirst = true;
    for (const { json: file, text: textFile, headBytes } of sources) {
      const end = file.bytes - Buffer.byteLength(sourceTail);
      if (end > headBytes && !isFirst) await json.write(',');
      if (end > headBytes) isFirst = false;
      await copyStaged(output, file.path, headBytes, end, json);
      await copyStaged(output, textFile.path, 0, textFile.bytes, text);
    }
    await json.write(sourceTail);
  } else {
    const files = sources.map(({ language, json: file, text: textFile }) => ({
      language: language.tag,
      articles: facts.get(file.path)?.records ?? 0,
      json: fileAddress(plan, file.path).url,
      text: fileAddress(plan, textFile.path).url,
    }));
    await json.write(`${sourceHead(plan, plan.languages)}],"files":${JSON.stringify(files)}}\n`);
    for (const file of files) {
      await text.write(`Language: ${file.language}\nArticles: ${file.articles}\nURL: ${file.text}\n\n`);
    }
  }
  await json.close();
  await text.close();
  for (const path of [jsonPath, textPath]) facts.set(path, { kind: 'source', records: isWhole ? count : 0 });
}

async function copyStaged(
  output: Pick<Output, 'readStaged'>,
  path: string,
  start: number,
  end: number,
  to: OutputFile,
): Promise<void> {
  let at = 0;
  for await (const block of output.readStaged(path)) {
    const from = Math.max(0, start - at);
    const until = Math.min(block.length, end - at);
    if (from < until) await to.write(block.subarray(from, until));
    at += block.length;
  }
}

async function readAll(output: Pick<Output, 'readStaged'>, path: string): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  for await (const block of output.readStaged(path)) blocks.push(block);
  return Buffer.concat(blocks);
}

/** How a feed names the site it belongs to. */
export function siteOf(plan: Plan): SourcePage['site'] {
  return {
    title: plan.siteTitle,
    url: fileAddress(plan, 'index.html').url,
    default_language: plan.defaultLanguage,
  };
}

function sourceHead(plan: Plan, languages: readonly PlannedLanguage[]): string {
  const head: Omit<SourcePage, 'articles'> = {
    schema: 'lectern/source/1',
    site: siteOf(plan),
    languages: languages.map(({ tag }) => tag),
  };
  return `${JSON.stringify(head).slice(0, -1)},"articles":[`;
}

function fullTextPath(language: LanguageTag, part: number): string {
  return `${language}/llms-full${part === 1 ? '' : `-${part}`}.txt`;
}

/** How the full text of a language is divided. */
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

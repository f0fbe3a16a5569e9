import type { LanguageTag } from '../foundation/model.ts';
import type { Output, OutputFile } from '../output/output.ts';
import { fileAddress } from '../plan/page-url.ts';
import type { Partitions } from '../plan/partitions.ts';
import type { Plan, PlannedLanguage } from '../plan/plan.ts';
import type { FeedFileFacts } from './manifest.ts';
import { type SourceFile, type SourcePage, sourceListText } from './records/source-record.ts';
import type { SectionFile } from './section-files.ts';

/** The articles of one language in the source page, or a part of them, as JSON and as text. */
export interface SourcePart {
  readonly language: PlannedLanguage;
  readonly json: SectionFile;
  readonly text: SectionFile;
}

/**
 * Path without extension of a file of the source page. A language that is the only one needs no copy of its own.
 * @param part empty: the file that holds the whole language, or lists its parts
 */
export function sourcePath(language: LanguageTag, part: string, isOnlyLanguage: boolean): string {
  if (part !== '') return `feed/${language}/source/${part}`;
  return isOnlyLanguage ? 'feed/source' : `feed/${language}/source`;
}

export const sourceTail = '\n]}\n';

/** A source page before its first article. */
export function sourceHead(plan: Plan, languages: readonly PlannedLanguage[]): string {
  return `${openHead(plan, languages)}\n`;
}

/** How a feed names the site it belongs to. */
export function siteOf(plan: Plan): SourcePage['site'] {
  return {
    title: plan.siteTitle,
    url: fileAddress(plan, 'index.html').url,
    default_language: plan.defaultLanguage,
  };
}

/** Writes the source page of all languages, and the list of each language that is in parts. */
export async function writeSourcePages(
  plan: Plan,
  partitions: Pick<Partitions, 'sourceBits' | 'isSourceWhole'>,
  output: Pick<Output, 'open' | 'write' | 'readStaged'>,
  parts: readonly SourcePart[],
): Promise<ReadonlyMap<string, FeedFileFacts>> {
  const facts = new Map<string, FeedFileFacts>();
  const isOnlyLanguage = plan.languages.length === 1;
  for (const language of plan.languages) {
    if ((partitions.sourceBits.get(language.tag) ?? 0) === 0) continue;
    const own = parts.filter((part) => part.language === language);
    const path = sourcePath(language.tag, '', isOnlyLanguage);
    await writeList(plan, [language], output, path, own);
    for (const extension of ['json', 'txt']) {
      facts.set(`${path}.${extension}`, { kind: 'source', language: language.tag, records: 0 });
    }
  }
  if (isOnlyLanguage) return facts;
  const { isSourceWhole } = partitions;
  if (isSourceWhole) await writeWhole(plan, output, parts);
  else await writeList(plan, plan.languages, output, 'feed/source', parts);
  const records = isSourceWhole ? parts.reduce((sum, { json }) => sum + json.records, 0) : 0;
  for (const path of ['feed/source.json', 'feed/source.txt']) facts.set(path, { kind: 'source', records });
  return facts;
}

async function writeWhole(
  plan: Plan,
  output: Pick<Output, 'open' | 'readStaged'>,
  parts: readonly SourcePart[],
): Promise<void> {
  const json = await output.open('feed/source.json');
  const text = await output.open('feed/source.txt');
  await json.write(sourceHead(plan, plan.languages));
  let isFirst = true;
  for (const part of parts) {
    const { written, headBytes, records } = part.json;
    if (records > 0 && !isFirst) await json.write(',\n');
    if (records > 0) isFirst = false;
    const end = written.bytes - Buffer.byteLength(sourceTail);
    await copyStaged(output, written.path, headBytes, end, json);
    await copyStaged(output, part.text.written.path, 0, part.text.written.bytes, text);
  }
  await json.write(sourceTail);
  await json.close();
  await text.close();
}

async function writeList(
  plan: Plan,
  languages: readonly PlannedLanguage[],
  output: Pick<Output, 'write'>,
  path: string,
  parts: readonly SourcePart[],
): Promise<void> {
  const files = parts.map(
    ({ language, json, text }): SourceFile => ({
      language: language.tag,
      ...(json.part === '' ? {} : { part: json.part }),
      articles: json.records,
      json: fileAddress(plan, json.written.path).url,
      text: fileAddress(plan, text.written.path).url,
    }),
  );
  await output.write(
    `${path}.json`,
    `${openHead(plan, languages)}],"files":[\n${files.map((file) => JSON.stringify(file)).join(',\n')}\n]}\n`,
  );
  await output.write(`${path}.txt`, sourceListText(files));
}

function openHead(plan: Plan, languages: readonly PlannedLanguage[]): string {
  const head: Omit<SourcePage, 'articles'> = {
    schema: 'lectern/source/1',
    site: siteOf(plan),
    languages: languages.map(({ tag }) => tag),
  };
  return `${JSON.stringify(head).slice(0, -1)},"articles":[`;
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

import type { LanguageTag } from '../model.ts';
import type { Output } from '../output/output.ts';
import { fileAddress } from '../plan/address.ts';
import type { ArticlePage, Plan, PlannedLanguage } from '../plan/plan.ts';
import type { FeedEntryBytes, FeedFacts } from './feed-entry.ts';
import type { FeedPlaces } from './file-places.ts';
import { type FullText, openFullText } from './full-text.ts';
import { openRecordFiles, type RecordFiles } from './record-files.ts';
import { openSourceFiles, type SourceFiles } from './source-files.ts';
import type { SourcePage } from './source-record.ts';

/** The files of a feed that grow with every document. */
export interface FeedFiles {
  /** @returns where its texts lie; `null` where a later run cannot repeat them from there */
  add(page: ArticlePage, entry: FeedEntryBytes): Promise<FeedPlaces | null>;
  /** Adds what the previous feed has of a page. */
  repeat(page: ArticlePage, places: FeedPlaces, facts: FeedFacts): Promise<FeedPlaces>;
  /** Paths of all of them. */
  paths(): readonly string[];
  /** Closes them; gives the number of records by path. */
  close(): Promise<ReadonlyMap<string, number>>;
}

interface LanguageFiles {
  readonly source: SourceFiles;
  readonly records: RecordFiles;
  readonly fullText: FullText;
}

/** Opens the files of every language and of the whole. */
export async function openFeedFiles(plan: Plan, output: Output, llmsFullChars: number): Promise<FeedFiles> {
  const opened = notingPaths(output);
  const all = await openSourceFiles(opened, 'feed', sourceHead(plan, plan.languages));
  const byLanguage = new Map<LanguageTag, LanguageFiles>();
  for (const language of plan.languages) {
    const folder = `feed/${language.tag}`;
    byLanguage.set(language.tag, {
      source: await openSourceFiles(opened, folder, sourceHead(plan, [language])),
      records: await openRecordFiles(opened, folder),
      fullText: await openLanguageText(plan, language, opened, llmsFullChars),
    });
  }
  const filesOf = (language: LanguageTag): LanguageFiles => {
    const files = byLanguage.get(language);
    if (files === undefined) throw new Error(`${language} is not planned`);
    return files;
  };
  return {
    async add({ language, markdown }, entry) {
      const files = filesOf(language);
      const { facts, fullText: text } = entry;
      const sourceOfAll = await all.add(entry);
      const source = await files.source.add(entry);
      const records = await files.records.add(entry);
      const { fullTextHead: headChars, fullTextChars: chars } = facts;
      const fullText = await files.fullText.add({ text, headChars, chars, markdownUrl: markdown.url });
      return fullText === null ? null : { ...records, source, sourceOfAll, fullText };
    },
    async repeat({ language }, places, facts) {
      const files = filesOf(language);
      const sourceOfAll = await all.repeat(places.sourceOfAll);
      const source = await files.source.repeat(places.source);
      const records = await files.records.repeat(places, facts);
      const fullText = await files.fullText.repeat(places.fullText, facts.fullTextChars);
      return { ...records, source, sourceOfAll, fullText };
    },
    paths: () => opened.paths,
    async close() {
      const counts = new Map<string, number>(await all.close());
      for (const { source, records, fullText } of byLanguage.values()) {
        for (const [path, count] of [...(await source.close()), ...(await records.close())])
          counts.set(path, count);
        await fullText.close();
      }
      return counts;
    },
  };
}

/** An output that notes the path of every file that is opened. */
function notingPaths(output: Output): Pick<Output, 'open'> & { readonly paths: readonly string[] } {
  const paths: string[] = [];
  return {
    paths,
    open(path) {
      paths.push(path);
      return output.open(path);
    },
  };
}

/** How a feed names the site it belongs to. */
export function siteOf(plan: Plan): SourcePage['site'] {
  return {
    title: plan.siteTitle,
    url: fileAddress(plan, 'index.html').url,
    default_language: plan.defaultLanguage,
  };
}

function sourceHead(plan: Plan, languages: readonly PlannedLanguage[]): Omit<SourcePage, 'articles'> {
  return { schema: 'lectern/source/1', site: siteOf(plan), languages: languages.map(({ tag }) => tag) };
}

/** The first language's text (the default one, where it has articles) is the root's too, as far as one part goes. */
async function openLanguageText(
  plan: Plan,
  { tag, name }: PlannedLanguage,
  output: Pick<Output, 'open'>,
  chars: number,
): Promise<FullText> {
  const path = (part: number) => `${tag}/llms-full${part === 1 ? '' : `-${part}`}.txt`;
  return openFullText(output, {
    chars,
    paths: (part) =>
      part === 1 && tag === plan.languages[0]?.tag ? [path(part), 'llms-full.txt'] : [path(part)],
    url: (part) => fileAddress(plan, path(part)).url,
    head: (part) =>
      [
        `# ${plan.siteTitle}${part === 1 ? '' : ` (part ${part})`}`,
        `> Every help article of ${plan.siteTitle} in ${name} (${tag}), sorted by id.`,
        `Other languages: ${fileAddress(plan, 'llms.txt').url}\n`,
      ].join('\n\n'),
  });
}

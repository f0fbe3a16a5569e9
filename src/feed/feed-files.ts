import type { LanguageTag } from '../model.ts';
import type { Output } from '../output/output.ts';
import { fileAddress } from '../plan/address.ts';
import type { Plan, PlannedArticle, PlannedLanguage } from '../plan/plan.ts';
import type { ChunkRecord } from './chunk-record.ts';
import type { DocumentRecord } from './document-record.ts';
import { type FullText, openFullText } from './full-text.ts';
import { markdownTwin } from './markdown-twin.ts';
import { openRecordFiles, type RecordFiles } from './record-files.ts';
import { openSourceFiles, type SourceFiles, sourceArticle } from './source-files.ts';
import type { SourcePage, SourceRecord } from './source-record.ts';

/** The files of a feed that grow with every document. */
export interface FeedFiles {
  add(article: PlannedArticle, document: DocumentRecord, chunks: readonly ChunkRecord[]): Promise<void>;
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
  const all = await openSourceFiles(output, 'feed', sourceHead(plan, plan.languages));
  const byLanguage = new Map<LanguageTag, LanguageFiles>();
  for (const language of plan.languages) {
    const folder = `feed/${language.tag}`;
    byLanguage.set(language.tag, {
      source: await openSourceFiles(output, folder, sourceHead(plan, [language])),
      records: await openRecordFiles(output, folder),
      fullText: await openLanguageText(plan, language, output, llmsFullChars),
    });
  }
  return {
    async add(article, document, chunks) {
      const files = byLanguage.get(document.language);
      const page = article.pages.get(document.language);
      if (files === undefined || page === undefined) throw new Error(`${document.id} is not planned`);
      const source = sourceArticle(sourceRecord(document));
      await all.add(source);
      await files.source.add(source);
      await files.records.add(document, chunks);
      await files.fullText.add({
        title: document.title,
        url: document.url,
        updatedAt: document.updated_at ?? null,
        markdown: document.content.markdown,
        markdownUrl: document.markdown_url,
      });
      await output.write(page.markdown.path, twinOf(document));
    },
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
  output: Output,
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

function sourceRecord(document: DocumentRecord): SourceRecord {
  const { id, article_id, language, title, url, tags, updated_at, hash, tokens, category, content } =
    document;
  return {
    id,
    article_id,
    language,
    title,
    url,
    category_path: category?.path ?? [],
    tags,
    ...(updated_at === undefined ? {} : { updated_at }),
    hash,
    tokens,
    text: content.text,
  };
}

function twinOf({ id, language, title, url, tokens, updated_at, content }: DocumentRecord): string {
  return markdownTwin({ id, language, title, url, tokens, updatedAt: updated_at ?? null }, content.markdown);
}

import type { LanguageSummary, PageSummary } from '../cache/records.ts';
import type { ChunkSettings } from '../feed/chunks/split-sections.ts';
import { describeScrubbed } from '../feed/guard/scrub-document.ts';
import type { FoundSecret } from '../feed/guard/secrets.ts';
import type { DocumentState } from '../feed/history/track-changes.ts';
import { documentLanguage } from '../feed/records/document-meta.ts';
import { createEntryMaker } from '../feed/records/make-feed-entry.ts';
import { type FullTextSize, type SectionKind, type SliceSummary, sectionKinds } from '../feed/sections.ts';
import { loadTokenCounter } from '../feed/tokens/count-tokens.ts';
import type { LanguageTag } from '../foundation/model.ts';
import * as searchTokens from '../foundation/search-tokens.ts';
import { describeAnchors } from '../links/anchors.ts';
import { countImageHosts } from '../media/image-hosts.ts';
import { mediaAddresses } from '../media/media-table.ts';
import type { Compression } from '../output/compressed-copies.ts';
import { openWorkspace, type Workspace } from '../output/staging.ts';
import { partitionOf } from '../plan/partitions.ts';
import type { RenderedFile } from '../site/assets.ts';
import { type ArticleTheme, createArticleRenderer } from '../site/render-article.ts';
import { createSearchEntryMaker } from '../site/search/search-entry.ts';
import {
  articleFilesOf,
  createTermRunBuilder,
  summarizeRun,
  type TermRunBuilder,
} from '../site/search/term-run.ts';
import { type LinkTable, openLinkTable } from './link-table.ts';
import { createDocumentMaker, type DocumentSettings, type LinkRecord } from './make-documents.ts';
import type {
  LanguageTexts,
  PageInput,
  PartitionResult,
  PartitionTask,
  SliceTexts,
} from './partition-task.ts';
import { hashResolutions } from './reuse.ts';

/** Settings of all partitions of a run. Plain data: every thread gets it. */
export interface PartitionSettings extends Omit<DocumentSettings, 'links'> {
  readonly links: LinkTable;
  /** See `Partitions`. */
  readonly sliceBits: number;
  readonly chunks: ChunkSettings;
  /** Maximum characters of an article in `llms-full.txt`, by language. */
  readonly fullTextRooms: ReadonlyMap<LanguageTag, number>;
  readonly theme: ArticleTheme;
  readonly workspace: Workspace;
  readonly compress: readonly Compression[];
}

/** Renders a partition and writes its pages to the staging folder. The result is the same in every thread. */
export type MakePartition = (task: PartitionTask) => Promise<PartitionResult>;

/** Loads parser, tokenizers and templates, once per thread. */
export async function createPartitionMaker(settings: PartitionSettings): Promise<MakePartition> {
  const links = openLinkTable(settings.links);
  const makeDocuments = createDocumentMaker({ ...settings, links });
  const renderPage = createArticleRenderer(settings.theme);
  const makeSearchEntry = createSearchEntryMaker(searchTokens);
  const makeEntry = createEntryMaker({
    chunks: settings.chunks,
    countTokens: await loadTokenCounter(),
    documentLanguage: (articleId, reader) => documentLanguage(links.articles, articleId, reader),
    fullTextRoom: (language) => settings.fullTextRooms.get(language) ?? 0,
  });
  return async ({ articles, previousFiles }) => {
    const output = openWorkspace(settings.workspace, previousFiles, settings.compress);
    const languages = new Map<LanguageTag, LanguageWriter>();
    const pages: PageSummary[] = [];
    const media: (readonly string[])[] = [];
    const documents: DocumentState[] = [];
    const secrets: FoundSecret[] = [];
    const leaving = new Map<string, LinkRecord>();
    for (const { id, pages: inputs, bodies, media: table } of articles) {
      const slice = partitionOf(id, settings.sliceBits);
      const made = makeDocuments({
        bodies: inputs.map(({ language }, at) => [language, bodies[at] ?? '']),
        media: table,
      });
      for (const link of made.resolutions) leaving.set(`${link.language} ${link.href}`, link);
      for (const [at, document] of made.documents.entries()) {
        const { language, heads, twinPath, feed, search, sharedCallouts } = inputs[at] as PageInput;
        const entry = makeEntry(feed, document, sharedCallouts);
        const files: string[] = [];
        for (const head of heads) {
          const { path, content } = renderPage(head, document);
          await output.write(path, content);
          files.push(path);
        }
        await output.write(twinPath, entry.twin);
        files.push(twinPath);
        const writer = languages.get(language) ?? new LanguageWriter(language);
        languages.set(language, writer);
        writer.add(entry, slice);
        writer.run.add(makeSearchEntry(search, document));
        const { state, opening, flags } = entry.facts;
        documents.push(state);
        for (const secret of entry.facts.secrets) secrets.push({ ...secret, record: id, language });
        const injections = flags.map(({ rule, excerpt }) => ({
          code: 'INJECTION_SUSPECTED' as const,
          message: `reads like an instruction to a language model (${rule}): "${excerpt}"`,
        }));
        const scrubbed = describeScrubbed(document);
        const changes = scrubbed === null ? [] : [{ code: 'FEED_URL_CHANGED' as const, message: scrubbed }];
        const problems = [...document.problems, ...injections, ...changes];
        const imageHosts = countImageHosts(document);
        const anchors = describeAnchors(document);
        pages.push({ articleId: id, language, files, anchors, opening, imageHosts, problems });
        media.push(mediaAddresses(document));
      }
    }
    const written = [...languages.values()].map((writer) => writer.finish());
    for (const { path, content } of written.flatMap(({ files }) => files)) await output.write(path, content);
    return {
      pages,
      media,
      documents,
      secrets,
      links: {
        asked: [...leaving.values()].map(({ language, href }) => [language, href]),
        hash: hashResolutions([...leaving.values()].map(({ resolution }) => resolution)),
      },
      languages: written.map(({ summary }) => summary),
      texts: written.map(({ texts }) => texts),
      ...output.finish(),
    };
  };
}

type Entry = ReturnType<ReturnType<typeof createEntryMaker>>;

interface OpenSlice extends SliceSummary {
  readonly totals: { documents: number; chunks: number; tokens: number };
  readonly fullTexts: FullTextSize[];
}

/** Collects the texts of a partition in one language. */
class LanguageWriter {
  readonly run: TermRunBuilder = createTermRunBuilder();
  private readonly language: LanguageTag;
  private readonly sections: Record<SectionKind, ByteWriter>;
  /** Finished slices. */
  private readonly slices: { readonly summary: SliceSummary; readonly texts: SliceTexts }[] = [];
  private slice: OpenSlice | null = null;

  constructor(language: LanguageTag) {
    this.language = language;
    this.sections = Object.fromEntries(sectionKinds.map((kind) => [kind, new ByteWriter()])) as Record<
      SectionKind,
      ByteWriter
    >;
  }

  /** Adds a document. @param number number of its slice; slices come in order */
  add(entry: Entry, number: number): void {
    if (this.slice?.slice !== number) this.finishSlice();
    this.slice ??= { slice: number, totals: { documents: 0, chunks: 0, tokens: 0 }, fullTexts: [] };
    const { totals, fullTexts } = this.slice;
    const { documents, chunks, sourceJson, sourceText, fullText } = this.sections;
    documents.add(entry.document);
    chunks.add(entry.chunks);
    if (sourceJson.length > 0) sourceJson.add(',\n');
    sourceJson.add(entry.sourceJson);
    sourceText.add(entry.sourceText);
    fullTexts.push([entry.fullText.length, fullText.add(entry.fullText)]);
    totals.documents += 1;
    totals.chunks += entry.facts.chunks;
    totals.tokens += entry.facts.tokens;
  }

  private finishSlice(): void {
    if (this.slice === null) return;
    const taken = sectionKinds.map((kind) => [kind, this.sections[kind].take()] as const);
    this.slices.push({ summary: this.slice, texts: Object.fromEntries(taken) as SliceTexts });
    this.slice = null;
  }

  finish(): {
    readonly summary: LanguageSummary;
    readonly texts: LanguageTexts;
    readonly files: readonly RenderedFile[];
  } {
    const { language, slices } = this;
    this.finishSlice();
    const run = this.run.finish();
    return {
      summary: { language, slices: slices.map(({ summary }) => summary), search: summarizeRun(run) },
      texts: { slices: slices.map(({ texts }) => texts), terms: bytesOf(run.terms) },
      files: articleFilesOf(language, run),
    };
  }
}

function bytesOf(text: string): Uint8Array {
  const writer = new ByteWriter();
  writer.add(text);
  return writer.take();
}

const firstBytes = 1 << 16;

/** UTF-8 has at most three bytes per UTF-16 unit. */
const bytesPerUnit = 3;

/** Encodes texts one after the other into one block of memory. */
export class ByteWriter {
  private block = Buffer.allocUnsafeSlow(firstBytes);
  private used = 0;

  /** Returns the number of added bytes. */
  add(text: string): number {
    const needed = this.used + text.length * bytesPerUnit;
    if (needed > this.block.length) {
      const larger = Buffer.allocUnsafeSlow(2 * needed);
      larger.set(this.block.subarray(0, this.used));
      this.block = larger;
    }
    const bytes = this.block.write(text, this.used);
    this.used += bytes;
    return bytes;
  }

  get length(): number {
    return this.used;
  }

  /** All bytes, in a separate block of memory that may be transferred to another thread. */
  take(): Uint8Array {
    const bytes = new Uint8Array(this.used);
    bytes.set(this.block.subarray(0, this.used));
    this.used = 0;
    return bytes;
  }
}

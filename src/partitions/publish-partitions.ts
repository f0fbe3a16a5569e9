import type { BuildCache } from '../cache/build-cache.ts';
import { bytesOf, type LocateBlob } from '../cache/record-file.ts';
import { type BuildRecord, type LanguageSummary, type PartitionRecord, termsBlob } from '../cache/records.ts';
import type { Feed, PartitionRanges } from '../feed/feed.ts';
import type { LanguageSections, SliceSections } from '../feed/sections.ts';
import type { LanguageTag } from '../foundation/model.ts';
import { type Problem, problem } from '../foundation/problems.ts';
import type { SpillFile } from '../foundation/spill-file.ts';
import type { AnchorCheck } from '../links/anchors.ts';
import type { Media } from '../media/media.ts';
import type { Output } from '../output/output.ts';
import type { Partitions } from '../plan/partitions.ts';
import type { Plan } from '../plan/plan.ts';
import type { LanguageTexts, PartitionResult } from './partition-task.ts';
import type { PartitionWork, PlanWork } from './plan-work.ts';
import type { StoredRun } from './publish-search.ts';
import { makePartitionRecord } from './reuse.ts';
import type { WorkerPool } from './worker-pool.ts';

/** Receivers of the results of partitions. */
export interface PartitionSinks {
  readonly feed: Feed;
  readonly anchors: AnchorCheck;
  readonly media: Media;
  readonly output: Output;
  readonly cache: BuildCache;
  /** Keeps the entries of the partitions. */
  readonly spill: SpillFile;
  /** Other work of this thread, done while the pool's threads render. */
  readonly whileRendering: () => Promise<void>;
  /** Called with the number of finished articles. */
  readonly onArticles: (done: number) => void;
}

/** Result of publishing the partitions. */
export interface PublishedPartitions {
  /** Reads the entries of all partitions, in order, from the spill file. */
  readonly readEntries: () => BuildRecord['partitions'];
  /** Search runs by language, in the order of the partitions. */
  readonly search: ReadonlyMap<LanguageTag, readonly StoredRun[]>;
  /** Problems of the bodies, with article id and language. */
  readonly problems: readonly Problem[];
  /** Number of rendered article pages; the others are reused. */
  readonly renderedPages: number;
}

type PartitionEntry = BuildRecord['partitions'][number];

/** Maximum number of partitions that are planned ahead: the texts of each are in memory. */
const mostAhead = 64;

/**
 * Publishes all partitions, in order: an up-to-date partition from the previous output, any other rendered by the pool. Work that depends
 * on the order happens here, the rest in the pool's threads.
 * @param stale numbers of the partitions that may have to be rendered, ascending. They start early, so that threads render while this
 * thread reuses the others
 */
export async function publishPartitions(
  plan: Plan,
  partitions: Partitions,
  stale: readonly number[],
  planWork: PlanWork,
  pool: Pick<WorkerPool, 'make' | 'capacity'>,
  sinks: PartitionSinks,
): Promise<PublishedPartitions> {
  const publisher = new PartitionPublisher(plan, sinks);
  const ahead = new Map<number, Promise<FinishedWork>>();
  let running = 0;
  const render = (work: PartitionWork): Promise<FinishedWork> => {
    if (work.kind === 'reused') return Promise.resolve({ work, result: null });
    running += 1;
    const finished = pool.make(work.task).then((result) => {
      running -= 1;
      return { work, result };
    });
    // A failure is handled when its turn comes; without this, it would be an unhandled rejection until then.
    finished.catch(() => {});
    return finished;
  };
  let started = 0;
  for (const [partition] of partitions.articleIds.entries()) {
    while (started < stale.length && running < pool.capacity() && ahead.size < mostAhead) {
      const next = stale[started] as number;
      started += 1;
      ahead.set(next, render(await planWork(next)));
    }
    if (partition === 0) await sinks.whileRendering();
    const finished = ahead.get(partition) ?? render(await planWork(partition));
    ahead.delete(partition);
    await publisher.publish(await finished);
  }
  return publisher.finish();
}

interface FinishedWork {
  readonly work: PartitionWork;
  /** `null`: the partition is reused. */
  readonly result: PartitionResult | null;
}

class PartitionPublisher {
  private readonly plan: Plan;
  private readonly sinks: PartitionSinks;
  /** Positions of the entries in the spill file. */
  private readonly entries: number[] = [];
  private readonly search = new Map<LanguageTag, StoredRun[]>();
  private readonly problems: Problem[] = [];
  private articles = 0;
  private renderedPages = 0;

  constructor(plan: Plan, sinks: PartitionSinks) {
    this.plan = plan;
    this.sinks = sinks;
  }

  async publish({ work, result }: FinishedWork): Promise<void> {
    const { partition, key, quickKey } = work;
    const ranges =
      work.kind === 'reused'
        ? await this.publishReused(work)
        : await this.publishResult(work, result as PartitionResult);
    const entry: PartitionEntry = { key, quickKey, ranges };
    this.entries.push(this.sinks.spill.addText(JSON.stringify(entry)));
    this.articles += work.articles;
    this.sinks.onArticles(this.articles);
    if (this.entries.length !== partition + 1) throw new Error(`partition ${partition} came out of order`);
  }

  finish(): PublishedPartitions {
    const { entries, search, problems, renderedPages } = this;
    const readEntry = (at: number) => JSON.parse(this.sinks.spill.readText(at)) as PartitionEntry;
    return { readEntries: () => entries.map(readEntry), search, problems, renderedPages };
  }

  private async publishReused({ partition, record, ranges }: PartitionWork & { kind: 'reused' }) {
    const { feed, media } = this.sinks;
    const { head, file } = record;
    for (const [address, articleId, language] of head.media.failed) {
      media.reportFailed(address, { articleId, language });
    }
    this.notePages(head.pages);
    this.noteSearch(partition, head.languages, (language) => file.locate(termsBlob(language)));
    return feed.addPartition({
      languages: head.languages.map((summary) => withSections(summary, ranges[summary.language] ?? [])),
      openings: openingsOf(head.pages),
      documents: null,
      secrets: [],
    });
  }

  private async publishResult(
    work: PartitionWork & { kind: 'task' },
    result: PartitionResult,
  ): Promise<PartitionRanges> {
    const { feed, media, output, cache } = this.sinks;
    const { partition, key } = work;
    const { pages, languages, texts, recordFile } = result;
    output.adopt(result.files, result.reusedFiles, result.stamps);
    const head = await makePartitionRecord(key, result, work, (addresses, { articleId, language }) =>
      media.publish(addresses, { articleId, language }, output),
    );
    this.notePages(pages);
    this.renderedPages += pages.length;
    const ranges = await feed.addPartition({
      languages: languages.map((summary, at) => withSections(summary, (texts[at] as LanguageTexts).slices)),
      openings: openingsOf(pages),
      documents: { before: work.documentsBefore, after: result.documents },
      secrets: result.secrets,
    });
    const terms = new Map(
      languages.map(({ language }, at) => [language, (texts[at] as LanguageTexts).terms]),
    );
    let locate: LocateBlob | null = null;
    if (recordFile !== undefined) cache.addPartition(key, recordFile);
    else {
      const blobs = [...terms].map(([language, text]) => [termsBlob(language), bytesOf(text)] as const);
      locate = cache.writePartition(head, new Map(blobs));
    }
    // If the cache cannot be written, the search terms stay in memory.
    this.noteSearch(
      partition,
      languages,
      (language) => locate?.(termsBlob(language)) ?? (terms.get(language) as LanguageTexts['terms']),
    );
    return ranges;
  }

  private notePages(pages: PartitionRecord['pages']): void {
    this.sinks.media.notePages(pages);
    for (const { articleId, language, anchors, problems } of pages) {
      const page = this.plan.articles.get(articleId)?.pages.get(language);
      if (page === undefined) throw new Error(`${articleId} has no planned page in ${language}`);
      this.sinks.anchors.add(page, anchors);
      for (const { code, message } of problems) {
        this.problems.push(problem(code, message, { articleId, language }));
      }
    }
  }

  private noteSearch(
    partition: number,
    languages: PartitionRecord['languages'],
    termsOf: (language: LanguageTag) => LanguageTexts['terms'],
  ): void {
    for (const { language, search } of languages) {
      const runs = this.search.get(language) ?? [];
      this.search.set(language, runs);
      runs.push({ ...search, partition, terms: termsOf(language) });
    }
  }
}

/** @param ofSlices sections of each slice */
function withSections(
  { language, slices }: LanguageSummary,
  ofSlices: readonly SliceSections['sections'][],
): LanguageSections {
  const sectionsOf = (at: number): SliceSections['sections'] => {
    const sections = ofSlices[at];
    if (sections === undefined) throw new Error(`a slice in ${language} has no sections`);
    return sections;
  };
  return { language, slices: slices.map((slice, at) => ({ ...slice, sections: sectionsOf(at) })) };
}

function openingsOf(pages: PartitionRecord['pages']) {
  return pages.flatMap(({ articleId, language, opening }) =>
    opening === null ? [] : [[articleId, language, opening] as const],
  );
}

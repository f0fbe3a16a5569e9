import type { FeedSettings } from '../config/feed-settings.ts';
import type { ExclusionReason, LanguageTag } from '../model.ts';
import type { Output } from '../output/output.ts';
import type { Plan } from '../plan/plan.ts';
import { chunkerVersion } from './chunk-settings.ts';
import { siteOf } from './feed-files.ts';
import type { RememberedLanguages } from './feed-memory.ts';
import type { FeedReader } from './feed-reader.ts';
import type { FeedOptions, FeedSummary, LanguageTotals } from './feed-run.ts';
import { type DocumentCounts, guardRemovals, rememberCounts } from './guard-removals.ts';
import { jsonSchemaFiles } from './json-schemas.ts';
import { llmsFiles } from './llms-files.ts';
import { isFeedFile, listFiles, type Manifest, manifestPath, rootHash } from './manifest.ts';
import type { Openings } from './openings.ts';
import { documentsPath, type PreviousFeed } from './read-previous-feed.ts';
import { describeTokenizer } from './tokens.ts';
import type { RunChanges } from './track-changes.ts';
import { type History, writeHistory } from './write-history.ts';

/** What adding the documents left behind. */
export interface AddedDocuments {
  readonly previous: PreviousFeed | null;
  readonly reader: FeedReader;
  readonly totals: ReadonlyMap<LanguageTag, LanguageTotals>;
  readonly openings: Openings;
  /** Records by path of the files closed so far. */
  readonly records: ReadonlyMap<string, number>;
  readonly run: RunChanges;
}

/** Writes what is written once per run: changes, tombstones, `llms.txt`, schemas and, last, the manifest. */
export async function finishFeed(
  plan: Plan,
  settings: FeedSettings,
  output: Output,
  options: FeedOptions,
  added: AddedDocuments,
): Promise<FeedSummary> {
  assertComplete(plan, added.totals);
  const { guard, languages = null } = options;
  if (guard) guardRemovals(added.previous?.manifest ?? null, documentsOf(added), languages, guard);
  const history = await writeHistory(output, added.previous, added.run, added.reader, settings.keepRuns);
  for (const [path, text] of llmsFiles(plan, settings, added.openings)) await output.write(path, text);
  for (const [path, text] of jsonSchemaFiles()) await output.write(path, text);
  const manifest = makeManifest(plan, settings, output, options, added, history);
  await output.write(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`);
  options.memory?.remember(added.run.documents, describeFeed(manifest));
  const totals = [...added.totals.values()];
  return {
    seq: history.seq,
    documents: sum(totals.map(({ documents }) => documents)),
    chunks: sum(totals.map(({ chunks }) => chunks)),
    tokens: sum(totals.map(({ tokens }) => tokens)),
    changes: added.run.changes.count,
  };
}

/** Every public article is in the feed: a page that was planned and never added is a bug of the pipeline. */
function assertComplete(plan: Plan, totals: ReadonlyMap<LanguageTag, LanguageTotals>): void {
  for (const { tag, articleIds } of plan.languages) {
    const documents = totals.get(tag)?.documents ?? 0;
    if (documents !== articleIds.length) {
      throw new Error(
        `${articleIds.length} articles are planned in ${tag}, and ${documents} were added to the feed`,
      );
    }
  }
}

function makeManifest(
  plan: Plan,
  settings: FeedSettings,
  output: Output,
  options: FeedOptions,
  added: AddedDocuments,
  history: History,
): Manifest {
  const records = new Map([...added.records, ...history.records]);
  const files = listFiles(output.files().filter(isFeedFile), records);
  return {
    schema: 'lectern/manifest/1',
    generator: options.generator,
    site: siteOf(plan),
    run: {
      seq: history.seq,
      status: 'complete',
      ...(options.builtAt === null ? {} : { built_at: options.builtAt }),
      recent: rememberCounts(
        options.guard ? added.previous?.manifest.run.recent : undefined,
        documentsOf(added),
        options.builtAt,
      ),
    },
    root_hash: rootHash(files),
    changes: { first: history.firstSeq, last: history.seq },
    languages: [...added.totals].map(([language, total]) => ({ language, ...total })),
    tokenizer: describeTokenizer(),
    chunker: { version: chunkerVersion, settings: settings.chunks },
    excluded: countReasons(options.excluded),
    files: [...files],
  };
}

function documentsOf({ totals }: AddedDocuments): DocumentCounts {
  return new Map([...totals].map(([language, { documents }]) => [language, documents]));
}

/** What the next run need not read out of `documents.jsonl`. */
function describeFeed({ files, languages }: Manifest): RememberedLanguages {
  return new Map(
    languages.flatMap(({ language }) => {
      const file = files.find(({ path }) => path === documentsPath(language));
      return file === undefined ? [] : [[language, file.sha256] as const];
    }),
  );
}

function countReasons(excluded: ReadonlyMap<string, ExclusionReason>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reason of [...excluded.values()].sort()) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

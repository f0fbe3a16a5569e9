import {
  applyRecords,
  type FeedCheck,
  type FeedItem,
  type RecordConsumer,
  shortHash,
} from '../consumer/apply-records.ts';
import { type CursorFile, openCursorFile } from '../consumer/feed-cursor.ts';
import { readChunkLine, readDocumentLine } from '../consumer/parse-feed.ts';
import type { PublishedSite } from '../feed/feed-reader.ts';
import { LecternError } from '../foundation/errors.ts';
import { findLanguage } from '../foundation/language.ts';
import { countSeverities, type Problem, problem } from '../foundation/problems.ts';
import { type ReportedProblem, reportProblems } from '../foundation/report.ts';
import { writeFileList } from '../output/file-list.ts';
import type { Output } from '../output/output.ts';
import { openStaging } from '../output/staging.ts';
import { loneBytes, openBatches } from './batch-writer.ts';
import { articleFields, type ExportPassage, passageFields } from './fields.ts';
import {
  type BatchFormat,
  type ItemProblem,
  type Made,
  type Target,
  type TargetItem,
  type TargetName,
  type TargetOptions,
  tooLarge,
} from './target.ts';
import { targets } from './targets.ts';

/** File with the summary of an export; it marks a folder that another export may replace. */
const exportMarker = 'export.json';

export interface ExportSettings extends TargetOptions {
  readonly target: TargetName;
  /** Absolute path of the folder to replace. */
  readonly out: string;
  /** Absolute path of the file that records what was exported; `null`: everything is exported. */
  readonly cursor: string | null;
  /** Only these languages; empty: all. */
  readonly languages: readonly string[];
  /** Name and version of the program. After a change, all items are compared again. */
  readonly generator: string;
  /** Export any loss of documents; else at most 20% since the last export. */
  readonly allowMassDelete: boolean;
  /** Checks the manifest before it is used; `null`: does not. */
  readonly check: FeedCheck | null;
  /** Fail on errors and warnings, before anything is replaced. */
  readonly strict: boolean;
  readonly signal?: AbortSignal;
}

/** Summary of an export; `export.json` is this without the problems. */
export interface ExportReport {
  readonly schema: 'lectern/export/1';
  readonly target: TargetName;
  readonly collection: string;
  /** Feed and run of the target after all files are loaded. */
  readonly feed_id: string;
  readonly seq: number;
  /** Whether it contains all items, for an empty target. */
  readonly full: boolean;
  readonly upserts: number;
  /** Number of items whose searched text is unchanged. */
  readonly updates: number;
  readonly deletes: number;
  /** In the order of loading; relative to the folder. */
  readonly files: readonly string[];
  readonly problems: readonly ReportedProblem[];
}

/**
 * Writes a published feed in the format of a platform: all of it, or the changes since the cursor. Replaces the folder atomically, then the
 * cursor; if a run fails, both are unchanged.
 * @throws FEED_BUSY, FEED_BEHIND, MASS_DELETE, FEED_INVALID, FEED_UNREACHABLE, CURSOR_DAMAGED, CURSOR_OF_ANOTHER, STRICT, and those of `check` and `openStaging`
 */
export async function exportFeed(site: PublishedSite, settings: ExportSettings): Promise<ExportReport> {
  const { target: name, collection, prefix, languages, generator } = settings;
  const cursor = openCursorFile(settings.cursor, {
    owner: `${name} ${collection}`,
    variant: shortHash(JSON.stringify([generator, prefix, languages])),
  });
  const full = cursor.files.size === 0;
  const waiting = settings.signal === undefined ? {} : { signal: settings.signal };
  const staging = await openStaging(settings.out, () => null, { marker: exportMarker, ...waiting });
  try {
    const { problems, ...report } = await stageExport(site, staging, cursor, settings, full);
    if (settings.strict) refuseProblems(problems);
    await staging.write(exportMarker, `${JSON.stringify(report, null, 2)}\n`);
    await writeFileList(staging);
    await staging.commit();
    cursor.save();
    return { ...report, problems };
  } finally {
    await staging.discard();
  }
}

async function stageExport(
  site: PublishedSite,
  output: Output,
  cursor: CursorFile,
  settings: ExportSettings,
  full: boolean,
): Promise<ExportReport> {
  const { target: name, collection, languages } = settings;
  const target: Target = targets[name];
  const definitions = target.definitions(settings);
  for (const [path, content] of definitions) await output.write(path, content);

  const problems: Problem[] = [];
  const upsertFormat = target.upserts(settings);
  const upserts = upsertFormat === null ? null : openBatches(output, upsertFormat);
  const updates = target.updates === undefined ? null : openBatches(output, target.updates(settings));
  const deletes = openBatches(output, target.deletes(settings));
  const counts = { upserts: 0, updates: 0, deletes: 0 };
  // Languages whose items were exported before, and may have to be deleted.
  const exported = [...cursor.files.keys()].flatMap((path) => path.split('/')[1] ?? []);
  let published: readonly string[] = [];
  const applied = await applyRecords(site, cursor, {
    reads({ kind, language = '' }, manifest) {
      published = manifest.languages.map((one) => one.language).sort();
      const isWanted =
        languages.length === 0 || languages.some((tag) => findLanguage(tag, published) === language);
      return kind === target.reads && isWanted;
    },
    maxDropPercent: settings.allowMassDelete ? null : 20,
    dropHint: 'nothing was exported; if the loss is intended, pass --allow-mass-delete once',
    // What is no longer asked for is deleted on purpose.
    guards: (language) =>
      languages.length === 0 || languages.some((tag) => findLanguage(tag, [language]) !== undefined),
    ...(settings.check === null ? {} : { check: settings.check }),
    read: createItemReader(target, settings, (problem) => problems.push(problem)),
    async upsert(items) {
      settings.signal?.throwIfAborted();
      for (const { value: item, embed } of items) {
        problems.push(...item.located);
        for (const [path, content] of item.files) await output.write(path, content);
        const isUpdate = !embed && updates !== null && item.update !== undefined;
        counts[isUpdate ? 'updates' : 'upserts'] += 1;
        if (isUpdate) await updates.add(item.update ?? '');
        else if (item.entry !== null) await upserts?.add(item.entry);
      }
    },
    async delete(ids) {
      for (const id of ids) await deletes.add(target.deleteEntry(id, settings));
      counts.deletes += ids.length;
    },
  });
  refuseUnfinished(applied.status);
  if (applied.status === 'applied') problems.push(...checkLanguages(languages, published, exported));

  const batches = [await upserts?.close(), await updates?.close(), await deletes.close()];
  return {
    schema: 'lectern/export/1',
    target: name,
    collection,
    feed_id: cursor.manifest?.feedId ?? '',
    seq: applied.seq,
    full,
    ...counts,
    files: [...definitions.map(([path]) => path), ...batches.flatMap((paths) => paths ?? [])],
    problems: reportProblems(problems).map((reported) =>
      reported.code === 'LANGUAGE_EMPTY'
        ? {
            ...reported,
            hint: `Choose from the languages of the feed with --languages: ${published.join(', ')}.`,
          }
        : reported,
    ),
  };
}

function refuseUnfinished(status: 'applied' | 'unchanged' | 'busy'): void {
  if (status === 'busy') {
    throw new LecternError('FEED_BUSY', 'files of the feed differ from its manifest', {
      hint: 'the site is probably being uploaded; run again in a few minutes',
    });
  }
}

/** Without this, a wrong tag would write an empty export, or delete everything that the cursor knows. */
function checkLanguages(
  wanted: readonly string[],
  published: readonly string[],
  exported: readonly string[],
): readonly Problem[] {
  const missing = wanted.filter((tag) => findLanguage(tag, published) === undefined);
  const isKnown = wanted.some((tag) => findLanguage(tag, exported) !== undefined);
  if (!isKnown && missing.length > 0 && missing.length === wanted.length) {
    throw new LecternError('LANGUAGE_UNUSABLE', `the feed has no articles in ${missing.join(', ')}`, {
      hint: `choose from its languages with --languages: ${published.join(', ')}`,
      exitCode: 2,
    });
  }
  return missing.map((language) =>
    problem('LANGUAGE_EMPTY', `the feed has no articles in ${language}`, { language }),
  );
}

function refuseProblems(problems: readonly ReportedProblem[]): void {
  const { error, warning } = countSeverities(problems);
  if (error + warning === 0) return;
  throw new LecternError('STRICT', `${error + warning} items over a limit found in --strict mode`, {
    hint: 'fix the problems listed above, or run without --strict',
  });
}

/** An item with the problems about platform limits. */
interface ExportItem extends TargetItem {
  readonly located: readonly Problem[];
}

/** The record that items are created from. */
interface Origin {
  readonly articleId: string;
  readonly language: string;
}

/**
 * Creates the function that reads feed files for a target.
 * @param onLeftOut called with records that the platform cannot accept at all
 */
function createItemReader(
  target: Target,
  options: TargetOptions,
  onLeftOut: (problem: Problem) => void,
): RecordConsumer<ExportItem>['read'] {
  const formats = [target.upserts(options), target.updates?.(options) ?? null];
  function* toItems(
    made: Made,
    documentId: string,
    { articleId, language }: Origin,
  ): Generator<FeedItem<ExportItem>> {
    const locate = ({ code, message }: ItemProblem): Problem =>
      problem(code, message, { articleId, language });
    for (const item of made) {
      const fault = 'code' in item ? item : findOversize(item, formats);
      if (fault !== null) {
        onLeftOut(locate(fault));
        continue;
      }
      const value = { ...(item as TargetItem) };
      const whole = JSON.stringify([value.files, value.entry]);
      yield {
        id: value.id,
        documentId,
        embedHash: shortHash(value.searchText),
        hash: shortHash(whole),
        value: { ...value, located: value.problems.map(locate) },
      };
    }
  }
  if (target.reads === 'documents') {
    return function* readDocuments(lines, path) {
      for (const line of lines) {
        const article = articleFields(readDocumentLine(line, path));
        yield* toItems(target.items(article, options), article.id, article);
      }
    };
  }
  return function* readChunks(lines, path) {
    for (const passages of groupByDocument(lines, path)) {
      const [first] = passages;
      if (first !== undefined) yield* toItems(target.items(passages, options), first.documentId, first);
    }
  };
}

/** Groups adjacent passages by article. */
function* groupByDocument(lines: Iterable<string>, path: string): Generator<readonly ExportPassage[]> {
  let group: ExportPassage[] = [];
  for (const line of lines) {
    const passage = passageFields(readChunkLine(line, path));
    if (group.length > 0 && group[0]?.documentId !== passage.documentId) {
      yield group;
      group = [];
    }
    group.push(passage);
  }
  if (group.length > 0) yield group;
}

/** Finds an entry that is too large even for a separate request. */
function findOversize(item: TargetItem, formats: readonly (BatchFormat | null)[]): ItemProblem | null {
  const entries = [item.entry, item.update ?? null];
  for (const [at, format] of formats.entries()) {
    const entry = entries[at] ?? null;
    if (format === null || entry === null) continue;
    const bytes = loneBytes(format, entry);
    if (bytes > format.maxBytes) return tooLarge(item.id, bytes, `a request has at most ${format.maxBytes}`);
  }
  return null;
}

import { hash } from 'node:crypto';
import { LecternError } from '../../core/errors.ts';
import { findLanguage } from '../../core/language.ts';
import { countSeverities, type Problem, problem } from '../../core/problems.ts';
import { type ReportedProblem, reportProblems } from '../../core/report.ts';
import type { PublishedSite } from '../../feed/read/feed-reader.ts';
import { writeFileList } from '../../output/file-list.ts';
import type { Output } from '../../output/output.ts';
import { openStaging } from '../../output/staging.ts';
import { type CursorFile, openCursorFile } from '../follow/feed-cursor.ts';
import type { ChangedDocument } from '../follow/feed-follower.ts';
import { followFeed } from '../follow/follow-feed.ts';
import { loneBytes, openBatches } from './batch-writer.ts';
import { passageFields } from './fields.ts';
import {
  type BatchFormat,
  type ItemProblem,
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
  /** Paths of the files in the order of loading, relative to the folder. */
  readonly files: readonly string[];
  readonly problems: readonly ReportedProblem[];
}

/**
 * Writes a published feed in the format of a platform: all of it, or the changes since the cursor. Replaces the folder atomically, then the
 * cursor; if a run fails, both are unchanged.
 * @throws FEED_BUSY, FEED_BEHIND, MASS_DELETE, FEED_INVALID, FEED_UNREACHABLE, CURSOR_DAMAGED, CURSOR_OF_ANOTHER, STRICT, and those of `openStaging`
 */
export async function exportFeed(site: PublishedSite, settings: ExportSettings): Promise<ExportReport> {
  const cursor = openCursor(settings);
  const full = [...cursor.all()].length === 0;
  const waiting = settings.signal === undefined ? {} : { signal: settings.signal };
  const staging = await openStaging(settings.out, () => null, { marker: exportMarker, ...waiting });
  try {
    const { problems, ...report } = await stageExport(site, staging, cursor, settings, full);
    if (settings.strict) refuseProblems(problems);
    await staging.write(exportMarker, `${JSON.stringify(report, null, 2)}\n`);
    await writeFileList(staging);
    await staging.commit();
    cursor.write();
    return { ...report, problems };
  } finally {
    await staging.discard();
  }
}

function openCursor({
  target,
  collection,
  prefix,
  generator,
  cursor,
}: Pick<ExportSettings, 'target' | 'collection' | 'prefix' | 'generator' | 'cursor'>): CursorFile {
  return openCursorFile(cursor, {
    owner: `${target} ${collection}`,
    variant: hash('sha256', JSON.stringify([generator, prefix])),
  });
}

/** Changes a cursor so that the next export contains these items again, as upserts. */
export function forgetItems(
  settings: Parameters<typeof openCursor>[0],
  isForgotten: (id: string) => boolean,
): void {
  const cursor = openCursor(settings);
  const documents = [...cursor.all()].filter(({ chunks }) => chunks.some(([id]) => isForgotten(id)));
  cursor.save(
    documents.map(({ chunks, ...document }) => ({
      ...document,
      hash: '',
      chunks: chunks.map(([id, text]): [string, string] => [id, isForgotten(id) ? '' : text]),
    })),
  );
  if (cursor.run !== null) cursor.finish({ ...cursor.run, etag: null, state: '' });
  cursor.write();
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
  const upserts =
    upsertFormat === null
      ? null
      : ((await target.openUpserts?.(output)) ?? openBatches(output, upsertFormat));
  const updates = target.updates === undefined ? null : openBatches(output, target.updates(settings));
  const deletes = openBatches(output, target.deletes(settings));
  const counts = { upserts: 0, updates: 0, deletes: 0 };
  // Languages whose items were exported before, and may have to be deleted.
  const exported = cursor.run?.languages ?? [];
  const makeItems = createItemMaker(target, settings, (problem) => problems.push(problem));
  const deleteItems = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) await deletes.add(target.deleteEntry(id, settings));
    counts.deletes += ids.length;
  };
  const applied = await followFeed(
    site,
    cursor,
    {
      async upsert(documents) {
        settings.signal?.throwIfAborted();
        for (const changed of documents) {
          const items = makeItems(changed);
          for (const { item, embed, located } of items) {
            problems.push(...located);
            const isUpdate = !embed && updates !== null && item.update !== undefined;
            if (!isUpdate) for (const [path, content] of item.files ?? []) await output.write(path, content);
            counts[isUpdate ? 'updates' : 'upserts'] += 1;
            if (isUpdate) await updates.add(item.update ?? '');
            else if (item.entry !== undefined) await upserts?.add(item.entry);
          }
          if (full) continue;
          const made = new Set(items.map(({ id }) => id));
          const { chunks, removedChunks } = changed;
          const ids = [...chunks.map(({ chunk }) => chunk.id), ...removedChunks];
          await deleteItems(ids.filter((id) => !made.has(id)));
        }
      },
      async delete(documents) {
        for (const { chunkIds } of documents) await deleteItems(chunkIds);
      },
    },
    {
      wants: (language, all) =>
        languages.length === 0 || languages.some((tag) => findLanguage(tag, all) === language),
      maxDropPercent: settings.allowMassDelete ? null : 20,
      dropHint: 'nothing was exported; if the loss is intended, pass --allow-mass-delete once',
    },
  );
  refuseUnfinished(applied.status);
  const published = applied.manifest?.languages.map(({ language }) => language).sort() ?? exported;
  if (applied.manifest !== null) problems.push(...checkLanguages(languages, published, exported));

  const items = countItems(cursor);
  if (target.olderStore !== undefined && items > target.olderStore.maxItems) {
    const { name: store, maxItems } = target.olderStore;
    problems.push(problem('EXPORT_MANY_ITEMS', `the feed has ${items} items; ${store} holds ${maxItems}`));
  }

  const batches = [await upserts?.close(), await updates?.close(), await deletes.close()];
  return {
    schema: 'lectern/export/1',
    target: name,
    collection,
    feed_id: cursor.run?.feedId ?? '',
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

/** Items that the target has after the export. */
function countItems(cursor: CursorFile): number {
  return [...cursor.all()].reduce((sum, { chunks }) => sum + chunks.length, 0);
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
interface LocatedItem {
  readonly id: string;
  readonly item: TargetItem;
  readonly embed: boolean;
  readonly located: readonly Problem[];
}

/**
 * Creates the function that makes the items of a document.
 * @param onLeftOut called with passages that the platform cannot accept at all
 */
function createItemMaker(
  target: Target,
  options: TargetOptions,
  onLeftOut: (problem: Problem) => void,
): (changed: ChangedDocument) => readonly LocatedItem[] {
  const formats = [target.upserts(options), target.updates?.(options) ?? null];
  return ({ document, chunks }) => {
    const locate = ({ code, message }: ItemProblem): Problem =>
      problem(code, message, { articleId: document.article_id, language: document.language });
    return chunks.flatMap(({ chunk, embed }) => {
      const item = target.item(passageFields(document, chunk), options);
      const fault = 'code' in item ? item : findOversize(chunk.id, item, formats);
      if (fault !== null) {
        onLeftOut(locate(fault));
        return [];
      }
      const whole = item as TargetItem;
      return [{ id: chunk.id, item: whole, embed, located: (whole.problems ?? []).map(locate) }];
    });
  };
}

/** Finds an entry that is too large even for a separate request. */
function findOversize(
  id: string,
  item: TargetItem,
  formats: readonly (BatchFormat | null)[],
): ItemProblem | null {
  const entries = [item.entry, item.update];
  for (const [at, format] of formats.entries()) {
    const entry = entries[at];
    if (format === null || entry === undefined) continue;
    const bytes = loneBytes(format, entry);
    if (bytes > format.maxBytes) return tooLarge(id, bytes, `a request has at most ${format.maxBytes}`);
  }
  return null;
}

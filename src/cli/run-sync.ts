import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ContentPolicy } from '../content/document.ts';
import { countOf } from '../core/count-of.ts';
import { LecternError, orNull } from '../core/errors.ts';
import { makeFolder, readTextFile } from '../core/file-system.ts';
import { acquireLock } from '../output/lock.ts';
import { bodyToMarkdown, type ToBodyForm } from '../source/folder/body-markdown.ts';
import { refuseInvalidFiles } from '../source/folder/folder-read.ts';
import { syncStateFile } from '../source/folder/list-folder.ts';
import {
  compareSides,
  guardDeletions,
  guardFolderLoss,
  refuseConflicts,
  refuseUnmerged,
} from '../sync/compare-sides.ts';
import { describePlan, formatForms, formatPlan } from '../sync/format-plan.ts';
import { decideConflicts, listPushes, type SyncEntry } from '../sync/plan-sync.ts';
import { applyPull, checkPull } from '../sync/pull.ts';
import { applyPush } from '../sync/push.ts';
import type { FlagValues } from './command.ts';
import type { pullFlags, pushFlags } from './flags.ts';
import { interruptible } from './interrupt.ts';
import { say, writeOutput } from './terminal.ts';
import { type ClientFlags, withClient } from './with-client.ts';

/** The argument of both commands. */
interface InFolder {
  readonly dir: string;
}

/** Runs `lectern pull`: writes the service's changes to the folder. */
export async function runPull(flags: Omit<FlagValues<typeof pullFlags>, 'source'> & InFolder): Promise<void> {
  const root = resolve(flags.dir);
  await withFolder(flags, root, async (client, { policy, ...context }) => {
    const compared = await compareSides(client, { root, ...context, toForm: formOf(policy) });
    reportLoose(compared.loose);
    const sides = flags.theirs
      ? { ...compared, entries: decideConflicts(compared.entries, 'theirs') }
      : compared;
    const pulled = sides.entries.filter(
      ({ outcome }) => outcome === 'merged' || outcome.startsWith('remote-'),
    );
    printPlan([...pulled, ...conflictsOf(sides.entries)], 'folder', flags.json);
    for (const record of sides.damaged) {
      say(`warning: ${record} contains bytes that are not UTF-8; the folder has U+FFFD instead`);
    }
    report(sides.entries, 'local-', 'changed in the folder; upload with lectern push');
    checkPull(sides);
    if (!flags['allow-mass-delete']) guardFolderLoss(sides, pulled);
    if (flags['dry-run']) {
      say(`${records(pulled.length)} would be written`);
      return refuseConflicts(sides.entries);
    }
    makeFolder(root);
    const forms = applyPull(sides);
    say(`${records(pulled.length)} written into ${flags.dir}`);
    const sentence = formatForms(forms);
    if (sentence !== '') say(sentence);
    for (const file of forms.kept) say(`warning: ${file} stays, though its record was deleted`);
    refuseConflicts(sides.entries);
  });
}

/** Runs `lectern push`: sends the folder's changes to the service. */
export async function runPush(flags: FlagValues<typeof pushFlags> & InFolder): Promise<void> {
  const root = resolve(flags.dir);
  if (!existsSync(root)) {
    throw new LecternError('PATH_UNUSABLE', `the folder ${flags.dir} does not exist`, {
      hint: `check its name, or create it with lectern pull ${flags.dir}`,
      exitCode: 2,
    });
  }
  if (!['articles', 'categories'].some((name) => existsSync(join(root, name)))) {
    throw new LecternError('PATH_UNUSABLE', `${flags.dir} has no folder "articles" or "categories"`, {
      hint: 'pass a folder in the layout that lectern pull writes',
      exitCode: 2,
    });
  }
  await withFolder(flags, root, async (client, { policy, ...context }) => {
    const sides = await compareSides(client, { root, ...context, toForm: formOf(policy) });
    refuseLoosePages(root, sides.loose);
    const options = { deletes: flags.delete, ours: flags.ours };
    const pushed = listPushes(sides.entries, options);
    const conflicts = flags.ours ? [] : conflictsOf(sides.entries);
    printPlan([...pushed, ...conflicts], 'service', flags.json);
    report(sides.entries, 'remote-', 'changed in the service; download with lectern pull');
    reportKept(sides.entries, flags.delete);
    if (!flags['allow-mass-delete']) guardDeletions(sides, pushed);
    refuseUnmerged(sides, pushed);
    if (flags['dry-run']) {
      if (pushed.length > 0 || conflicts.length === 0) say(`${records(pushed.length)} would be changed`);
      return refuseConflicts(conflicts);
    }
    const { created, changed, refused, redated } = await interruptible((signal) =>
      applyPush(client, sides, { ...options, signal }),
    );
    say(`${records(created.length + changed)} changed`);
    if (redated.length > 0) say(`warning: the service gave its own dates to ${records(redated.length)}`);
    for (const { entry, error } of refused.slice(1))
      say(`error: ${entry.kind} ${entry.id ?? entry.folder}: ${error.message}`);
    for (const { error } of refused) throw error;
    refuseConflicts(conflicts);
  });
}

/**
 * Opens a client for a command that changes the folder, which is locked: of two pushes at once, both would create its new records.
 * @throws LOCKED, what `withClient` throws
 */
function withFolder(
  flags: ClientFlags & { readonly 'dry-run': boolean },
  root: string,
  work: Parameters<typeof withClient<void>>[1],
): Promise<void> {
  return withClient(flags, async (...opened) => {
    if (flags['dry-run'] || !existsSync(root)) return work(...opened);
    const lock = await acquireLock(join(root, `${syncStateFile}.lock`), { folder: root, onWait: say });
    // A signal ends the program at once while nothing is interruptible.
    process.once('exit', lock.release);
    try {
      return await work(...opened);
    } finally {
      lock.release();
      process.off('exit', lock.release);
    }
  });
}

function printPlan(entries: readonly SyncEntry[], direction: 'service' | 'folder', json: boolean): void {
  writeOutput(
    json ? `${JSON.stringify(describePlan(entries, direction))}\n` : formatPlan(entries, direction),
  );
}

const loosePlace =
  'an article is a file such as articles/my-article/en.md: a folder for the article, a file for its language';

function reportLoose(files: readonly string[]): void {
  for (const file of files.slice(0, maxLoose)) say(`warning: ${file} is ignored: ${loosePlace}`);
  if (files.length > maxLoose) say(`warning: ${countOf(files.length - maxLoose, 'more file')} ignored`);
}

/** Files listed one by one; the others are counted. */
const maxLoose = 10;

/**
 * Reports pages outside the folder of a record. A page with front matter is meant to be an article, so a push without it is refused.
 * @throws PATH_UNUSABLE
 */
function refuseLoosePages(root: string, files: readonly string[]): void {
  const articles = files.filter((file) => hasFrontMatter(join(root, file)));
  reportLoose(files.filter((file) => !articles.includes(file)));
  refuseInvalidFiles(
    articles.map((file) => `${file}: the file is not in the folder of a record`),
    `nothing was sent; move the file: ${loosePlace}`,
  );
}

function hasFrontMatter(file: string): boolean {
  return /^---\r?\n/.test(orNull(() => readTextFile(file)) ?? '');
}

function conflictsOf(entries: readonly SyncEntry[]): readonly SyncEntry[] {
  return entries.filter(({ outcome }) => outcome === 'conflict');
}

function report(entries: readonly SyncEntry[], prefix: string, what: string): void {
  const count = entries.filter(({ outcome }) => outcome === 'merged' || outcome.startsWith(prefix)).length;
  if (count > 0) say(`${records(count)} ${what}`);
}

function reportKept(entries: readonly SyncEntry[], deletes: boolean): void {
  const deleted = entries.filter(({ outcome }) => outcome === 'local-deleted');
  const articles = deleted.filter(({ kind }) => kind === 'article').length;
  const categories = deleted.length - articles;
  if (articles > 0 && !deletes)
    say(
      `${countOf(articles, 'article')} deleted in the folder but not in the service; pass --delete to delete there too`,
    );
  if (categories > 0)
    say(
      `${countOf(categories, 'category', 'categories')} deleted in the folder but not in the service, whose API cannot delete categories`,
    );
}

function formOf(policy: ContentPolicy): ToBodyForm {
  return (body, language) => bodyToMarkdown(body, policy, language);
}

function records(number: number): string {
  return countOf(number, 'record');
}

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { countOf } from '../foundation/count-of.ts';
import { LecternError } from '../foundation/errors.ts';
import { makeFolder } from '../foundation/make-folder.ts';
import { compareSides, refuseConflicts } from '../sync/compare-sides.ts';
import { formatPlan } from '../sync/format-plan.ts';
import { listPushes, type SyncEntry } from '../sync/plan-sync.ts';
import { applyPull, checkPull } from '../sync/pull.ts';
import { applyPush } from '../sync/push.ts';
import type { ClientFlags } from './client-flags.ts';
import { interruptible } from './interrupt.ts';
import { writeError, writeOutput } from './terminal.ts';
import { withClient } from './with-client.ts';

/** Runs `lectern pull`: the service's changes into the folder. */
export async function runPull(
  flags: ClientFlags & { readonly dir: string; readonly 'dry-run': boolean },
): Promise<void> {
  const root = resolve(flags.dir);
  await withClient(flags, async (client, { baseUrl, defaultLanguage }) => {
    const sides = await compareSides(client, { root, baseUrl, defaultLanguage });
    const pulled = sides.entries.filter(({ outcome }) => outcome.startsWith('remote-'));
    writeOutput(formatPlan(pulled, 'folder'));
    for (const record of sides.damaged) {
      say(`warning: ${record} holds bytes that are not UTF-8. They are U+FFFD in the folder.`);
    }
    report(sides.entries, 'local-', 'changed in the folder; upload with lectern push');
    refuseConflicts(sides.entries);
    checkPull(sides);
    if (flags['dry-run']) return say(`${records(pulled.length)} would be written`);
    makeFolder(root);
    applyPull(sides);
    say(`${records(pulled.length)} written into ${flags.dir}`);
  });
}

/** Runs `lectern push`: the folder's changes to the service. */
export async function runPush(
  flags: ClientFlags & { readonly dir: string; readonly 'dry-run': boolean; readonly delete: boolean },
): Promise<void> {
  const root = resolve(flags.dir);
  if (!existsSync(root)) {
    throw new LecternError('FOLDER_MISSING', `the folder ${flags.dir} does not exist`, {
      hint: `check its name, or write it first: lectern pull ${flags.dir}`,
      exitCode: 2,
    });
  }
  if (!['articles', 'categories'].some((name) => existsSync(join(root, name)))) {
    throw new LecternError('FOLDER_MISSING', `${flags.dir} holds no folder "articles" or "categories"`, {
      hint: 'name a folder written by "lectern pull", or one laid out like it',
      exitCode: 2,
    });
  }
  await withClient(flags, async (client, { baseUrl, defaultLanguage }) => {
    const sides = await compareSides(client, { root, baseUrl, defaultLanguage });
    const options = { deletes: flags.delete };
    const pushed = listPushes(sides.entries, options);
    writeOutput(formatPlan(pushed, 'service'));
    report(sides.entries, 'remote-', 'changed at the service; download with lectern pull');
    reportKept(sides.entries, flags.delete);
    refuseConflicts(sides.entries);
    if (flags['dry-run']) return say(`${records(pushed.length)} would be changed`);
    await interruptible((signal) => applyPush(client, sides, { ...options, signal }));
    say(`${records(pushed.length)} changed`);
  });
}

function report(entries: readonly SyncEntry[], prefix: string, what: string): void {
  const count = entries.filter(({ outcome }) => outcome.startsWith(prefix)).length;
  if (count > 0) say(`${records(count)} ${what}`);
}

function reportKept(entries: readonly SyncEntry[], deletes: boolean): void {
  const deleted = entries.filter(({ outcome }) => outcome === 'local-deleted');
  const articles = deleted.filter(({ kind }) => kind === 'article').length;
  const categories = deleted.length - articles;
  if (articles > 0 && !deletes)
    say(
      `${countOf(articles, 'article')} deleted in the folder still at the service; --delete deletes there, too`,
    );
  if (categories > 0)
    say(
      `${countOf(categories, 'category', 'categories')} deleted in the folder still at the service, whose API cannot delete categories`,
    );
}

function records(number: number): string {
  return countOf(number, 'record');
}

function say(sentence: string): void {
  writeError(`${sentence}\n`);
}

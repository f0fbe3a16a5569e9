import { appendFileSync, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LecternError } from '../../../core/errors.ts';
import {
  makeFolder,
  readFileOrNull,
  readWholeFile,
  removeQuietly,
  writeFileAtomically,
} from '../../../core/file-system.ts';
import { z } from '../../../core/schema.ts';
import { acquireLock } from '../../../output/lock.ts';
import type { ExportReport } from '../export-feed.ts';
import type { RemoteIds } from './vendor.ts';

/**
 * State of a push between runs, in one folder:
 *
 * - `cursor`: what the platform has, after the last complete push.
 * - `plan/`, `plan-cursor`: the export that is being sent, and the cursor after it. They exist from the first request to the last, so that a
 *   push that was killed is completed by the next one, whatever the feed has become.
 * - `sent.jsonl`: the files of the plan that are done.
 * - `ids.jsonl`: ids that the platform gave to items.
 * - `destination.json`: where the items are.
 */
export interface PushState {
  /** Absolute path of the export that is being sent. */
  readonly plan: string;
  /** Cursor for the export of a new plan. */
  readonly planCursor: string;
  readonly ids: RemoteIds;
  /** Refuses state that belongs to another destination. @throws CURSOR_OF_ANOTHER */
  claim(destination: string): void;
  /** The plan of a push that was interrupted; `null` if there is none. */
  unfinished(): UnfinishedPlan | null;
  /** Prepares a new plan; `planCursor` is then a copy of the cursor. */
  start(): void;
  /** Folder and cursor for a plan that is only shown, and removed by `discardTrial`. */
  startTrial(): Pick<PushState, 'plan' | 'planCursor'>;
  discardTrial(): void;
  isSent(path: string): boolean;
  /** @param refused ids of items that the platform refused */
  markSent(path: string, refused: readonly string[]): void;
  /** Items of the plan that were refused, in this run and in earlier ones. */
  refused(): readonly string[];
  /** The plan is done. */
  finish(): void;
  release(): void;
}

type UnfinishedPlan = Pick<ExportReport, 'seq' | 'upserts' | 'updates' | 'deletes' | 'files'>;

/** What a push needs of `export.json`. */
const planSchema: z.ZodType<UnfinishedPlan> = z.object({
  seq: z.int(),
  upserts: z.int(),
  updates: z.int(),
  deletes: z.int(),
  files: z.array(z.string()),
});

const destinationSchema = z.object({ destination: z.string() });
const sentSchema = z.object({ path: z.string(), refused: z.array(z.string()) });

/**
 * Opens the state of a push, and locks it.
 * @param folder absolute; created if missing
 * @throws CACHE_LOCKED, CURSOR_DAMAGED
 */
export async function openPushState(folder: string, signal?: AbortSignal): Promise<PushState> {
  makeFolder(folder);
  const at = (name: string): string => join(folder, name);
  const lock = await acquireLock(at('lock'), { code: 'CACHE_LOCKED', folder, waitMs: 0, signal });
  try {
    // A plan is removed in two steps, because a folder cannot be removed at once.
    for (const name of ['plan.done', 'trial', 'trial-cursor']) remove(at(name));
    const sent = new Map<string, readonly string[]>(
      readLines(at('sent.jsonl'), sentSchema).map(({ path, refused }) => [path, refused] as const),
    );
    const ids = openRemoteIds(at('ids.jsonl'));
    return {
      plan: at('plan'),
      planCursor: at('plan-cursor'),
      ids,
      claim(destination) {
        const file = at('destination.json');
        const bytes = readFileOrNull(file);
        const known = bytes === null ? null : parse(file, bytes.toString(), destinationSchema).destination;
        if (known === destination) return;
        if (known !== null) {
          throw new LecternError(
            'CURSOR_OF_ANOTHER',
            `${folder} is the state of a push to ${known}, not to ${destination}`,
            { hint: 'use one --cursor folder per destination', exitCode: 2 },
          );
        }
        writeFileAtomically(file, [JSON.stringify({ destination })]);
      },
      unfinished() {
        const file = join(at('plan'), 'export.json');
        const bytes = readFileOrNull(file);
        return bytes === null ? null : parse(file, bytes.toString(), planSchema);
      },
      start() {
        sent.clear();
        for (const name of ['sent.jsonl', 'plan', 'plan-cursor']) remove(at(name));
        if (existsSync(at('cursor'))) copyFileSync(at('cursor'), at('plan-cursor'));
      },
      startTrial() {
        const from = ['plan-cursor', 'cursor'].map(at).find((file) => existsSync(file));
        if (from !== undefined) copyFileSync(from, at('trial-cursor'));
        return { plan: at('trial'), planCursor: at('trial-cursor') };
      },
      discardTrial() {
        for (const name of ['trial', 'trial-cursor']) remove(at(name));
      },
      isSent: (path) => sent.has(path),
      markSent(path, refused) {
        lock.assertHeld();
        sent.set(path, refused);
        appendFileSync(at('sent.jsonl'), `${JSON.stringify({ path, refused })}\n`);
      },
      refused: () => [...sent.values()].flat(),
      finish() {
        lock.assertHeld();
        if (existsSync(at('plan-cursor'))) renameSync(at('plan-cursor'), at('cursor'));
        if (existsSync(at('plan'))) renameSync(at('plan'), at('plan.done'));
        for (const name of ['sent.jsonl', 'plan.done']) remove(at(name));
        sent.clear();
        ids.compact();
      },
      release: lock.release,
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Reads a file of the plan in a folder. */
export function readPlanned(plan: string, path: string): string {
  return readWholeFile(join(plan, path)).toString();
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

function parse<T>(file: string, text: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new LecternError('CURSOR_DAMAGED', `${file} is not the state of a push`, {
      hint: 'delete the folder of the cursor, empty the target, then run again',
      cause,
    });
  }
}

/** Lines of a file to which every step is appended; a kill may leave half a line at its end. */
function readLines<T>(file: string, schema: z.ZodType<T>): T[] {
  const text = readFileOrNull(file)?.toString() ?? '';
  const lines = text.split('\n');
  const rest = lines.pop();
  // The next line must not continue the half one.
  if (rest !== '')
    writeFileAtomically(
      file,
      lines.map((line) => `${line}\n`),
    );
  return lines.map((line) => parse(file, line, schema));
}

const idSchema = z.union([
  z.object({ id: z.string(), uploaded: z.string() }),
  z.object({ id: z.string(), stored: z.string() }),
  z.object({ unused: z.string(), id: z.string().optional() }),
  z.object({ forgotten: z.string() }),
  z.object({ id: z.string(), removed: z.literal(true) }),
]);
type IdLine = z.output<typeof idSchema>;

/** Remote ids in a file to which every change is appended. */
function openRemoteIds(file: string): RemoteIds & { compact(): void } {
  const stored = new Map<string, string>();
  const uploaded = new Map<string, string>();
  const unused = new Set<string>();

  function apply(line: IdLine): void {
    if ('uploaded' in line) uploaded.set(line.id, line.uploaded);
    else if ('stored' in line) {
      const before = stored.get(line.id);
      if (before !== undefined && before !== line.stored) unused.add(before);
      stored.set(line.id, line.stored);
      uploaded.delete(line.id);
    } else if ('removed' in line) {
      const before = stored.get(line.id);
      if (before !== undefined) unused.add(before);
      stored.delete(line.id);
    } else if ('unused' in line) {
      unused.add(line.unused);
      if (line.id !== undefined) uploaded.delete(line.id);
    } else unused.delete(line.forgotten);
  }

  function note(line: IdLine): void {
    appendFileSync(file, `${JSON.stringify(line)}\n`);
    apply(line);
  }

  for (const line of readLines(file, idSchema)) apply(line);
  return {
    stored: (id) => stored.get(id),
    uploaded: (id) => uploaded.get(id),
    unused: () => [...unused],
    upload: (id, remote) => note({ id, uploaded: remote }),
    store(id) {
      const remote = uploaded.get(id);
      if (remote !== undefined) note({ id, stored: remote });
    },
    drop(id) {
      const remote = uploaded.get(id);
      if (remote !== undefined) note({ unused: remote, id });
    },
    remove(id) {
      if (stored.has(id)) note({ id, removed: true });
    },
    forget: (remote) => note({ forgotten: remote }),
    compact() {
      if (stored.size + unused.size === 0) return removeQuietly(file);
      writeFileAtomically(file, [
        ...[...stored].map(([id, remote]) => `${JSON.stringify({ id, stored: remote })}\n`),
        ...[...unused].map((remote) => `${JSON.stringify({ unused: remote })}\n`),
      ]);
    },
  };
}

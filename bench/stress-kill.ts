import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readTree } from '../test/support/read-tree.ts';
import { serveFiles } from '../test/support/static-server.ts';
import { createRandom } from './corpus/random.ts';
import { startHelpCentre } from './help-centre.ts';
import {
  createOnlineProject,
  createSnapshotProject,
  expectSuccess,
  type KillProject,
  type State,
} from './kill-runs.ts';
import { checkManifest, hashPages } from './whole-build.ts';

/**
 * `npm run stress:kill -- [--kills 200] [--articles 15] [--seed 1]`: publishes two states of a knowledge base in turn into
 * one folder and kills the run with SIGKILL at a random moment: on snapshots, with and without what earlier runs left;
 * online with statistics and images; and online without an output, continuing a published feed. After every kill the
 * folder must hold one of the two, whole. Prints a table.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    articles: { type: 'string', default: '15' },
    seed: { type: 'string', default: '1' },
    work: { type: 'string', default: join(tmpdir(), 'lectern-stress-kill') },
  },
});
const articles = Number(values.articles);
const work = resolve(values.work);
const random = createRandom(`kill ${values.seed}`);
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const helpCentre = await startHelpCentre({ articles, languages: ['en', 'de'] });
const snapshots = await createSnapshotProject(join(work, 'snapshots'), articles);
const online = await createOnlineProject(join(work, 'online'), helpCentre);
const published = await publishCopy(online.out);

/** A kind of build, with the results of its runs. */
interface Kind {
  readonly name: string;
  readonly project: KillProject;
  readonly prepare: () => void;
  readonly flags: () => readonly string[];
  /** Current duration of a run; 0 before the first run that was not killed. */
  usualMs: number;
  readonly counts: Record<'killed' | 'ended' | 'a' | 'b' | 'none' | 'betweenRenames', number>;
}

const kinds: readonly Kind[] = [
  kindOf('snapshot, nothing kept', snapshots, snapshots.forget),
  kindOf('snapshot, cache kept', snapshots),
  kindOf('online, images and statistics, cache kept', online),
  kindOf('online, cache kept, output lost, --since folder', online, loseOutput, () => [
    '--since',
    published.folder,
  ]),
  kindOf('online, nothing kept, --since address', online, loseAll, () => ['--since', published.address]),
];
let killed = 0;
for (let run = 0; killed < Number(values.kills); run += 1) {
  const kind = kinds[Math.floor(run / 2) % kinds.length] as Kind;
  kind.prepare();
  const before = findOutput(kind.project);
  killed += await killOne(kind, run % 2 === 0 ? 'a' : 'b');
  checkOutput(kind, run, before !== null);
  if (run % 25 === 24) console.error(`${run + 1} runs, ${killed} killed`);
}
for (const { project } of [{ project: snapshots }, { project: online }]) await expectRecovery(project);
helpCentre.stop();
await published.stop();
console.log(formatTable());

/** @returns number of killed runs: zero or one */
async function killOne(kind: Kind, state: State): Promise<number> {
  const { project, flags, counts, usualMs } = kind;
  await project.show(state);
  const started = performance.now();
  const child = project.start(flags());
  const ended = once(child, 'exit');
  // The first run of a kind measures the duration.
  const killing = usualMs === 0 ? ended : wait(random.between(0, Math.ceil(usualMs * 1.5)));
  await Promise.race([ended, killing]);
  const isKilled = child.exitCode === null;
  child.kill('SIGKILL');
  await ended;
  counts[isKilled ? 'killed' : 'ended'] += 1;
  // The duration changes during the test.
  const ms = performance.now() - started;
  if (!isKilled) kind.usualMs += (ms - usualMs) / (usualMs === 0 ? 1 : 4);
  return isKilled ? 1 : 0;
}

/** The folder of the output; if the run was killed between the two renames, the previous output next to it. */
function findOutput({ out }: KillProject): string | null {
  return [out, join(dirname(out), '.dist.previous')].find((folder) => existsSync(folder)) ?? null;
}

/** Checks that the output is one complete build; it may be missing only if there was none before. */
function checkOutput({ name, project, counts }: Kind, run: number, wasThere: boolean): void {
  const { out, pages } = project;
  const folder = findOutput(project);
  if (folder === null) {
    if (wasThere) throw new Error(`after run ${run} (${name}) there is no output`);
    counts.none += 1;
    return;
  }
  if (folder !== out) counts.betweenRenames += 1;
  const found = hashPages(folder);
  const state = found === pages.a ? 'a' : found === pages.b ? 'b' : null;
  if (state === null) throw new Error(`after run ${run} (${name}) the output is neither of the two builds`);
  checkManifest(folder);
  counts[state] += 1;
}

/** Checks that a build that is not killed is correct despite the remains of killed ones, and cleans up. */
async function expectRecovery({ out, pages, show, start }: KillProject): Promise<void> {
  for (const state of ['a', 'b', 'a'] as const) {
    await show(state);
    await expectSuccess(start([]));
    if (hashPages(out) !== pages[state])
      throw new Error(`a build of ${state} after the kills is another one`);
    checkManifest(out);
  }
  const left = readdirSync(dirname(out)).filter((name) => name.startsWith('.dist'));
  if (left.length > 0) throw new Error(`a build after the kills left ${left.join(', ')} behind`);
}

function kindOf(
  name: string,
  project: KillProject,
  prepare: () => void = () => {},
  flags: () => readonly string[] = () => [],
): Kind {
  const counts = { killed: 0, ended: 0, a: 0, b: 0, none: 0, betweenRenames: 0 };
  return { name, project, prepare, flags, usualMs: 0, counts };
}

function loseOutput(): void {
  for (const name of ['dist', '.dist.previous'])
    rmSync(join(dirname(online.out), name), { recursive: true, force: true });
}

function loseAll(): void {
  loseOutput();
  online.forget();
}

/** Keeps a copy of an output, and serves it. */
async function publishCopy(out: string) {
  const folder = join(work, 'published');
  cpSync(out, folder, { recursive: true });
  const { origin, close } = await serveFiles(await readTree(folder));
  return { folder, address: `${origin}/`, stop: close };
}

function formatTable(): string {
  const rows = kinds.map(({ name, usualMs, counts: { killed: kills, ended, a, b, none, betweenRenames } }) =>
    [name, kills, ended, a + b, none, betweenRenames, `${(usualMs / 1000).toFixed(2)} s`].join(' | '),
  );
  return [
    '| | killed | ended before | a whole output | none yet | between the renames | a run takes |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

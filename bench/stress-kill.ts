import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createCorpus } from './corpus/corpus.ts';
import { createRandom } from './corpus/random.ts';
import { corpusBaseUrl, writeSnapshot } from './corpus/write-snapshot.ts';
import { checkManifest, hashPages } from './whole-build.ts';

/**
 * `npm run stress:kill -- [--kills 200] [--articles 15] [--seed 1]`: publishes two knowledge bases in turn into one
 * folder and kills the run with SIGKILL at a random moment. After every kill the folder must hold one of the two, whole.
 * Every other pair of runs finds what killed and whole runs before it remembered.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    articles: { type: 'string', default: '15' },
    seed: { type: 'string', default: '1' },
    work: { type: 'string', default: join(tmpdir(), 'lectern-stress-kill') },
  },
});
const work = resolve(values.work);
const out = join(work, 'dist');
const random = createRandom(`kill ${values.seed}`);
const counts = { killed: 0, ended: 0, betweenRenames: 0, a: 0, b: 0 };

rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const snapshots = { a: await makeSnapshot('a', 0), b: await makeSnapshot('b', 1) } as const;
const pages = { b: await publishWhole('b'), a: await publishWhole('a') } as const;
const firstMs = await timeOf('b');
/** What a run takes at present, without and with what earlier runs remembered. */
const usualMs = { forgetting: firstMs, remembering: firstMs };

for (let run = 0; counts.killed < Number(values.kills); run++) {
  const state = run % 2 === 0 ? 'a' : 'b';
  const kind = run % 4 < 2 ? 'forgetting' : 'remembering';
  const child = startBuild(state, kind === 'forgetting');
  const started = performance.now();
  const ended = once(child, 'exit');
  await Promise.race([ended, wait(random.between(0, Math.ceil(usualMs[kind] * 1.5)))]);
  if (child.exitCode === null) counts.killed += 1;
  else {
    counts.ended += 1;
    usualMs[kind] += (performance.now() - started - usualMs[kind]) / 4;
  }
  child.kill('SIGKILL');
  await ended;
  checkOutput(run);
  if (run % 25 === 24) console.error(JSON.stringify(counts));
}
await publishWhole('a');
const left = readdirSync(work).filter((name) => name.startsWith('.dist'));
if (left.length > 0) throw new Error(`a run after the kills left ${left.join(', ')} behind`);
const [forgettingMs, rememberingMs] = Object.values(usualMs).map(Math.round);
console.log(JSON.stringify({ ...counts, forgettingMs, rememberingMs }));

/** The output is one whole build; where a kill fell between the two renames, the old one waits beside it, whole. */
function checkOutput(run: number): void {
  const waiting = join(work, '.dist.previous');
  if (!existsSync(out)) counts.betweenRenames += 1;
  const folder = existsSync(out) ? out : waiting;
  const found = hashPages(folder);
  const state = found === pages.a ? 'a' : found === pages.b ? 'b' : null;
  if (state === null) throw new Error(`after run ${run} the output is neither of the two builds`);
  checkManifest(folder);
  counts[state] += 1;
}

async function makeSnapshot(name: string, more: number): Promise<string> {
  const folder = join(work, `snapshot-${name}`);
  const articles = Number(values.articles) + more;
  const settings = { articles, languages: ['en', 'de'], seed: name, sample: resolve('docs/sample') };
  await writeSnapshot(folder, createCorpus(settings), 'en');
  return folder;
}

function startBuild(state: 'a' | 'b', forget = true): ChildProcess {
  const project = join(work, '.lectern');
  if (forget) rmSync(project, { recursive: true, force: true });
  cpSync(snapshots[state], project, { recursive: true });
  const config = { baseUrl: corpusBaseUrl, siteUrl: 'https://help.pebblepost.example' };
  writeFileSync(join(work, 'lectern.config.json'), JSON.stringify(config));
  return spawn(process.execPath, [resolve('lib/bin.js'), 'build', '--offline', '--quiet'], {
    cwd: work,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function publishWhole(state: 'a' | 'b'): Promise<string> {
  const [code] = await once(startBuild(state), 'exit');
  if (code !== 0) throw new Error(`the build of ${state} ended with ${code}`);
  checkManifest(out);
  return hashPages(out);
}

async function timeOf(state: 'a' | 'b'): Promise<number> {
  const started = performance.now();
  await publishWhole(state);
  return performance.now() - started;
}

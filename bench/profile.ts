import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, measure } from './measure.ts';

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Smaller subsystems are one line. */
const minShare = 0.01;

/**
 * Runs a build under Node's profiler, and returns a table of where its threads spent their time: of a folder of the program, of a package, of a part
 * of Node. What Node or V8 does for one of them counts as its own, except files, compression, modules and garbage collection. The profiler counts
 * time of the clock: on a busy machine, only shares are right.
 */
export function profileBuild(title: string, command: Command): string {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-profile-'));
  try {
    const cost = measure({ ...command, args: ['--cpu-prof', `--cpu-prof-dir=${folder}`, ...command.args] });
    const profiles = readdirSync(folder)
      .sort()
      .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile);
    const [main = new Map(), ...threads] = profiles.map(sumBySubsystem);
    const ofThreads = new Map<string, number>();
    for (const thread of threads)
      for (const [name, ms] of thread) ofThreads.set(name, (ofThreads.get(name) ?? 0) + ms);
    return formatProfile(
      `${title}: ${(cost.cpuMs / 1000).toFixed(2)} s of processor under the profiler`,
      main,
      ofThreads,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function formatProfile(
  title: string,
  main: ReadonlyMap<string, number>,
  threads: ReadonlyMap<string, number>,
): string {
  const sumOf = (times: ReadonlyMap<string, number>) => [...times.values()].reduce((sum, ms) => sum + ms, 0);
  const all = sumOf(main) + sumOf(threads);
  const rows: (readonly [name: string, main: number, threads: number])[] = [];
  let rest: readonly [string, number, number] = ['all others', 0, 0];
  for (const name of new Set([...main.keys(), ...threads.keys()])) {
    const [own, others] = [main.get(name) ?? 0, threads.get(name) ?? 0];
    if (own + others >= all * minShare) rows.push([name, own, others]);
    else rest = ['all others', rest[1] + own, rest[2] + others];
  }
  rows.sort((one, other) => other[1] + other[2] - one[1] - one[2]);
  const percent = (ms: number) => `${((100 * ms) / all).toFixed(1)} %`;
  return [
    title,
    '',
    '| | main thread | other threads | all |',
    '|---|---:|---:|---:|',
    ...[...rows, rest, ['sum', sumOf(main), sumOf(threads)] as const].map(
      ([name, own, others]) =>
        `| ${name} | ${percent(own)} | ${percent(others)} | ${percent(own + others)} |`,
    ),
    '',
  ].join('\n');
}

/** Milliseconds by subsystem; a thread that waits spends none. */
function sumBySubsystem({ nodes, samples, timeDeltas }: CpuProfile): ReadonlyMap<string, number> {
  const parents = new Map<number, number>();
  for (const { id, children = [] } of nodes) for (const child of children) parents.set(child, id);
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const names = new Map<number, string>();
  const nameOf = (id: number): string => {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const name = subsystemOf(frames.get(at) ?? { functionName: '', url: '' });
      if (name !== null) return name;
    }
    return 'Node itself';
  };
  const times = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const name = names.get(id) ?? nameOf(id);
    names.set(id, name);
    if (name !== 'idle') times.set(name, (times.get(name) ?? 0) + (timeDeltas[at] ?? 0) / 1000);
  }
  return times;
}

/** The subsystem of a frame; `null`: it works for the one that called it. */
function subsystemOf({
  functionName,
  url,
}: {
  readonly functionName: string;
  readonly url: string;
}): string | null {
  if (functionName === '(idle)') return 'idle';
  if (functionName === '(garbage collector)') return 'garbage collection';
  const packaged = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url);
  if (packaged !== null) return `package ${packaged[1]}`;
  const own = /\/lib\/(bundled\/[^/]+|[^/]+(?:\/[^/]+)?)/.exec(url);
  if (own !== null) return own[1]?.replace(/\.js$/, '') ?? null;
  if (/^node:(?:internal\/)?fs/.test(url)) return 'files';
  if (url === 'node:zlib') return 'compression';
  return url.startsWith('node:internal/modules') ? 'loading modules' : null;
}

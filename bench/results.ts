import { existsSync, readdirSync, statSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { type Cost, median, medianCost } from './measure.ts';

/** What `npm run bench -- --json FILE` writes. */
export interface BenchResults {
  readonly schema: 'lectern-bench/2';
  readonly machine: { readonly node: string; readonly cores: number; readonly memoryGb: number };
  readonly corpus: string;
  readonly articles: number;
  readonly languages: readonly string[];
  readonly results: readonly BuildResult[];
}

/** One kind of build with one program. */
export interface BuildResult {
  readonly build: string;
  readonly program: string;
  /** Of every run. */
  readonly costs: readonly Cost[];
  /** Of what it keeps between runs, besides the snapshot and copied files; `null` if it keeps nothing. */
  readonly cacheBytes: number | null;
}

export function makeResults(
  settings: Pick<BenchResults, 'corpus' | 'articles' | 'languages'>,
  results: readonly BuildResult[],
): BenchResults {
  const machine = {
    node: process.versions.node,
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
  };
  return { schema: 'lectern-bench/2', machine, ...settings, results };
}

/**
 * Medians of the first program, those of the others, and in brackets how many times each other one the first is: the median of the ratios of the runs,
 * because both were measured directly after each other.
 * @param programs names of the working tree, of the baseline, and of versions of Node
 * @param others names of other programs, which only make everything from nothing
 */
export function formatTable(
  { corpus, articles, languages, machine, results }: BenchResults,
  [program = '', ...baselines]: readonly string[],
  others: readonly string[],
): string {
  const costsOf = (build: string, name: string) =>
    results.find((one) => one.build === build && one.program === name)?.costs ?? [];
  const ratio = (one: readonly Cost[], other: readonly Cost[], value: (cost: Cost) => number): string => {
    const ratios = one.flatMap((cost, at) =>
      other[at] === undefined ? [] : [value(cost) / value(other[at])],
    );
    return ratios.length === 0 ? '' : median(ratios).toFixed(2);
  };
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
  const measures = [
    ['processor', (cost: Cost) => cost.cpuMs, seconds],
    ['time', (cost: Cost) => cost.wallMs, seconds],
    ['memory', (cost: Cost) => cost.peakMb, (mb: number) => `${mb.toFixed(0)} MB`],
  ] as const;
  type Measure = (typeof measures)[number];
  const compare = (build: string, other: string, [, value, format]: Measure): string => {
    const [own, others] = [costsOf(build, program), costsOf(build, other)];
    return others.length === 0 ? '' : `${format(value(medianCost(others)))} (${ratio(own, others, value)} ×)`;
  };
  const head = measures.flatMap(([name]) => [
    name,
    ...baselines.map((other) => `${name}, ${other}`),
    ...(name === 'memory' ? [] : others.map((other) => `× ${other}`)),
  ]);
  const rows = results
    .filter((result) => result.program === program)
    .map(({ build, costs, cacheBytes }) => [
      build,
      ...measures.flatMap((measure) => {
        const [name, value, format] = measure;
        return [
          format(value(medianCost(costs))),
          ...baselines.map((other) => compare(build, other, measure)),
          ...(name === 'memory' ? [] : others.map((other) => ratio(costs, costsOf('cold', other), value))),
        ];
      }),
      cacheBytes === null ? '' : `${(cacheBytes / 1e6).toFixed(1)} MB`,
    ]);
  const compared = others.map((name) => {
    const { cpuMs, wallMs, peakMb } = medianCost(costsOf('cold', name));
    return `${name}: everything from nothing takes ${seconds(cpuMs)} of processor, ${seconds(wallMs)}, ${peakMb.toFixed(0)} MB`;
  });
  return [
    `${corpus}, ${articles} articles × ${languages.length} languages, Node ${machine.node}, ${machine.cores} cores, medians of ${Math.max(...results.map(({ costs }) => costs.length))} runs by turns`,
    ...compared,
    '',
    `| | ${[...head, 'cache'].join(' | ')} |`,
    `|---|${[...head, ''].map(() => '---:|').join('')}`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}

/** Bytes of a cache folder besides the snapshot and copied files; what is a second name of a published file takes no room. */
export function measureCache(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/^(?:snapshot|media\/)/.test(path))
    .map((path) => statSync(join(folder, path)))
    .filter((stats) => stats.isFile() && stats.nlink === 1)
    .reduce((sum, { size }) => sum + size, 0);
}

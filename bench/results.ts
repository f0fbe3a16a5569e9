import { readdirSync, statSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { sumBodyBytes } from '../src/source/snapshot/format.ts';
import { readSnapshot } from '../src/source/snapshot/snapshot-file.ts';
import { type Cost, medianCost } from './measure.ts';

/** What `npm run bench -- --json FILE` writes. */
export interface BenchResults {
  readonly schema: 'lectern-bench/1';
  readonly machine: { readonly node: string; readonly cores: number; readonly memoryGb: number };
  readonly articles: number;
  readonly languages: readonly string[];
  /** Article pages: articles × languages. */
  readonly pages: number;
  /** Of all bodies of the corpus. */
  readonly bodyBytes: number;
  readonly runs: number;
  /** In the order of the builds; the first one is what the others are compared with. */
  readonly contestants: readonly ContestantResult[];
}

export interface ContestantResult {
  readonly name: string;
  /** Of every run. */
  readonly costs: readonly Cost[];
  readonly median: Cost;
  /** Of what it keeps between runs, besides the snapshot and copied files; `null` where it keeps nothing. */
  readonly cacheBytes: number | null;
}

export function makeResults(
  settings: Pick<BenchResults, 'articles' | 'languages' | 'bodyBytes'>,
  contestants: readonly Omit<ContestantResult, 'median'>[],
): BenchResults {
  return {
    schema: 'lectern-bench/1',
    machine: {
      node: process.versions.node,
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 2 ** 30),
    },
    ...settings,
    pages: settings.articles * settings.languages.length,
    runs: contestants[0]?.costs.length ?? 0,
    contestants: contestants.map((result) => ({ ...result, median: medianCost(result.costs) })),
  };
}

/** Medians, wall time as a multiple of the first contestant's, and the cache as a multiple of the bodies. */
export function formatTable({
  articles,
  languages,
  pages,
  bodyBytes,
  runs,
  contestants,
}: BenchResults): string {
  const base = contestants[0]?.median.wallMs ?? 1;
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
  const rows = contestants.map(({ name, median: { wallMs, cpuMs, peakMb }, cacheBytes }) =>
    [
      name,
      seconds(wallMs),
      seconds(cpuMs),
      `${peakMb.toFixed(0)} MB`,
      (wallMs / base).toFixed(2),
      cacheBytes === null
        ? ''
        : `${(cacheBytes / 1e6).toFixed(1)} MB (${(cacheBytes / bodyBytes).toFixed(1)} ×)`,
    ].join(' | '),
  );
  return [
    `${articles} articles × ${languages.length} languages (${pages} article pages, ${(bodyBytes / 1e6).toFixed(1)} MB of bodies), median of ${runs}`,
    '',
    `| | wall | CPU | peak memory | × ${contestants[0]?.name ?? ''} | cache (× bodies) |`,
    '|---|---:|---:|---:|---:|---:|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

/** Bytes of a cache folder besides the snapshot and copied files; what is a second name of a published file takes no room. */
export function measureCache(folder: string): number {
  return sumFiles(folder, (path) => !/^(?:snapshot|media\/)/.test(path));
}

/** Bytes of the bodies of a snapshot. */
export async function measureBodies(folder: string): Promise<number> {
  const snapshot = await readSnapshot(folder);
  if ('state' in snapshot) throw new Error(`the snapshot in ${folder} ${snapshot.why}`);
  snapshot.bodies.close();
  return sumBodyBytes(snapshot.content.articles);
}

function sumFiles(folder: string, wants: (path: string) => boolean): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(wants)
    .map((path) => statSync(join(folder, path)))
    .filter((stats) => stats.isFile() && stats.nlink === 1)
    .reduce((sum, { size }) => sum + size, 0);
}

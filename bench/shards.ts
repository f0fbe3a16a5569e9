import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { generateProject } from './generate-project.ts';
import { type Cost, measure, sumCosts } from './measure.ts';
import { checkManifest, hashPages } from './whole-build.ts';

/**
 * `npm run bench:shards -- --articles 3000 [--languages en,de,ja] [--shards 1,2,8] [--merges 1]`: generates a corpus, builds it from nothing on
 * one machine, then as so many shards, one after the other, each with a copy of the snapshot and no other cache, and merges them, so many
 * times; the fastest merge counts.
 * Fails unless every merge has the bytes of the first build. Prints a table.
 */
const { values } = parseArgs({
  options: {
    articles: { type: 'string', default: '1000' },
    languages: { type: 'string', default: 'en,de,ja' },
    shards: { type: 'string', default: '1,2,8' },
    merges: { type: 'string', default: '1' },
    work: { type: 'string', default: join(tmpdir(), 'lectern-bench-shards') },
  },
});
const work = resolve(values.work);
generateProject(work, values);
const out = join(work, 'dist');
/** Outputs of earlier runs. ext4 creates files more slowly for a minute after a removal, so they are removed at the end. */
const trash = join(work, 'trash');
mkdirSync(trash);

forget();
const whole = run('one machine', ['build', '--offline']);
const wholePages = hashPages(out);
checkManifest(out);
const rows = [rowOf('one machine', whole, null)];
for (const count of values.shards.split(',').map(Number)) {
  rmSync(join(work, 'shards'), { recursive: true, force: true });
  mkdirSync(join(work, 'shards'));
  const costs = Array.from({ length: count }, (_, at) => {
    forget();
    const shard = `${at + 1}/${count}`;
    const folder = join(work, 'shards', String(at + 1));
    const cost = run(`shard ${shard}`, ['build', '--offline', '--shard', shard, '--out', folder]);
    rows.push(rowOf(`shard ${shard}`, cost, null));
    return cost;
  });
  const folders = readdirSync(join(work, 'shards')).map((name) => join(work, 'shards', name));
  const merges = Array.from({ length: Number(values.merges) }, () => {
    forget();
    return run(`merge of ${count}`, ['merge', ...folders]);
  });
  const merge = merges.reduce((best, next) => (next.wallMs < best.wallMs ? next : best));
  checkManifest(out);
  if (hashPages(out) !== wholePages) throw new Error(`${count} shards are not what one machine builds`);
  rows.push(rowOf(`merge of ${count}`, merge, whole));
  rows.push(rowOf(`**sum of ${count} and the merge**`, sumCosts([...costs, merge]), whole));
  const slowestMs = Math.max(...costs.map(({ wallMs }) => wallMs));
  const atOnce = ((100 * (slowestMs + merge.wallMs)) / whole.wallMs).toFixed(1);
  rows.push(
    `| slowest of ${count}, then the merge | ${seconds(slowestMs + merge.wallMs)} | | | ${atOnce} % | |`,
  );
}
rmSync(trash, { recursive: true });
const pages = Number(values.articles) * values.languages.split(',').length;
console.log(`${pages.toLocaleString('en')} article pages; every merge has the bytes of one build.\n`);
console.log(
  [
    '| | wall | CPU | peak memory | of one build: wall | CPU |',
    '|---|---:|---:|---:|---:|---:|',
    ...rows,
  ].join('\n'),
);

/** Removes output and cache, except the snapshot. */
function forget(): void {
  if (existsSync(out)) renameSync(out, join(trash, String(readdirSync(trash).length)));
  const cache = join(work, '.lectern');
  for (const name of existsSync(cache) ? readdirSync(cache) : []) {
    if (!name.startsWith('snapshot')) rmSync(join(cache, name), { recursive: true });
  }
}

function run(name: string, args: readonly string[]): Cost {
  const [command = '', ...rest] = args;
  const cost = measure({
    file: process.execPath,
    args: [resolve('lib/bin.js'), command, '--quiet', ...rest],
    cwd: work,
  });
  console.error(`${name}: ${(cost.wallMs / 1000).toFixed(2)} s`);
  return cost;
}

function rowOf(name: string, { wallMs, cpuMs, peakMb }: Cost, base: Cost | null): string {
  const ratio = (part: number, all: number | undefined): string =>
    all === undefined ? '' : `${((100 * part) / all).toFixed(1)} %`;
  const ratios = [ratio(wallMs, base?.wallMs), ratio(cpuMs, base?.cpuMs)];
  return `| ${[name, seconds(wallMs), seconds(cpuMs), `${peakMb.toFixed(0)} MB`, ...ratios].join(' | ')} |`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

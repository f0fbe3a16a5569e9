import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type Contestant,
  eleventyContestants,
  hugoContestants,
  lecternContestants,
  measureRun,
} from './contestants.ts';
import { type Cost, medianCost } from './measure.ts';

/**
 * `npm run bench -- --articles 5000 [--languages en,de,ja] [--runs 3] [--others all|hugo|none]`: generates a corpus and
 * builds it with Lectern, Hugo (Debian package `hugo`), and with `all` Eleventy and Pagefind (fetched from npm into the
 * temporary folder), turn by turn, then prints the medians.
 */
const { values } = parseArgs({
  options: {
    articles: { type: 'string', default: '1000' },
    languages: { type: 'string', default: 'en,de,ja' },
    runs: { type: 'string', default: '3' },
    others: { type: 'string', default: 'hugo' },
    work: { type: 'string', default: join(tmpdir(), 'lectern-bench') },
  },
});
const languages = values.languages.split(',');
const work = resolve(values.work, `${values.articles}x${languages.length}`);
const tools = resolve(values.work, 'tools');

generateCorpus();
if (values.others === 'all') installTools();
const contestants: readonly Contestant[] = [
  ...(values.others === 'none' ? [] : hugoContestants(work, languages, tools)),
  ...(values.others === 'all' ? eleventyContestants(work, tools) : []),
  ...lecternContestants(work),
];
const costs = new Map<string, Cost[]>(contestants.map(({ name }) => [name, []]));
for (let run = 0; run < Number(values.runs); run++) {
  for (const contestant of contestants) {
    const cost = await measureRun(contestant, run);
    costs.get(contestant.name)?.push(cost);
    console.error(`run ${run + 1}: ${contestant.name}: ${(cost.wallMs / 1000).toFixed(2)} s`);
  }
}
console.log(formatTable());

function generateCorpus(): void {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const pages = values.others === 'none' ? [] : ['--pages'];
  const script = resolve('.bench/bench/generate-corpus.js');
  const args = ['--out', work, '--articles', values.articles, '--languages', values.languages, ...pages];
  const { status } = spawnSync(process.execPath, [script, ...args], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the corpus could not be generated');
}

function installTools(): void {
  const packages = ['@11ty/eleventy@3.1.2', 'pagefind@1'];
  const { status } = spawnSync(
    'npm',
    ['install', '--prefix', tools, '--no-audit', '--no-fund', ...packages],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  if (status !== 0) throw new Error('Eleventy and Pagefind could not be fetched');
}

/** Medians, and wall time as a multiple of Hugo's (of the first line, without Hugo). */
function formatTable(): string {
  const medians = contestants.map(({ name }) => ({ name, ...medianCost(costs.get(name) ?? []) }));
  const base = medians[0]?.wallMs ?? 1;
  const rows = medians.map(
    ({ name, wallMs, cpuMs, peakMb }) =>
      `| ${name} | ${(wallMs / 1000).toFixed(2)} s | ${(cpuMs / 1000).toFixed(2)} s | ${peakMb.toFixed(0)} MB | ${(wallMs / base).toFixed(2)} |`,
  );
  const pages = Number(values.articles) * languages.length;
  return [
    `${values.articles} articles × ${languages.length} languages (${pages} article pages), median of ${values.runs}`,
    '',
    `| | wall | CPU | peak memory | × ${medians[0]?.name ?? ''} |`,
    '|---|---:|---:|---:|---:|',
    ...rows,
  ].join('\n');
}

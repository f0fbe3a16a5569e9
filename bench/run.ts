import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Contestant, eleventyContestants, hugoContestants } from './contestants.ts';
import { generateProject } from './generate-project.ts';
import { startHelpCentre } from './help-centre.ts';
import { onlineContestants, snapshotContestants } from './lectern-runs.ts';
import { type Cost, measureAll } from './measure.ts';
import { formatTable, makeResults, measureBodies, measureCache } from './results.ts';

/**
 * `npm run bench -- --articles 5000 [--languages en,de,ja] [--runs 3] [--others all|hugo|none] [--lectern all|snapshot|online]
 * [--json FILE]`: generates a corpus and builds it with Hugo (Debian package `hugo`), with `all` Eleventy and Pagefind
 * (fetched from npm into the temporary folder), and with Lectern: from nothing, then after each kind of edit; on a snapshot,
 * then online with images and statistics from a server on this machine. Turn by turn; prints the medians.
 */
const { values } = parseArgs({
  options: {
    articles: { type: 'string', default: '1000' },
    languages: { type: 'string', default: 'en,de,ja' },
    runs: { type: 'string', default: '3' },
    others: { type: 'string', default: 'hugo' },
    lectern: { type: 'string', default: 'all' },
    json: { type: 'string' },
    work: { type: 'string', default: join(tmpdir(), 'lectern-bench') },
  },
});
const languages = values.languages.split(',');
const settings = { articles: Number(values.articles), languages };
const work = resolve(values.work, `${values.articles}x${languages.length}`);
const tools = resolve(values.work, 'tools');

generateProject(work, values, values.others !== 'none');
const bodyBytes = await measureBodies(join(work, '.lectern'));
if (values.others === 'all') installTools();
const helpCentre = values.lectern === 'snapshot' ? null : await startHelpCentre(settings);
const contestants: readonly Contestant[] = [
  ...(values.others === 'none' ? [] : hugoContestants(work, languages, tools)),
  ...(values.others === 'all' ? eleventyContestants(work, tools) : []),
  ...(values.lectern === 'online' ? [] : snapshotContestants(work, settings)),
  ...(helpCentre === null ? [] : onlineContestants(join(work, 'online'), settings, helpCentre)),
];
const measured = contestants.map(({ name }) => ({
  name,
  costs: [] as Cost[],
  cacheBytes: null as number | null,
}));
for (let run = 0; run < Number(values.runs); run++) {
  for (const [at, { name, prepare, commands, cache }] of contestants.entries()) {
    await prepare(run);
    const cost = measureAll(commands);
    const result = measured[at];
    result?.costs.push(cost);
    if (result !== undefined && cache !== undefined) result.cacheBytes = measureCache(cache);
    console.error(`run ${run + 1}: ${name}: ${(cost.wallMs / 1000).toFixed(2)} s`);
  }
}
helpCentre?.stop();
const results = makeResults({ ...settings, bodyBytes }, measured);
console.log(formatTable(results));
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);

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

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { constructs, type MakeBody } from './corpus/constructs.ts';
import type { Corpus } from './corpus/corpus.ts';
import { hostileCorpora, oneBody } from './corpus/hostile.ts';
import { markdownConstructs } from './corpus/markdown-constructs.ts';
import { corpusBaseUrl, writeSnapshot } from './corpus/write-snapshot.ts';
import { type Cost, measure } from './measure.ts';
import { checkManifest } from './whole-build.ts';

/**
 * `npm run stress:hostile -- [--only TEXT] [--bytes N]`: builds knowledge bases nobody would write, and prints what each
 * cost; then, for many constructs of HTML and Markdown, bodies that repeat it in N, 2N and 4N bytes, and how the CPU time of
 * the whole build grows. A run that fails, whose feed does not match its manifest, or that grows faster than its body ends the script.
 */
const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, bytes: { type: 'string', default: '1000000' } },
});
const work = join(tmpdir(), 'lectern-stress-hostile');
const bytes = Number(values.bytes);
const siteUrl = 'https://help.pebblepost.example';

/** Allowed growth of the cost from twice to four times the size: 2 is linear, 4 quadratic; includes measuring noise. */
const maxGrowth = 3.2;
/** Shorter times are not meaningful. */
const leastMs = 1000;

const wanted = (name: string): boolean => name.includes(values.only);

console.log('| | wall | CPU | peak memory |\n|---|---:|---:|---:|');
for (const [name, corpus] of Object.entries(hostileCorpora).filter(([name]) => wanted(name))) {
  const { wallMs, cpuMs, peakMb } = await build(corpus);
  console.log(`| ${name} | ${seconds(wallMs)} | ${seconds(cpuMs)} | ${peakMb.toFixed(0)} MB |`);
}

console.log(
  `\n| one construct, CPU of | ${bytes} B | twice | four times | growth |\n|---|---:|---:|---:|---:|`,
);
const steep: string[] = [];
await measureGrowth(constructs, (body) => build(oneBody(body)));
await measureGrowth(
  Object.fromEntries(Object.entries(markdownConstructs).map(([name, make]) => [`Markdown: ${name}`, make])),
  buildPage,
);
rmSync(work, { recursive: true, force: true });
if (steep.length > 0) throw new Error(`the time grows faster than the body: ${steep.join(', ')}`);

async function measureGrowth(
  constructs: Readonly<Record<string, MakeBody>>,
  build: (body: string) => Promise<Cost>,
): Promise<void> {
  const cpuOf = async (body: string): Promise<number> => (await build(body)).cpuMs;
  /** Cost of a build independent of the body. */
  const start = await cpuOf('<p>x</p>');
  for (const [name, make] of Object.entries(constructs).filter(([name]) => wanted(name))) {
    const [one, two, four] = [
      await cpuOf(make(bytes)),
      await cpuOf(make(2 * bytes)),
      await cpuOf(make(4 * bytes)),
    ];
    const growth = (four - start) / Math.max(two - start, leastMs / 10);
    console.log(`| ${name} | ${seconds(one)} | ${seconds(two)} | ${seconds(four)} | ${growth.toFixed(1)} |`);
    if (growth > maxGrowth && four - two > leastMs) steep.push(name);
  }
}

/** Builds a folder with one page of Markdown. */
async function buildPage(body: string): Promise<Cost> {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, 'docs'), { recursive: true });
  writeFileSync(join(work, 'docs', 'page.md'), `# Long\n\nText.\n\n${body}`);
  const args = [resolve('lib/bin.js'), 'build', '--quiet', '--source', './docs', '--site-url', siteUrl];
  const cost = measure({ file: process.execPath, args, cwd: work });
  checkManifest(join(work, 'dist'));
  return cost;
}

async function build(corpus: Corpus): Promise<Cost> {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  await writeSnapshot(join(work, '.lectern'), corpus, 'en');
  const config = { baseUrl: corpusBaseUrl, siteUrl };
  writeFileSync(join(work, 'lectern.config.json'), JSON.stringify(config));
  const args = [resolve('lib/bin.js'), 'build', '--offline', '--quiet'];
  const cost = measure({ file: process.execPath, args, cwd: work });
  checkManifest(join(work, 'dist'));
  return cost;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

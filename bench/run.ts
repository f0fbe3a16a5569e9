import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type BuiltCorpus, corpusKinds, openCorpus, realSizes } from './corpora.ts';
import { type Cost, measure, measureAll } from './measure.ts';
import { profileBuild } from './profile.ts';
import { type OtherProgram, otherPrograms, type Program, prepareBaseline, prepareNode } from './programs.ts';
import { type BenchResults, type BuildResult, formatTable, makeResults, measureCache } from './results.ts';

/**
 * `npm run bench -- [--corpus generated|api|folder|DIR] [--articles 1000] [--languages en,de,ja] [--sizes] [--runs 3] [--baseline COMMIT]
 * [--nodes 22,24] [--others hugo|all|none] [--builds cold,body] [--profile] [--json FILE]`: builds one corpus with the working tree, with another
 * commit, on other versions of Node and with other programs, by turns, so that all ratios are of the same minutes. A baseline is built in a folder of
 * its own, with its own packages.
 *
 * `--sizes` measures the sizes that people have, one table each, instead of one corpus. `--profile` does not compare: it prints where the
 * processor's time of each build goes, by subsystem and thread.
 */
const { values } = parseArgs({
  options: {
    corpus: { type: 'string', default: corpusKinds.generated },
    articles: { type: 'string', default: '1000' },
    languages: { type: 'string', default: 'en,de,ja' },
    sizes: { type: 'boolean', default: false },
    runs: { type: 'string', default: '3' },
    baseline: { type: 'string' },
    nodes: { type: 'string' },
    others: { type: 'string', default: 'hugo' },
    builds: { type: 'string' },
    profile: { type: 'boolean', default: false },
    json: { type: 'string' },
    work: { type: 'string', default: join(tmpdir(), 'lectern-bench') },
  },
});
const { corpus: kind, work } = values;
const asked = values.builds?.split(',');
const here: Program = { name: 'working tree', folder: resolve('.'), node: process.execPath };
const programs = [
  here,
  ...(values.baseline === undefined ? [] : [prepareBaseline(values.baseline, work)]),
  ...(values.nodes?.split(',') ?? []).map((version) => ({ ...here, ...prepareNode(version, work) })),
];
const given = { kind, articles: Number(values.articles), languages: values.languages.split(',') };
const reports: BenchResults[] = [];
for (const { kind, ...settings } of values.sizes ? realSizes : [given]) {
  const corpus = await openCorpus(kind, settings, programs, work);
  try {
    const names = corpus.builds.map(({ name }) => name);
    if (asked?.some((name) => !names.includes(name)))
      throw new Error(`no such build; there are ${names.join(', ')}`);
    if (values.profile) await profileAll(corpus);
    else {
      const isCompared = kind === corpusKinds.generated && !values.sizes;
      const others = isCompared ? await otherPrograms(values.others, settings, work) : [];
      const report = makeResults({ corpus: kind, ...settings }, await compareAll(corpus, others));
      console.log(
        `${formatTable(
          report,
          programs.map(({ name }) => name),
          others.map(({ name }) => name),
        )}\n`,
      );
      reports.push(report);
    }
  } finally {
    corpus.close();
  }
}
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify(values.sizes ? reports : reports[0], null, 2)}\n`);

async function profileAll(corpus: BuiltCorpus): Promise<void> {
  const profiled = asked ?? ['cold', 'body'];
  // The builds before the first one that is asked for make the output that it changes.
  const last = corpus.builds.findLastIndex(({ name }) => profiled.includes(name));
  for (const build of corpus.builds.slice(0, last + 1)) {
    await build.edit(0);
    for (const program of programs) {
      const command = build.command(program);
      await build.prepare(program);
      if (profiled.includes(build.name)) console.log(profileBuild(`${build.name}, ${program.name}`, command));
      else measureAll([command]);
    }
  }
}

/** What replacing an output by an equal one costs, without Lectern. On a copy: links change files, and the next build would look at them again. */
function measureNewTree(out: string): Cost {
  const copy = join(work, 'new-tree');
  rmSync(copy, { recursive: true, force: true });
  cpSync(out, copy, { recursive: true });
  const file = fileURLToPath(new URL('new-tree.js', import.meta.url));
  return measure({ file: process.execPath, args: [file, copy], cwd: work });
}

async function compareAll(
  corpus: BuiltCorpus,
  others: readonly OtherProgram[],
): Promise<readonly BuildResult[]> {
  const results = new Map<string, BuildResult>();
  const note = (build: string, program: string, cost: Cost, cacheBytes: number | null = null): void => {
    const result = results.get(`${build} ${program}`) ?? { build, program, costs: [], cacheBytes };
    results.set(`${build} ${program}`, { ...result, costs: [...result.costs, cost], cacheBytes });
    console.error(`${build}, ${program}: ${(cost.cpuMs / 1000).toFixed(2)} s of processor`);
  };
  for (let run = 0; run < Number(values.runs); run++) {
    for (const { name, prepare, commands } of others) {
      prepare();
      note('cold', name, measureAll(commands));
    }
    for (const build of corpus.builds) {
      const isMeasured = asked?.includes(build.name) ?? true;
      // An edit after an edit; the first build has nothing before it.
      if (!isMeasured && !(run === 0 && build.name === 'cold')) continue;
      await build.edit(run);
      for (const program of run % 2 === 0 ? programs : programs.toReversed()) {
        await build.prepare(program);
        const cost = measureAll([build.command(program)]);
        note(build.name, program.name, cost, measureCache(corpus.cacheOf(program)));
      }
      if (build.name === 'body')
        note('the new tree of an edit', here.name, measureNewTree(corpus.outOf(here)));
    }
  }
  return [...results.values()];
}

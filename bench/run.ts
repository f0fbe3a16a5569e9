import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { corpusKinds, openCorpus } from './corpora.ts';
import { type Cost, measureAll } from './measure.ts';
import { profileBuild } from './profile.ts';
import { otherPrograms, type Program, prepareBaseline } from './programs.ts';
import { type BuildResult, formatTable, makeResults, measureCache } from './results.ts';

/**
 * `npm run bench -- [--corpus generated|api|folder|DIR] [--articles 1000] [--languages en,de,ja] [--runs 3] [--baseline COMMIT]
 * [--others hugo|all|none] [--builds cold,body] [--profile] [--json FILE]`: builds one corpus with the working tree, with another commit and with
 * other programs, by turns, so that all ratios are of the same minutes. A baseline is built in a folder of its own, with its own packages.
 *
 * `--profile` does not compare: it prints where the processor's time of each build goes, by subsystem and thread.
 */
const { values } = parseArgs({
  options: {
    corpus: { type: 'string', default: 'generated' },
    articles: { type: 'string', default: '1000' },
    languages: { type: 'string', default: 'en,de,ja' },
    runs: { type: 'string', default: '3' },
    baseline: { type: 'string' },
    others: { type: 'string', default: 'hugo' },
    builds: { type: 'string' },
    profile: { type: 'boolean', default: false },
    json: { type: 'string' },
    work: { type: 'string', default: join(tmpdir(), 'lectern-bench') },
  },
});
const settings = { articles: Number(values.articles), languages: values.languages.split(',') };
const here: Program = { name: 'working tree', folder: resolve('.') };
const programs = [
  here,
  ...(values.baseline === undefined ? [] : [prepareBaseline(values.baseline, values.work)]),
];
const corpus = await openCorpus(values.corpus, settings, programs, values.work);
try {
  const builds = corpus.builds.filter(({ name }) => values.builds?.split(',').includes(name) ?? true);
  if (builds.length === 0)
    throw new Error(`no such build; there are ${corpus.builds.map(({ name }) => name).join(', ')}`);
  if (values.profile) await profileAll();
  else await compareAll();
} finally {
  corpus.close();
}

async function profileAll(): Promise<void> {
  // The builds before the first one that is asked for make the output that it changes.
  const last = values.builds?.split(',').at(-1) ?? 'body';
  for (const build of corpus.builds.slice(0, corpus.builds.findIndex(({ name }) => name === last) + 1)) {
    await build.edit(0);
    for (const program of programs) {
      const command = build.command(program);
      await build.prepare(program);
      if (values.builds?.split(',').includes(build.name) ?? ['cold', 'body'].includes(build.name))
        console.log(profileBuild(`${build.name}, ${program.name}`, command));
      else measureAll([command]);
    }
  }
}

async function compareAll(): Promise<void> {
  const others =
    values.corpus === corpusKinds.generated ? otherPrograms(values.others, settings, values.work) : [];
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
      const isMeasured = values.builds?.split(',').includes(build.name) ?? true;
      // An edit after an edit; the first build has nothing before it.
      if (!isMeasured && !(run === 0 && build.name === 'cold')) continue;
      await build.edit(run);
      for (const program of run % 2 === 0 ? programs : programs.toReversed()) {
        await build.prepare(program);
        const cost = measureAll([build.command(program)]);
        note(build.name, program.name, cost, measureCache(corpus.cacheOf(program)));
      }
    }
  }
  const report = makeResults({ corpus: values.corpus, ...settings }, [...results.values()]);
  console.log(
    formatTable(
      report,
      programs.map(({ name }) => name),
      others.map(({ name }) => name),
    ),
  );
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
}

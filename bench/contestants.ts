import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { editSnapshot } from './corpus/edit-snapshot.ts';
import { type Command, type Cost, measure } from './measure.ts';

/** One line of the table: something that is measured again and again on the same corpus. */
export interface Contestant {
  readonly name: string;
  /** Brings the files into the state the run starts from; not measured. */
  readonly prepare: (run: number) => void | Promise<void>;
  readonly commands: readonly Command[];
}

const bench = resolve('bench');

/** The ways of Lectern, in the order they must be run: from nothing, with nothing changed, with one article changed, with another. */
export function lecternContestants(work: string): readonly Contestant[] {
  const cache = join(work, '.lectern');
  const out = join(work, 'dist');
  const build = {
    file: process.execPath,
    args: [resolve('lib/bin.js'), 'build', '--offline', '--quiet'],
    cwd: work,
  };
  return [
    {
      name: 'Lectern, everything, cold',
      prepare() {
        rmSync(out, { recursive: true, force: true });
        for (const name of readdirSync(cache)) {
          if (!name.startsWith('snapshot')) rmSync(join(cache, name), { recursive: true });
        }
      },
      commands: [build],
    },
    { name: 'Lectern, nothing changed', prepare: () => {}, commands: [build] },
    {
      name: 'Lectern, one article changed',
      prepare: (run) => editSnapshot(cache, run * 7, `Edited for run ${run}.`),
      commands: [build],
    },
    {
      // From the second change on, a run grows in the tree of the run before the last one.
      name: 'Lectern, another article changed',
      prepare: (run) => editSnapshot(cache, run * 7 + 3, `Edited for run ${run}, too.`),
      commands: [build],
    },
  ];
}

/** Hugo with the site alone, with feed templates too, and with Pagefind after it where that is installed. */
export function hugoContestants(
  work: string,
  languages: readonly string[],
  tools: string,
): readonly Contestant[] {
  writeFileSync(join(work, 'languages.toml'), languagesToml(languages));
  const hugo = (out: string, files: readonly string[]): Command => ({
    file: 'hugo',
    args: [
      '--quiet',
      '--destination',
      out,
      '--config',
      [...files.map((name) => join(bench, 'hugo', name)), 'languages.toml'].join(','),
    ],
    cwd: work,
    env: { HUGO_LAYOUTDIR: join(bench, 'hugo/layouts') },
  });
  const empty = (out: string) => () => rmSync(join(work, out), { recursive: true, force: true });
  const withFeed = hugo('hugo-feed', ['hugo.toml', 'feed.toml']);
  const pagefind = join(tools, 'node_modules/.bin/pagefind');
  const contestants: Contestant[] = [
    { name: 'Hugo, site only', prepare: empty('hugo'), commands: [hugo('hugo', ['hugo.toml'])] },
    { name: 'Hugo, site and feed', prepare: empty('hugo-feed'), commands: [withFeed] },
  ];
  if (existsSync(pagefind)) {
    const index = { file: pagefind, args: ['--site', 'hugo-feed'], cwd: work };
    contestants.push({
      name: 'Hugo, site and feed, then Pagefind',
      prepare: empty('hugo-feed'),
      commands: [withFeed, index],
    });
  }
  return contestants;
}

/** Eleventy with the site alone. */
export function eleventyContestants(work: string, tools: string): readonly Contestant[] {
  const program = join(tools, 'node_modules/.bin/eleventy');
  if (!existsSync(program)) return [];
  return [
    {
      name: 'Eleventy, site only',
      prepare() {
        rmSync(join(work, 'eleventy'), { recursive: true, force: true });
        mkdirSync(join(work, 'eleventy'));
        cpSync(join(bench, 'eleventy/eleventy.config.js'), join(work, 'eleventy.config.js'));
      },
      commands: [
        {
          file: process.execPath,
          args: [program, '--config', 'eleventy.config.js', '--output', 'eleventy', '--quiet'],
          cwd: work,
          // Relative, since Eleventy takes its folders no other way.
          env: { CORPUS_LAYOUTS: relative(work, join(bench, 'eleventy/_includes')) },
        },
      ],
    },
  ];
}

/** Measures one run of a contestant: the sum over its commands, which follow one another. */
export async function measureRun(contestant: Contestant, run: number): Promise<Cost> {
  await contestant.prepare(run);
  const costs = contestant.commands.map(measure);
  return {
    wallMs: costs.reduce((sum, { wallMs }) => sum + wallMs, 0),
    cpuMs: costs.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    peakMb: Math.max(...costs.map(({ peakMb }) => peakMb)),
  };
}

function languagesToml(languages: readonly string[]): string {
  const tables = languages.map(
    (tag, index) =>
      `[languages.${tag}]\ncontentDir = "content/${tag}"\nlanguageName = "${tag}"\nweight = ${index + 1}\n`,
  );
  return tables.join('\n');
}

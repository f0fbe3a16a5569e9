import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Contestant } from './contestants.ts';
import { editSnapshot } from './corpus/edit-snapshot.ts';
import type { CorpusEdit } from './corpus/edits.ts';
import type { HelpCentre, HelpCentreSettings } from './help-centre.ts';

/** Changes before each build, in order. */
const scenarios: readonly (readonly [
  name: string,
  edit: (run: number, articles: number) => CorpusEdit | null,
])[] = [
  ['nothing changed', () => null],
  ['views counted', () => ({ kind: 'views' })],
  // It links every file; later ones find most of them linked.
  ['first edit after a cold build', (run, articles) => edit('body', [run * 7 + 1], articles, 'first', run)],
  ['one body edited in one language', (run, articles) => edit('body', [run * 7], articles, 'first', run)],
  ['one body edited in all languages', (run, articles) => edit('body', [run * 7 + 3], articles, 'all', run)],
  ['one title edited', (run, articles) => edit('title', [run * 7 + 5], articles, 'first', run)],
  [
    '1 % of the articles edited',
    (run, articles) => {
      const count = Math.max(1, Math.round(articles / 100));
      return edit(
        'body',
        Array.from({ length: count }, (_, at) => at * 97 + run),
        articles,
        'all',
        run,
      );
    },
  ],
];

/** Lectern on a snapshot: no network, statistics, no images to copy. */
export function snapshotContestants(work: string, { articles }: HelpCentreSettings): readonly Contestant[] {
  const cache = join(work, '.lectern');
  return runsOf('Lectern', work, ['--offline'], {
    forget() {
      for (const name of readdirSync(cache)) {
        if (!name.startsWith('snapshot')) rmSync(join(cache, name), { recursive: true });
      }
    },
    edit: (change, run) =>
      editSnapshot(cache, change, new Date(Date.UTC(2026, 8, 1) + run * 1000).toISOString()),
    articles,
  });
}

/** Lectern as an hourly job: it asks the API and the image server what changed. */
export function onlineContestants(
  work: string,
  { articles, languages }: HelpCentreSettings,
  { origin, edit: editServed }: HelpCentre,
): readonly Contestant[] {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const config = {
    baseUrl: `${origin}/v1`,
    siteUrl: 'https://help.pebblepost.example',
    defaultLanguage: languages[0],
    languages,
    site: { title: 'Pebblepost Help' },
    content: { hosts: [origin] },
  };
  writeFileSync(join(work, 'lectern.config.json'), JSON.stringify(config));
  return runsOf('Lectern online, with images', work, ['--insecure-loopback'], {
    forget: () => rmSync(join(work, '.lectern'), { recursive: true, force: true }),
    edit: editServed,
    articles,
  });
}

interface Corpus {
  /** Removes what earlier runs left. */
  readonly forget: () => void;
  readonly edit: (edit: CorpusEdit, run: number) => Promise<void>;
  readonly articles: number;
}

function runsOf(
  name: string,
  work: string,
  flags: readonly string[],
  { forget, edit: change, articles }: Corpus,
): readonly Contestant[] {
  const build = {
    file: process.execPath,
    args: [resolve('lib/bin.js'), 'build', '--quiet', ...flags],
    cwd: work,
    env: { LECTERN_API_KEY: 'benchmark' },
  };
  const rest = { commands: [build], cache: join(work, '.lectern') };
  const cold: Contestant = {
    name: `${name}, cold`,
    prepare() {
      rmSync(join(work, 'dist'), { recursive: true, force: true });
      forget();
    },
    ...rest,
  };
  const edited = scenarios.map(
    ([what, editOf]): Contestant => ({
      name: `${name}, ${what}`,
      async prepare(run) {
        const next = editOf(run, articles);
        if (next !== null) await change(next, run);
      },
      ...rest,
    }),
  );
  return [cold, ...edited];
}

function edit(
  kind: 'body' | 'title',
  places: readonly number[],
  articles: number,
  languages: 'first' | 'all',
  run: number,
): CorpusEdit {
  return {
    kind,
    articles: [...new Set(places.map((place) => place % articles))],
    languages,
    note: `run ${run}`,
  };
}

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CorpusEdit } from './corpus/edits.ts';
import { type HelpCentre, type HelpCentreSettings, startHelpCentre } from './help-centre.ts';
import type { Command } from './measure.ts';
import type { Program } from './programs.ts';

/** The corpora that a benchmark can generate; any other name is a folder of Markdown, which is copied. */
export const corpusKinds = { generated: 'generated', api: 'api', folder: 'folder' } as const;

/** The sizes that people have: 2,349 pages from the API and from a folder, 392 in 28 languages, and 722 files of Markdown. */
export const realSizes: readonly (HelpCentreSettings & { readonly kind: string })[] = [
  { kind: corpusKinds.api, articles: 783, languages: ['en', 'de', 'ja'] },
  { kind: corpusKinds.folder, articles: 783, languages: ['en', 'de', 'ja'] },
  {
    kind: corpusKinds.api,
    articles: 14,
    languages: 'en ar bg cs da de el es et fi fr he hr hu it ja ko lt nl no pl pt ro ru sv th tr uk'.split(
      ' ',
    ),
  },
  { kind: corpusKinds.folder, articles: 722, languages: ['en'] },
];

/** A help centre that every program builds in a project of its own. */
export interface BuiltCorpus {
  /** In their order: each begins with what the one before left. */
  readonly builds: readonly MeasuredBuild[];
  readonly cacheOf: (program: Program) => string;
  readonly outOf: (program: Program) => string;
  readonly close: () => void;
}

export interface MeasuredBuild {
  readonly name: string;
  /** Changes the help centre, once for all programs. */
  readonly edit: (run: number) => Promise<void>;
  /** Does what is not measured, e.g. fetches the change. */
  readonly prepare: (program: Program) => Promise<void>;
  readonly command: (program: Program) => Command;
}

/**
 * - `generated`: a snapshot that is fetched before each build, which then runs offline
 * - `api`: builds ask the local server what changed, also for images and statistics
 * - `folder`: the same articles as Markdown, as `lectern pull` writes them
 */
export async function openCorpus(
  kind: string,
  settings: HelpCentreSettings,
  programs: readonly Program[],
  work: string,
): Promise<BuiltCorpus> {
  const isFolder = kind !== corpusKinds.generated && kind !== corpusKinds.api;
  const centre =
    isFolder && kind !== corpusKinds.folder
      ? null
      : await startHelpCentre({ ...settings, hasImages: kind === corpusKinds.api });
  const workOf = ({ name }: Program) => join(resolve(work), 'projects', name.replaceAll(' ', '-'));
  const command = (program: Program, ...args: readonly string[]): Command => ({
    file: program.node,
    args: [join(program.folder, 'lib/bin.js'), ...args],
    cwd: workOf(program),
    env: { LECTERN_API_KEY: 'benchmark' },
  });
  const build = isFolder
    ? ['build', '--quiet']
    : ['build', '--quiet', kind === corpusKinds.api ? '--insecure-loopback' : '--offline'];
  for (const program of programs) {
    const folder = workOf(program);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const configure = (isSource: boolean) =>
      writeFileSync(
        join(folder, 'lectern.config.json'),
        JSON.stringify(configOf(centre, isSource, settings)),
      );
    configure(isFolder && kind !== corpusKinds.folder);
    if (kind === corpusKinds.folder) {
      run(command(program, 'pull', 'kb', '--insecure-loopback'));
      configure(true);
    } else if (isFolder) cpSync(kind, join(folder, 'kb'), { recursive: true });
  }
  const change = (edit: CorpusEdit): Promise<void> => {
    if (!isFolder) return centre?.edit(edit) ?? Promise.resolve();
    for (const program of programs) editFolder(join(workOf(program), 'kb'), edit);
    return Promise.resolve();
  };
  const prepare = async (program: Program): Promise<void> => {
    if (kind === corpusKinds.generated) run(command(program, 'fetch', '--quiet', '--insecure-loopback'));
  };
  const { articles } = settings;
  const edits: [name: string, edit: (run: number) => CorpusEdit | null][] = [
    ['nothing', () => null],
    ['body', (run) => ({ ...texts('body', [run * 7], articles, run), languages: 'first' })],
    ['title', (run) => ({ ...texts('title', [run * 7 + 5], articles, run), languages: 'first' })],
    ['one-percent', (run) => texts('body', onePercent(articles, run), articles, run)],
  ];
  if (!isFolder) edits.splice(1, 0, ['views', () => ({ kind: 'views' })]);
  const start = ['--version', '--help'].map(
    (flag): MeasuredBuild => ({
      name: flag.slice(2),
      edit: async () => {},
      prepare: async () => {},
      command: (program) => command(program, flag),
    }),
  );
  return {
    builds: [
      {
        name: 'cold',
        edit: async () => {},
        async prepare(program) {
          await prepare(program);
          rmSync(join(workOf(program), 'dist'), { recursive: true, force: true });
          forget(join(workOf(program), '.lectern'), kind === corpusKinds.generated);
        },
        command: (program) => command(program, ...build),
      },
      ...edits.map(
        ([name, editOf]): MeasuredBuild => ({
          name,
          async edit(run) {
            const edit = editOf(run);
            if (edit !== null) await change(edit);
          },
          prepare,
          command: (program) => command(program, ...build),
        }),
      ),
      ...start,
    ],
    cacheOf: (program) => join(workOf(program), '.lectern'),
    outOf: (program) => join(workOf(program), 'dist'),
    close: () => centre?.stop(),
  };
}

function configOf(centre: HelpCentre | null, isFolder: boolean, { languages }: HelpCentreSettings): unknown {
  return {
    ...(isFolder
      ? { source: { kind: 'folder', path: 'kb' } }
      : { baseUrl: `${centre?.origin}/v1`, content: { hosts: [centre?.origin] } }),
    siteUrl: 'https://help.pebblepost.example',
    defaultLanguage: languages[0],
    ...(isFolder ? {} : { languages }),
    site: { title: 'Pebblepost Help' },
  };
}

function texts(kind: 'body' | 'title', places: readonly number[], articles: number, run: number) {
  return {
    kind,
    articles: [...new Set(places.map((place) => place % articles))],
    languages: 'all',
    note: `run ${run}`,
  } as const;
}

function onePercent(articles: number, run: number): readonly number[] {
  return Array.from({ length: Math.max(1, Math.round(articles / 100)) }, (_, at) => at * 97 + run);
}

/** Removes a cache, but not the snapshot that was fetched for the build. */
function forget(cache: string, hasSnapshot: boolean): void {
  if (!statSync(cache, { throwIfNoEntry: false })?.isDirectory()) return;
  for (const name of readdirSync(cache)) {
    if (!hasSnapshot || !name.startsWith('snapshot')) rmSync(join(cache, name), { recursive: true });
  }
}

/** Makes an edit of the corpus in Markdown files; their numbers are those of the sorted list, so that all programs edit the same ones. */
function editFolder(folder: string, edit: CorpusEdit): void {
  if (edit.kind === 'views') return;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .sort();
  for (const at of edit.articles) {
    const path = join(folder, files[at % files.length] ?? '');
    const text = readFileSync(path, 'utf8');
    const titled = text.replace(/^title: *"?(.*?)"?(?: \(run \d+\))?$/m, `title: "$1 (${edit.note})"`);
    writeFileSync(
      path,
      edit.kind === 'title' && titled !== text ? titled : `${text}\nEdited: ${edit.note}.\n`,
    );
  }
}

function run({ file, args, cwd, env }: Command): void {
  const { status, stderr } = spawnSync(file, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}:\n${stderr}`);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createCorpus } from './corpus/corpus.ts';
import type { CorpusEdit } from './corpus/edits.ts';
import { corpusBaseUrl, writeSnapshot } from './corpus/write-snapshot.ts';
import type { HelpCentre } from './help-centre.ts';
import { checkManifest, hashPages } from './whole-build.ts';

/** Two states of one knowledge base, published alternately. */
export type State = 'a' | 'b';

/** A project whose builds are killed. */
export interface KillProject {
  readonly out: string;
  /** Hash of the pages of a complete build of each state. */
  readonly pages: Readonly<Record<State, string>>;
  /** Makes the next build use this state. */
  show(state: State): Promise<void>;
  /** Removes everything from the cache that earlier runs left, except the state itself. */
  forget(): void;
  start(flags: readonly string[]): ChildProcess;
}

const languages = ['en', 'de'];

/** Builds two snapshots; the second one has one more article. */
export async function createSnapshotProject(work: string, articles: number): Promise<KillProject> {
  const cache = join(work, '.lectern');
  const snapshots = { a: join(work, 'snapshot-a'), b: join(work, 'snapshot-b') } as const;
  for (const [at, state] of (['a', 'b'] as const).entries()) {
    const corpus = createCorpus({
      articles: articles + at,
      languages,
      seed: state,
      sample: resolve('sample'),
    });
    await writeSnapshot(snapshots[state], corpus, 'en');
  }
  return createProject(work, { baseUrl: corpusBaseUrl }, ['--offline'], {
    show: async (state) => cpSync(snapshots[state], cache, { recursive: true }),
    forget: () => rmSync(cache, { recursive: true, force: true }),
  });
}

/** Builds from a help centre; the second state has counted views and some edited articles. */
export async function createOnlineProject(work: string, helpCentre: HelpCentre): Promise<KillProject> {
  const { origin } = helpCentre;
  const all = { languages: 'all', note: 'state b' } as const;
  const edits: readonly CorpusEdit[] = [
    { kind: 'views' },
    { kind: 'body', articles: [0, 1, 3], ...all },
    { kind: 'title', articles: [2], ...all },
  ];
  const config = { baseUrl: `${origin}/v1`, content: { hosts: [origin] } };
  return createProject(work, config, ['--insecure-loopback'], {
    async show(state) {
      await helpCentre.reset();
      for (const edit of state === 'a' ? [] : edits) await helpCentre.edit(edit);
    },
    forget: () => rmSync(join(work, '.lectern'), { recursive: true, force: true }),
  });
}

async function createProject(
  work: string,
  config: object,
  alwaysFlags: readonly string[],
  source: Pick<KillProject, 'show' | 'forget'>,
): Promise<KillProject> {
  const out = join(work, 'dist');
  mkdirSync(work, { recursive: true });
  const settings = { siteUrl: 'https://help.pebblepost.example', ...config };
  writeFileSync(join(work, 'lectern.config.json'), JSON.stringify(settings));
  const run = (args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [resolve('lib/bin.js'), ...args], {
      cwd: work,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, LECTERN_API_KEY: 'key-of-the-stress-test' },
    });
  // No article of the one snapshot is in the other.
  const start = (flags: readonly string[]): ChildProcess =>
    run(['build', '--quiet', '--allow-mass-delete', ...alwaysFlags, ...flags]);
  const publishWhole = async (state: State): Promise<string> => {
    source.forget();
    await source.show(state);
    await expectSuccess(start([]));
    checkManifest(out);
    return hashPages(out);
  };
  return {
    out,
    start,
    ...source,
    pages: { b: await publishWhole('b'), a: await publishWhole('a') },
  };
}

/** Waits for a build that is not killed. */
export async function expectSuccess(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`a build that nobody killed ended with ${code}`);
}

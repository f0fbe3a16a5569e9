import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRandom } from '../../bench/corpus/random.ts';
import { buildShardsWithKills } from '../../bench/kill-shards.ts';
import { parseYaml } from '../../src/core/yaml.ts';
import { readBlocks } from '../docs/support/read-blocks.ts';
import {
  finish,
  lecternEnvironment,
  lecternProgram,
  runLectern,
  startLectern,
  startServiceProcess,
} from '../support/lectern.ts';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';
import { everyNth } from '../support/properties.ts';
import { readTree } from '../support/read-tree.ts';
import { readRendered } from './support/shard-project.ts';

const articles = Array.from({ length: 300 }, (_, at) => {
  const id = `article${String(at).padStart(3, '0')}`;
  const body = `<h2>Part ${at}</h2><p>Text of ${id}. <a href="/article/article000">First</a></p>`;
  return { id, categoryId: null, texts: { en: { title: `Title ${at}`, body } } };
});

describe('shards that are built by processes', () => {
  let project: OfflineProject;
  beforeEach(async () => {
    project = await createOfflineProject();
    const config = { baseUrl: 'https://kb.example.com/v1', siteUrl: 'https://help.example.com' };
    writeFileSync(join(project.folder, 'lectern.config.json'), JSON.stringify(config));
    await project.write(articles, []);
  });
  afterEach(() => project.remove());

  const run = async (...args: readonly string[]) => {
    const { code, stderr } = await runLectern(args, { cwd: project.folder });
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
  };
  const shardFlags = (shard: number, out: string) =>
    ['build', '--offline', '--quiet', '--shard', `${shard}/2`, `--out=${out}`] as const;

  it('give the bytes of one build after any of them was killed and built again', async () => {
    const folderOf = (shard: number) => join(project.folder, `shards/${shard}`);
    const { killed } = await buildShardsWithKills(
      {
        folderOf,
        count: 2,
        start: (shard) => startLectern(shardFlags(shard, folderOf(shard)), { cwd: project.folder }),
      },
      3,
      createRandom(process.env.LECTERN_SEED ?? '1'),
    );
    expect(killed).toBeGreaterThanOrEqual(3);
    expect(readdirSync(join(project.folder, 'shards')).sort()).toEqual(['1', '2']);
    await expectMergedAsBuilt('shards/1', 'shards/2');
  });

  it('may have names that begin with dashes', async () => {
    await project.write(articles.slice(0, 200), []);
    await run(...shardFlags(1, './--x'));
    await run(...shardFlags(2, './-y'));
    for (const name of ['--x', '-y']) {
      expect(await readRendered(join(project.folder, name))).not.toHaveLength(0);
    }
    await expectMergedAsBuilt('./--x', './-y');
  });

  it.each(
    everyNth<[when: string, renamed: string, isPublished: boolean]>(2, [
      ['between the two renames of the swap', '.dist.previous', false],
      ['after the swap', 'dist', true],
    ]),
  )('are merged by the same command after a merge was killed %s', async (_when, renamed, isPublished) => {
    const merge = ['merge', 'shards/1', 'shards/2', '--out', 'dist'];
    const publish = async (...flags: readonly string[]) => {
      for (const shard of [1, 2]) await run(...shardFlags(shard, `shards/${shard}`), ...flags);
      const env = killedAfterRename(renamed);
      const killed = await finish(startLectern(merge, { cwd: project.folder, env }));
      const { code, stdout } = await runLectern(merge, { cwd: project.folder });
      return { signal: killed.signal, code, isUpToDate: stdout.includes('nothing since the last build') };
    };
    // The first output is swapped in by one rename.
    const first = { signal: isPublished ? 'SIGKILL' : null, code: 0, isUpToDate: true };
    expect(await publish()).toEqual(first);
    const edited = {
      id: 'article000',
      categoryId: null,
      texts: { en: { title: 'New', body: '<p>New.</p>' } },
    };
    await project.write([edited, ...articles.slice(1)], []);
    expect(await publish('--previous', 'dist')).toEqual({
      signal: 'SIGKILL',
      code: 0,
      isUpToDate: isPublished,
    });
    await run('verify', 'dist');
    expect(readFileSync(join(project.out, 'en/llms-full.txt'), 'utf8')).toContain('New.');
  });

  async function expectMergedAsBuilt(...shards: readonly string[]): Promise<void> {
    cpSync(project.cache, join(project.folder, '.copy'), { recursive: true });
    await run('merge', '--quiet', '--out', 'merged', ...shards);
    await run('build', '--offline', '--quiet', '--cache', '.copy', '--out', 'whole');
    expect(await readPublished(join(project.folder, 'merged'))).toEqual(
      await readPublished(join(project.folder, 'whole')),
    );
  }
});

describe('the Kubernetes recipe of docs/scale.md', () => {
  const page = fileURLToPath(new URL('../../docs/scale.md', import.meta.url));
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lectern-pods-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('publishes what one machine would, with a pod killed and restarted', async () => {
    const job = readJob(page);
    expect(job.command).toEqual(['sh', '-c']);
    const volume = join(folder, 'work');
    mkdirSync(volume);
    writeProgram(folder);
    const sample = fileURLToPath(new URL('../../sample', import.meta.url));
    const service = await startServiceProcess(sample, folder);
    /** Every pod has its own home and folder; they share only the volume. */
    const startPod = (name: string, commandLine: string, env = {}): ChildProcess => {
      const home = join(folder, name);
      mkdirSync(home, { recursive: true });
      const [shell = '', ...args] = job.command;
      const settings = {
        ...service.env,
        LECTERN_SITE_URL: 'https://help.example.com',
        HOME: home,
        TMPDIR: home,
        PATH: `${folder}/bin:${process.env.PATH}`,
        ...env,
      };
      return spawn(shell, [...args, commandLine.replaceAll('/work/', `${volume}/`)], {
        cwd: home,
        env: lecternEnvironment(settings),
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
    };
    const complete = async (child: ChildProcess) => {
      const { code, stdout, stderr } = await finish(child);
      expect({ code, output: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, output: '' });
    };
    const shard = (index: number) =>
      startPod(`pod-${index}`, job.args[0] ?? '', { JOB_COMPLETION_INDEX: String(index) });
    try {
      await complete(startPod('before', job.before));
      const doomed = shard(0);
      const ended = finish(doomed);
      await untilStaged(join(volume, 'shards'), doomed);
      if (doomed.pid !== undefined && doomed.exitCode === null) process.kill(-doomed.pid, 'SIGKILL');
      await ended;
      // restartPolicy: OnFailure
      for (let index = 0; index < job.completions; index += 2) {
        await Promise.all(
          [index, index + 1].filter((at) => at < job.completions).map((at) => complete(shard(at))),
        );
      }
      cpSync(join(volume, '.lectern'), join(folder, 'cache'), { recursive: true });
      await complete(startPod('after', job.after));
      await complete(
        startPod('alone', `lectern build --offline --cache ${folder}/cache --out ${folder}/whole`),
      );
    } finally {
      await service.stop();
    }
    const published = await readPublished(join(volume, 'dist'));
    expect(published.size).toBeGreaterThan(100);
    expect(published).toEqual(await readPublished(join(folder, 'whole')));
  });
});

/** Environment of a process that is killed once it has renamed something to a path with this ending. */
function killedAfterRename(name: string): Readonly<Record<string, string>> {
  const killer = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { renameSync } = fs;
    fs.renameSync = (from, to) => {
      renameSync(from, to);
      if (String(to).endsWith(${JSON.stringify(`/${name}`)})) process.kill(process.pid, 'SIGKILL');
    };
    syncBuiltinESMExports();`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(killer)}` };
}

interface Job {
  readonly completions: number;
  readonly command: readonly string[];
  readonly args: readonly string[];
  /** Command lines that the page says to run before and after the job. */
  readonly before: string;
  readonly after: string;
}

function readJob(page: string): Job {
  const block = readBlocks(page).find(({ code }) => code.includes('kind: Job'));
  const { spec } = parseYaml(block?.code ?? '') as {
    readonly spec: {
      readonly completions: number;
      readonly template: { readonly spec: { readonly containers: readonly Pick<Job, 'command' | 'args'>[] } };
    };
  };
  const [container = { command: [], args: [] }] = spec.template.spec.containers;
  const text = readFileSync(page, 'utf8');
  const lineOf = (command: string) =>
    new RegExp(`\`(lectern ${command} [^\`]*/work/[^\`]*)\``).exec(text)?.[1] ?? '';
  return { ...container, completions: spec.completions, before: lineOf('fetch'), after: lineOf('merge') };
}

/** `lectern` on the path of a pod. */
function writeProgram(folder: string): void {
  mkdirSync(join(folder, 'bin'));
  writeFileSync(
    join(folder, 'bin/lectern'),
    `#!/bin/sh\nexec "${process.execPath}" "${lecternProgram}" "$@"\n`,
  );
  chmodSync(join(folder, 'bin/lectern'), 0o755);
}

/** Resolves once a folder of a shard is staged, or the run has ended. */
async function untilStaged(shards: string, child: ChildProcess): Promise<void> {
  const isStaged = () => existsSync(shards) && readdirSync(shards).some((name) => name.includes('.staging-'));
  while (child.exitCode === null && !isStaged()) await setTimeout(2);
}

/** Files of an output, except the one that may change without an edit. */
async function readPublished(out: string): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map(await readTree(out));
  expect(files.delete('feed/manifest.json')).toBe(true);
  return files;
}

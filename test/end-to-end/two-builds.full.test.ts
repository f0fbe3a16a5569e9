import { existsSync } from 'node:fs';
import { cp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { type Finished, finish, runLectern, startLectern } from '../support/lectern.ts';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';
import { everyNth } from '../support/properties.ts';
import { readTree } from '../support/read-tree.ts';

/** Loaded before the program: between the two renames of a swap it waits for the signal to continue. */
const waiter = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { renameSync } = fs;
  fs.renameSync = (from, to) => {
    renameSync(from, to);
    if (!String(to).endsWith('.dist.previous')) return;
    const clock = new Int32Array(new SharedArrayBuffer(4));
    while (!fs.existsSync('go-on')) Atomics.wait(clock, 0, 0, 10);
  };
  syncBuiltinESMExports();`;
const waits = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(waiter)}` };

let project: OfflineProject;
beforeEach(async () => {
  project = createOfflineProject();
  const config = { baseUrl: 'https://kb.example.com/v1', siteUrl: 'https://help.example.com' };
  await writeFile(join(project.folder, 'lectern.config.json'), JSON.stringify(config));
});

const article = (title: string) => [
  { id: 'aaaaaaaaaa', categoryId: null, texts: { en: { title, body: '<p>Text.</p>' } } },
];
const build = ['build', '--offline', '--quiet'];

/** Lets the first build begin its swap and starts a second one, which must wait; then the first one goes on. */
async function buildMeanwhile(secondFlags: readonly string[]): Promise<readonly Finished[]> {
  const options = { cwd: project.folder };
  await project.write(article('One'), []);
  expect((await runLectern(build, options)).code).toBe(0);
  await project.write(article('Two'), []);
  // SQLite removes the shared memory and the journal, which a commit empties, at any time after the last connection is closed.
  const filter = (path: string) => !/-(?:shm|wal)$/.test(path);
  await cp(project.cache, join(project.folder, '.copy'), { recursive: true, filter });
  const first = finish(startLectern(build, { ...options, env: waits }));
  while (!existsSync(join(project.folder, '.dist.previous'))) await setTimeout(10);
  const second = startLectern(['build', '--offline', ...secondFlags], options);
  const finished = finish(second);
  await new Promise<void>((resolve) => {
    second.stderr?.on('data', (text: string) => text.includes('note: waiting for another run') && resolve());
    finished.then(() => resolve(), resolve);
  });
  await writeFile(join(project.folder, 'go-on'), '');
  return Promise.all([first, finished]);
}

it.each<[string, readonly string[], string]>([
  ['of the same output', ['--out', 'dist'], '.lectern'],
  ['of another output with the same cache', ['--out', 'other'], '.lectern'],
  ['of the same output with another cache', ['--out', 'dist', '--cache', '.copy'], 'dist'],
])('a second build %s waits for the first one, and says so', async (_what, flags, folder) => {
  const [first, second] = await buildMeanwhile(flags);
  expect([first?.code, second?.code]).toEqual([0, 0]);
  expect(second?.stderr).toMatch(
    new RegExp(`^note: waiting for another run to finish \\(process \\d+ on .*/${folder}\\)$`, 'm'),
  );
  const out = join(project.folder, flags[1] ?? '');
  expect([...(await readTree(out)).keys()]).toContain('en/article/aaaaaaaaaa-two/index.html');
});

it.each(
  everyNth<[how: string, flags: readonly string[], code: string]>(2, [
    [' with another cache', ['--cache', '.copy'], 'LOCKED'],
    ['', [], 'LOCKED'],
  ]),
)(
  'a second build in the middle of a swap%s is refused after a while, and disturbs nothing',
  async (_what, flags, code) => {
    const options = { cwd: project.folder };
    await project.write(article('One'), []);
    expect((await runLectern(build, options)).code).toBe(0);
    const before = await readTree(project.out);
    await project.write(article('Two'), []);
    const first = finish(startLectern(build, { ...options, env: waits }));
    const waiting = join(project.folder, '.dist.previous');
    while (!existsSync(waiting)) await setTimeout(10);

    const second = await runLectern([...build, ...flags], options);
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining(`error ${code}: process`) });
    // Nor does a command that only reads take the old output back from under the build.
    expect((await runLectern(['verify', 'dist'], options)).code).toBe(2);
    expect(existsSync(project.out)).toBe(false);
    expect(await readTree(waiting)).toEqual(before);

    await writeFile(join(project.folder, 'go-on'), '');
    expect((await first).code).toBe(0);
    expect([...(await readTree(project.out)).keys()]).toContain('en/article/aaaaaaaaaa-two/index.html');
    expect((await readdir(project.folder)).filter((name) => name.startsWith('.dist'))).toEqual([]);
  },
);

import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { finish, runLectern, startLectern } from '../support/lectern.ts';
import { createOfflineProject, type OfflineProject } from '../support/offline-project.ts';
import { readTree } from '../support/read-tree.ts';

/** Loaded before the program: the first of the two renames that swap an output in is the last thing the process does. */
const killer = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { renameSync } = fs;
  fs.renameSync = (from, to) => {
    renameSync(from, to);
    if (String(to).endsWith('.dist.previous')) process.kill(process.pid, 'SIGKILL');
  };
  syncBuiltinESMExports();`;
const killedThere = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(killer)}` };

describe('a build that is killed exactly between the two renames', () => {
  let project: OfflineProject;
  let before: ReadonlyMap<string, Buffer>;
  const article = (title: string) => [
    { id: 'aaaaaaaaaa', categoryId: null, texts: { en: { title, body: '<p>Text.</p>' } } },
  ];
  const build = ['build', '--offline', '--quiet'];
  const waiting = () => join(project.folder, '.dist.previous');

  beforeEach(async () => {
    project = createOfflineProject();
    const config = { baseUrl: 'https://kb.example.com/v1', siteUrl: 'https://help.example.com' };
    await writeFile(join(project.folder, 'lectern.config.json'), JSON.stringify(config));
    await project.write(article('One'), []);
    expect((await runLectern(build, { cwd: project.folder })).code).toBe(0);
    before = await readTree(project.out);
    await project.write(article('Two'), []);
    const { signal } = await finish(startLectern(build, { cwd: project.folder, env: killedThere }));
    expect(signal).toBe('SIGKILL');
  });

  it('leaves the complete old output next to its path', async () => {
    expect(existsSync(project.out)).toBe(false);
    expect(await readTree(waiting())).toEqual(before);
  });

  it('is made good by the next build', async () => {
    expect((await runLectern(build, { cwd: project.folder })).code).toBe(0);
    expect([...(await readTree(project.out)).keys()]).toContain('en/article/aaaaaaaaaa-two/index.html');
    expect((await readdir(project.folder)).filter((name) => name.startsWith('.dist'))).toEqual([]);
  });

  it('is made good by a next build that fails', async () => {
    await writeFile(join(project.cache, 'snapshot.db'), '');
    expect((await runLectern(build, { cwd: project.folder })).code).toBe(1);
    expect(await readTree(project.out)).toEqual(before);
  });

  it('is made good by verify', async () => {
    expect(await runLectern(['verify', 'dist'], { cwd: project.folder })).toMatchObject({ code: 0 });
    expect(await readTree(project.out)).toEqual(before);
    expect(existsSync(waiting())).toBe(false);
  });

  it('is made good by preview', async () => {
    const preview = startLectern(['preview', '--port', '0'], { cwd: project.folder });
    const finished = finish(preview);
    await new Promise((ready) => preview.stdout?.once('data', ready));
    expect(existsSync(waiting())).toBe(false);
    expect(existsSync(join(project.out, 'feed/manifest.json'))).toBe(true);
    preview.kill('SIGTERM');
    await finished;
  });
});

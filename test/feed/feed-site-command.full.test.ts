import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { reportSchema } from '../../src/core/report.ts';
import { openSiteProject, sitePage, siteUrl, smallSite } from '../pipeline/support/built-site.ts';
import { finish, runLectern, runLecternProcess, startLectern } from '../support/lectern.ts';
import { readTree } from '../support/read-tree.ts';

const pages = (text: string) =>
  Object.fromEntries(
    Array.from({ length: 120 }, (_, at) => [
      `pages/${at}.html`,
      sitePage(`Page ${at}`, `<h2 id="one">One</h2><p>${text} ${at}.</p><h2 id="two">Two</h2><p>More.</p>`),
    ]),
  );

const command = ['feed', 'build', '--site-url', siteUrl];

/** Loaded before the program: the disk is full when it locks the site. */
const fullForLock = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { writeFileSync } = fs;
  fs.writeFileSync = (file, ...rest) => {
    if (!String(file).includes('.build.lock')) return writeFileSync(file, ...rest);
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  };
  syncBuiltinESMExports();`;

/** Paths and contents without what differs between two runs: the time in the manifest, and the id of a new feed. */
async function contents(folder: string): Promise<Readonly<Record<string, string>>> {
  const tree = await readTree(folder);
  return Object.fromEntries(
    [...tree].map(([path, bytes]) => [
      path,
      path === 'feed/files.json' ? '' : bytes.toString().replace(/"(?:built_at|feed_id|day)": ?"[^"]*"/g, ''),
    ]),
  );
}

describe('lectern feed', () => {
  it('prints a report with --json, and ends with the exit codes of a build', async () => {
    const { folder, generate } = openSiteProject();
    const missing = await runLectern(command, { cwd: folder });
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('PATH_UNUSABLE')]);
    generate({ ...smallSite, 'llms.txt': 'own' });
    const strict = await runLectern([...command, '--strict'], { cwd: folder });
    expect([strict.code, strict.stderr]).toEqual([1, expect.stringContaining('STRICT')]);
    const { code, stdout } = await runLectern([...command, '--json'], { cwd: folder });
    const report = reportSchema.parse(JSON.parse(stdout));
    expect([code, report.out, report.articles]).toEqual([0, join(folder, 'build'), 3]);
    expect((await runLectern(['verify', 'build'], { cwd: folder })).code).toBe(0);
  });

  it('names the lock and the full disk, and no bug of Lectern, if it cannot be written', async () => {
    const { folder, site, generate } = openSiteProject();
    generate(smallSite);
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fullForLock)}` };
    const { code, stderr } = await runLecternProcess(command, { cwd: folder, env });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /error PATH_UNUSABLE: .*\.build\.lock.*no space is left.*\nhint: free some space/,
      ),
    ]);
    expect(Object.keys(await contents(site)).sort()).toEqual(Object.keys(smallSite).sort());
  });

  it('writes a whole feed when two runs are started at once', async () => {
    const { folder, site, generate } = openSiteProject();
    generate({ ...smallSite, ...pages('Text') });
    const runs = await Promise.all([
      runLectern(command, { cwd: folder }),
      runLectern(command, { cwd: folder }),
    ]);
    expect(runs.map(({ code, stderr }) => [code, code === 0 ? '' : stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    const verified = await runLectern(['verify', 'build'], { cwd: folder });
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('123 documents')]);
    expect(Object.keys(await contents(site)).filter((path) => path.includes('.writing'))).toEqual([]);
  });

  it('completes a run that was killed at any time, and never touches a file of the site', async () => {
    const { folder, site, generate } = openSiteProject();
    const generated = { ...smallSite, ...pages('Text') };
    const edited = { ...smallSite, ...pages('Another text') };
    generate(generated);
    expect((await runLectern(command, { cwd: folder })).code).toBe(0);
    generate(edited);
    const started = performance.now();
    expect((await runLectern(command, { cwd: folder })).code).toBe(0);
    const wholeMs = performance.now() - started;
    const expected = await contents(site);
    rmSync(join(folder, '.lectern'), { recursive: true });
    generate(generated);
    expect((await runLectern(command, { cwd: folder })).code).toBe(0);
    generate(edited);
    for (let turn = 1; turn <= 6; turn += 1) {
      const child = startLectern(command, { cwd: folder });
      const ended = finish(child);
      await setTimeout((wholeMs * (turn + 1)) / 8);
      child.kill('SIGKILL');
      await ended;
      const tree = await contents(site);
      for (const [path, text] of Object.entries(edited)) expect([path, tree[path]]).toEqual([path, text]);
    }
    const last = await runLectern(command, { cwd: folder });
    expect([last.code, last.stderr]).toEqual([0, expect.any(String)]);
    expect(last.stdout).not.toContain('SITE_FILE_KEPT');
    expect(await contents(site)).toEqual(expected);
    expect((await runLectern(['verify', 'build'], { cwd: folder })).code).toBe(0);
  });
});

import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { finish } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const bin = fileURLToPath(new URL('../../lib/bin.js', import.meta.url));
/** The user nobody. */
const uid = 65534;

/** Only root may start a program as another user. */
describe.skipIf(process.getuid?.() !== 0)('an output with files of another user', () => {
  const project = () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'docs'));
    for (const path of ['', 'docs']) chmodSync(join(folder, path), 0o755);
    chownSync(folder, uid, uid);
    const write = (text: string) => {
      writeFileSync(join(folder, 'docs/index.md'), '# Home\n');
      writeFileSync(join(folder, 'docs/a.md'), `# A\n\n${text}\n`);
    };
    const build = (umask = '022') =>
      finish(
        spawn('sh', ['-c', `umask ${umask} && exec "$@"`, 'sh', process.execPath, bin, 'build', 'docs'], {
          cwd: folder,
          uid,
          gid: uid,
          env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder },
        }),
      );
    const read = () => readFileSync(join(folder, 'dist/a/index.html'), 'utf8');
    return { folder, write, build, read };
  };

  it('is refused before anything is replaced if the folder is theirs, as after a container that ran as root', async () => {
    const { folder, write, build, read } = project();
    write('Old.');
    expect((await build()).code).toBe(0);
    chownSync(join(folder, 'dist'), 0, 0);
    write('New.');
    const { code, stderr } = await build();
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /\nerror OUTPUT_UNWRITABLE: the files in \S+\/dist cannot be replaced \(EACCES\)\nhint: another user may own them/,
      ),
    ]);
    expect(read()).toContain('Old.');
    expect(existsSync(join(folder, '.dist.lock'))).toBe(false);
    chownSync(join(folder, 'dist'), uid, uid);
    expect((await build()).code).toBe(0);
    expect(read()).toContain('New.');
  });

  it('is published with a link to a file of theirs, whose mode cannot be changed', async () => {
    const { folder, write, build, read } = project();
    write('Old.');
    expect((await build('077')).code).toBe(0);
    const theirs = join(folder, 'dist/404.html');
    chownSync(theirs, 0, 0);
    chmodSync(theirs, 0o666);
    write('New.');
    expect(await build('077')).toMatchObject({ code: 0 });
    expect(read()).toContain('New.');
    expect(statSync(theirs).uid).toBe(0);
  });

  it('may be written by a group that shares it, as all that is in it, and read by all whatever the umask', async () => {
    const { folder, write, build } = project();
    write('Text.');
    chmodSync(folder, 0o2775);
    expect((await build('002')).code).toBe(0);
    const modes = ['dist', 'dist/a'].map((path) => statSync(join(folder, path)).mode & 0o7777);
    expect(modes).toEqual([0o2775, 0o2775]);
    rmSync(join(folder, 'dist'), { recursive: true });
    for (const text of ['Text.', 'Changed.']) {
      write(text);
      expect((await build('077')).code).toBe(0);
      const readable = ['dist', 'dist/a', 'dist/index.html', 'dist/a/index.html'];
      expect(readable.map((path) => statSync(join(folder, path)).mode & 0o777)).toEqual([
        0o755, 0o755, 0o644, 0o644,
      ]);
    }
    expect((await build('077')).stdout).toContain('nothing since the last build');
    rmSync(join(folder, 'dist'), { recursive: true });
    expect((await build('000')).code).toBe(0);
    expect(statSync(join(folder, 'dist')).mode & 0o777).toBe(0o775);
  });

  it('is replaced if a folder in it is theirs, and the error names what is left to remove', async () => {
    const { folder, write, build, read } = project();
    write('Old.');
    expect((await build()).code).toBe(0);
    chownSync(join(folder, 'dist/a'), 0, 0);
    write('New.');
    const message =
      /error OUTPUT_UNWRITABLE: \S+\/\.dist\.previous cannot be removed: EACCES.*\nhint: the output is in place/;
    const { code, stderr } = await build();
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(read()).toContain('New.');
    expect(existsSync(join(folder, '.dist.lock'))).toBe(false);
    expect((await build()).stderr).toMatch(message);
    chownSync(join(folder, '.dist.previous/a'), uid, uid);
    expect((await build()).code).toBe(0);
  });
});

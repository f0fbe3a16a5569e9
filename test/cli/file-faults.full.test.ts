import { spawnSync } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lecternProgram, runLectern, type SeededService, serveSeed } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('a file or folder that cannot be used', () => {
  let folder: string;
  let service: SeededService;
  beforeAll(async () => {
    folder = temporaryFolder();
    await writeFile(join(folder, 'file'), '');
    await symlink('loop', join(folder, 'loop'));
    await writeFile(join(folder, 'seed.json'), '{"articles":[{"title":"Hello"}]}');
    service = await serveSeed('seed.json', folder);
  });
  afterAll(async () => {
    await service?.stop();
  });

  it.each([
    ['a file instead of a folder to pull into', ['pull', 'file']],
    ['a folder to pull into below a file', ['pull', 'file/kb']],
    ['a link in a circle to pull into', ['pull', 'loop']],
    ['an output that is a link in a circle', ['build', '--out', 'loop']],
    ['an output below a file', ['build', '--out', 'file/dist']],
    ['a cache that is a file', ['build', '--cache', 'file']],
    ['a cache that is a link in a circle', ['build', '--cache', 'loop']],
    ['a report that is a folder', ['build', '--report', '.']],
    ['a name that is too long', ['pull', 'x'.repeat(300)]],
  ])('is an error with a hint, not a defect: %s', async (_what, args) => {
    const { code, stderr } = await runLectern(args, { cwd: folder, env: service.env });
    expect(stderr).toMatch(/^error [A-Z_]+: .+\nhint: .+\n$/m);
    expect(stderr).not.toContain('bug:');
    expect(code).toBe(1);
  });

  it.skipIf(process.platform === 'win32')(
    'is an error with a hint if too few files may be open to start',
    () => {
      const command = 'ulimit -n 24; exec "$0" "$1" serve --data kb.sqlite --port 0';
      const args = ['-c', command, process.execPath, lecternProgram];
      const { status, stderr } = spawnSync('sh', args, { cwd: folder, encoding: 'utf8' });
      expect(stderr).toMatch(
        /^error PATH_UNUSABLE: .+\nhint: raise the limit of open files \(ulimit -n\)\n$/,
      );
      expect(status).toBe(1);
    },
  );
});

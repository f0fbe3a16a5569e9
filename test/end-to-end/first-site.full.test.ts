import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runLectern, serveSeed } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const sample = join(import.meta.dirname, '../../sample');

// The way of a new user through the compiled program. help-examples.full.test.ts runs every other command that the help shows, once.
it('sets up a project of a service, publishes site and feed, and finds nothing wrong with them', async () => {
  const folder = temporaryFolder();
  const service = await serveSeed(sample, folder);
  onTestFinished(() => service.stop());
  const lectern = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runLectern(args, { cwd: folder, env: service.env });
    expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
    return stdout;
  };
  const addresses = ['--base-url', service.baseUrl, '--site-url', 'https://help.example.com'];
  await lectern('init', ...addresses, '--title', 'Pebblepost', '--ci', 'gitlab');
  expect(await lectern('build')).toMatch(/^Published \d+ articles in 4 languages: /m);
  expect(await readFile(join(folder, 'dist/ja/index.html'), 'utf8')).toContain('Pebblepost');
  expect(await lectern('verify', 'dist')).toContain('no problems');
});

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finish, runLectern, type SeededService, serveSeed, startLectern } from '../support/lectern.ts';
import { readTree } from '../support/read-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const sample = fileURLToPath(new URL('../../sample', import.meta.url));

describe('a build that is killed', () => {
  let folder: string;
  let service: SeededService;

  const build = ['build', '--site-url', 'https://help.example.com'];
  const namesBesideOutput = async () =>
    (await readdir(folder)).filter((name) => name.startsWith('.dist')).sort();

  beforeAll(async () => {
    folder = temporaryFolder();
    service = await serveSeed(sample, folder);
  });
  afterAll(async () => {
    await service?.stop();
  });

  it('leaves the old output unchanged, and the next build cleans up', async () => {
    const options = { cwd: folder, env: service.env };
    const publish = async () => {
      expect((await runLectern(build, options)).code).toBe(0);
      return readTree(join(folder, 'dist'));
    };
    let before = await publish();

    // On a busy machine a build may be over before it was seen to write: then the next one is killed.
    for (let signal: NodeJS.Signals | null = null; signal !== 'SIGKILL'; ) {
      // Another site URL, because a build without changes would write nothing.
      const child = startLectern(['build', '--site-url', 'https://other.example.com'], options);
      const finished = finish(child);
      await Promise.race([appears(folder, '.dist.staging-', finished), finished]);
      child.kill('SIGKILL');
      signal = (await finished).signal;
      if (signal !== 'SIGKILL') before = await publish();
    }
    expect(await readTree(join(folder, 'dist'))).toEqual(before);
    expect(await namesBesideOutput()).toHaveLength(2);

    // Nothing to do: a build that finds the killed one's folder cleans up all the same.
    const after = await publish();
    expect(await namesBesideOutput()).toEqual([]);
    expect([...after.keys()]).toEqual([...before.keys()]);
  });
});

/** Resolves when the folder contains a name with this prefix, or after `end`. */
async function appears(folder: string, prefix: string, end: Promise<unknown>): Promise<void> {
  let isOver = false;
  end.finally(() => {
    isOver = true;
  });
  while (!isOver && !(await readdir(folder)).some((name) => name.startsWith(prefix))) {
    await setTimeout(2);
  }
}

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finish, type SeededService, serveSeed, startLectern } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('a command whose reader has gone', () => {
  let folder: string;
  let service: SeededService;
  beforeAll(async () => {
    folder = temporaryFolder();
    service = await serveSeed(join(import.meta.dirname, '../../sample'), folder);
  });
  afterAll(async () => {
    await service?.stop();
  });

  it.each([[['config']], [['kb', 'source']], [['build', '--json', '--out', 'closed']]])(
    'ends without a word and with the code of its work: %j',
    async (args) => {
      const child = startLectern(args, { cwd: folder, env: service.env });
      child.stdout?.destroy();
      const { code, stderr } = await finish(child);
      expect([code, stderr.replaceAll(/^\{"event":"progress".*\n/gm, '')]).toEqual([0, '']);
    },
  );
});

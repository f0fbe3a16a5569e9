import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder, startTestService } from '../service/support/service.ts';
import { corporaFolder, describeWithCorpora } from '../support/tools.ts';
import { clientOf, pull, push, readFiles } from './support.ts';

describeWithCorpora('pull and push of real knowledge bases', () => {
  it.each(['login-gov-help', 'opensource-guide', 'arduino-help'])(
    'makes no difference to %s',
    async (name) => {
      const first = clientOf(
        await startTestService({ seed: join(corporaFolder, `${name}.json`), requestsPerMinute: 0 }),
      );
      const second = clientOf(await startTestService({ requestsPerMinute: 0 }));
      const root = join(makeFolder(), 'kb');
      await pull(first, root);
      expect(await push(first, root)).toEqual([]);
      await push(second, root, { deletes: true }, 'https://other/v1');
      const copy = join(makeFolder(), 'copy');
      await pull(second, copy);
      expect(readFiles(copy)).toEqual(readFiles(root));
    },
    120_000,
  );
});

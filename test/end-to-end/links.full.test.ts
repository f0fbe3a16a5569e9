import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { everyNth } from '../support/properties.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { corporaFolder, describeWithCorpora } from '../support/tools.ts';
import { followLinks, isReported } from './support/follow-links.ts';

let parent: string;

beforeAll(() => {
  parent = temporaryFolder();
});

describeWithCorpora.each(everyNth(3, ['arduino-help', 'login-gov-help', 'opensource-guide']))(
  'links of %s',
  (name) => {
    it('lead to a page, or the build reports them', async () => {
      const { broken, report } = await followLinks(join(corporaFolder, `${name}.json`), parent);
      expect(broken.filter((link) => !isReported(link, report))).toEqual([]);
    });
  },
);

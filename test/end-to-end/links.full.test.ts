import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { everyNth } from '../support/properties.ts';
import { corporaFolder, describeWithCorpora } from '../support/tools.ts';
import { followLinks, isReported } from './support/follow-links.ts';

let parent: string;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'lectern-links-'));
});

afterAll(() => rm(parent, { recursive: true, force: true }));

describeWithCorpora.each(everyNth(3, ['arduino-help', 'login-gov-help', 'opensource-guide']))(
  'links of %s',
  (name) => {
    it('lead to a page, or the build reports them', async () => {
      const { broken, report } = await followLinks(join(corporaFolder, `${name}.json`), parent);
      expect(broken.filter((link) => !isReported(link, report))).toEqual([]);
    });
  },
);

import { describe, expect, test } from 'vitest';
import { findBrokenLinks } from '../support/find-broken-links.ts';
import { type BuiltSite, buildFiles } from './support/build-files.ts';
import { checkSite, origin } from './support/check-site.ts';
import { sampleBase } from './support/sample.ts';

/** Holds of a site whose authors made no mistake. */
function checkLinks(build: () => Promise<BuiltSite>): void {
  test('every URL within the site leads to a file, and every fragment to an element', async () => {
    const { files } = await build();
    expect(findBrokenLinks(files, origin)).toEqual([]);
  });
}

describe.each(['omit', 'notice', 'redirect'] as const)('a crawler finds, in mode %s, that', (mode) => {
  const build = () => buildFiles(sampleBase, { fallback: { mode, languages: {} } });
  checkSite(build);
  checkLinks(build);
});

describe('a crawler finds, in the docs look, that', () => {
  const build = () => buildFiles(sampleBase, { look: 'docs' });
  checkSite(build);
  checkLinks(build);
});

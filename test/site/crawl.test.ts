import { describe, expect, test } from 'vitest';
import { findBrokenLinks } from '../support/find-broken-links.ts';
import { type PublishedSite, publishSite } from '../support/publish-site.ts';
import { checkSite, origin } from './support/check-site.ts';
import { sampleRecords } from './support/sample.ts';

/** Holds of a site whose authors made no mistake. */
function checkLinks(build: () => Promise<PublishedSite>): void {
  test('every URL within the site leads to a file, and every fragment to an element', async () => {
    const { files } = await build();
    expect(findBrokenLinks(files, origin)).toEqual([]);
  });
}

describe.each(['omit', 'notice', 'redirect'] as const)('a crawler finds, in mode %s, that', (mode) => {
  const build = () => publishSite(sampleRecords, { site: { fallback: { mode } } });
  checkSite(build);
  checkLinks(build);
});

describe('a crawler finds, in the docs look, that', () => {
  const build = () => publishSite(sampleRecords, { site: { look: 'docs' } });
  checkSite(build);
  checkLinks(build);
});

import type { BuildRecord } from '../../../src/cache/records.ts';

/** A build record of one article without problems. */
export function buildRecord(changes: Partial<BuildRecord> = {}): BuildRecord {
  return {
    program: { description: 'program', stamp: 'stamp' },
    fingerprint: 'fingerprint',
    inputs: 'inputs',
    snapshot: null,
    copies: null,
    hasDownloads: false,
    report: {
      schema: 'lectern.report/1',
      error: null,
      out: '/somewhere/dist',
      languages: [{ language: 'en', articles: 1 }],
      articles: 1,
      categories: 0,
      pages: 1,
      seq: 1,
      renderedPages: 1,
      files: 1,
      bytes: 1,
      excluded: {},
      hiddenTranslations: 0,
      changes: 0,
      changedFiles: null,
      problems: [],
    },
    feed: { feedId: '0'.repeat(32), seq: 1 },
    feedRootHash: 'root',
    bits: 0,
    partitions: [],
    groups: {},
    ...changes,
  };
}

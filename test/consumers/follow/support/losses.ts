import { expect } from 'vitest';
import type { Manifest } from '../../../../src/feed/read/manifest.ts';
import { buildSample } from '../../../feed/support/build-sample.ts';
import { findText } from '../../../feed/support/memory-output.ts';
import { servePublished } from './conformance.ts';

/** A consumer under test, with one cursor. Returns the status or the code of the thrown error, and the number of stored documents. */
export type ApplyLoss = (address: string, allowMassDelete: boolean) => Promise<readonly [string, number]>;

/** @param first number of the first article */
const site = (count: number, german: number, first = 0) => ({
  languages: ['en', 'de'],
  articles: Array.from({ length: count }, (_, at) => ({
    id: `article0${String(first + at).padStart(2, '0')}`,
    pages: {
      en: { title: `Title ${at}`, markdown: 'Text.\n' },
      ...(at < german ? { de: { title: `Titel ${at}`, markdown: 'Text.\n' } } : {}),
    },
  })),
});

/** Poisoned and shrunken feeds: nothing is deleted without permission, and the true feed is applied afterwards. */
export async function checkLosses(apply: ApplyLoss): Promise<void> {
  const server = await servePublished();
  try {
    const first = await buildSample(site(10, 10));
    const publish = (output: typeof first, change: (manifest: Manifest) => object = (same) => same) => {
      const manifest = JSON.parse(output.text('feed/manifest.json')) as Manifest;
      server.publish((path) => {
        if (path === 'feed/manifest.json') return JSON.stringify(change(manifest));
        return findText(output, path);
      });
    };
    const poisoned =
      (fields: object) =>
      (manifest: Manifest): object => ({
        ...manifest,
        run: { ...manifest.run, seq: 99, state: 'f'.repeat(64) },
        ...fields,
      });
    publish(first);
    expect(await apply(server.address, false)).toEqual(['applied', 20]);

    publish(first, poisoned({ files: [], languages: [] }));
    expect(await apply(server.address, true)).toEqual(['FEED_INVALID', 20]);
    publish(first, poisoned({ files: [] }));
    expect(await apply(server.address, true)).toEqual(['FEED_INVALID', 20]);
    publish(first, (manifest) =>
      poisoned({ run: { ...manifest.run, feed_id: 'e'.repeat(32) }, files: [] })(manifest),
    );
    expect(await apply(server.address, false)).toEqual(['FEED_INVALID', 20]);

    // Files that contain less than the manifest claims: a part of a language is missing.
    const less = await buildSample(site(7, 7), { previous: first });
    const claims = (JSON.parse(first.text('feed/manifest.json')) as Manifest).languages;
    publish(less, (manifest) => ({ ...manifest, languages: claims }));
    expect(await apply(server.address, false)).toEqual(['MASS_DELETE', 20]);

    // A fifth is allowed in total and per language: 8 of 10 each, not 7 of 10 in German.
    const german = await buildSample(site(10, 7), { previous: first });
    publish(german);
    expect(await apply(server.address, false)).toEqual(['MASS_DELETE', 20]);
    const fifth = await buildSample(site(8, 8), { previous: first });
    publish(fifth);
    expect(await apply(server.address, false)).toEqual(['applied', 16]);

    // Nothing of a refused feed is stored, whether the manifest shows the loss or only the ids do.
    publish(await buildSample(site(4, 4, 20), { previous: fifth }));
    expect(await apply(server.address, false)).toEqual(['MASS_DELETE', 16]);
    publish(await buildSample(site(8, 8, 20), { previous: fifth }));
    expect(await apply(server.address, false)).toEqual(['MASS_DELETE', 16]);
    publish(fifth);
    expect(await apply(server.address, false)).toEqual(['unchanged', 16]);

    const half = await buildSample(site(4, 4), { previous: fifth });
    publish(half);
    expect(await apply(server.address, false)).toEqual(['MASS_DELETE', 16]);
    expect(await apply(server.address, true)).toEqual(['applied', 8]);
    publish(fifth);
    expect(await apply(server.address, true)).toEqual(['FEED_BEHIND', 8]);

    // One article in two languages may go from a help centre of four, two may not, nor the last one of a language.
    const three = await buildSample(site(3, 3), { previous: half });
    publish(three);
    expect(await apply(server.address, false)).toEqual(['applied', 6]);
    publish(await buildSample(site(1, 1), { previous: three }));
    expect(await apply(server.address, false)).toEqual(['MASS_DELETE', 6]);
    const single = await buildSample(site(3, 1), { previous: three });
    publish(single);
    expect(await apply(server.address, true)).toEqual(['applied', 4]);
    publish(await buildSample(site(3, 0), { previous: single }));
    expect(await apply(server.address, false)).toEqual(['MASS_DELETE', 4]);
  } finally {
    await server.stop();
  }
}

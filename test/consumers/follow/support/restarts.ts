import { expect } from 'vitest';
import { buildSample } from '../../../feed/support/build-sample.ts';
import { servePublished } from './conformance.ts';

/** A consumer under test, with one cursor. Returns the status, or the code of the thrown error. */
export type ApplyRestarted = (address: string) => Promise<string>;

/** Feeds that were started anew, with another id: only one that was built after the applied one is accepted. */
export async function checkRestarts(apply: ApplyRestarted): Promise<void> {
  const server = await servePublished();
  const build = (title: string, newFeedId: string, builtAt: string | null) =>
    buildSample(
      { languages: ['en'], articles: [{ id: 'article000', pages: { en: { title, markdown: 'Text.\n' } } }] },
      { newFeedId, builtAt },
    );
  try {
    for (const [title, id, builtAt, status] of [
      ['One', 'a', '2026-01-02T03:04:05.000Z', 'applied'],
      ['Old', 'b', '2026-01-02T03:04:04.999Z', 'FEED_BEHIND'],
      ['Same', 'b', '2026-01-02T03:04:05.000Z', 'FEED_BEHIND'],
      ['None', 'b', null, 'FEED_BEHIND'],
      ['New', 'b', '2026-01-02T03:04:05.001Z', 'applied'],
      ['One', 'a', '2026-01-02T03:04:05.000Z', 'FEED_BEHIND'],
    ] as const) {
      const output = await build(title, id.repeat(32), builtAt);
      server.publish((path) => output.text(path));
      expect([title, id, await apply(server.address)]).toEqual([title, id, status]);
    }
  } finally {
    await server.stop();
  }
}

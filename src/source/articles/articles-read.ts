import type { NetworkSettings } from '../../config/source-settings.ts';
import type { Http } from '../http.ts';
import type { ListSink } from '../listing/read-page.ts';
import type { BodyStore } from '../snapshot/body-store.ts';
import type { Snapshot } from '../snapshot/read-index.ts';
import type { ReadMode, ReadSettings } from '../source.ts';
import type { CollectedArticles } from './collect-articles.ts';

/** All articles as they are now, their bodies in the store. */
export interface ArticlesRead extends CollectedArticles {
  readonly mode: ReadMode;
  /** Time of the listing by the server's clock. */
  readonly listedAtMs: number;
  /** Time at which every body was last read, by ours. */
  readonly fullReadAtMs: number;
  /** Whether the list gives bodies. */
  readonly isListWithBodies: boolean;
  /** Validator of the whole list with all bodies, or `null`. */
  readonly etag: string | null;
  /** Articles that were asked for one by one. */
  readonly singleReads: number;
}

/** What reading articles through the API works with. */
export interface Reading {
  readonly http: Http;
  /** Takes the bodies. */
  readonly store: BodyStore;
  /** The last snapshot of this knowledge base, where there is a sound one. */
  readonly previous: Snapshot | null;
  readonly settings: ReadSettings & { readonly network: NetworkSettings };
}

/** The time by our clock, in milliseconds since 1970. */
export function timeMs({ settings }: Reading): number {
  return (settings.ports?.now ?? Date.now)();
}

/** A sink that reports how many records it has passed on; of about as many as the last time, where that is known. */
export function withProgress(sink: ListSink, { settings, previous }: Reading): ListSink {
  const { onProgress = () => {} } = settings;
  const expected = previous?.header.listed ?? null;
  let done = 0;
  return {
    async restart() {
      done = 0;
      await sink.restart();
    },
    async take(record) {
      await sink.take(record);
      done += 1;
      onProgress({ kind: 'articles', done, total: expected === null ? null : Math.max(expected, done) });
    },
  };
}

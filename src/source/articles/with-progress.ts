import type { ListSink } from '../listing/list-sink.ts';
import type { Reading } from './articles-read.ts';

/** A sink that tells how many records it has passed on; of about as many as the last time, where that is known. */
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

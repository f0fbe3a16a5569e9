import { diffFeeds } from '../feed/diff-feeds.ts';
import { openFeedReader } from '../feed/feed-reader.ts';

/** Runs `lectern feed diff`: prints what a consumer would do, a document a line, then the chunks in numbers. */
export async function runFeedDiff(flags: {
  readonly old: string;
  readonly new: string;
  readonly json: boolean | undefined;
}): Promise<void> {
  const diff = await diffFeeds(openFeedReader(flags.old).read, openFeedReader(flags.new).read);
  if (flags.json) {
    process.stdout.write(`${JSON.stringify(diff)}\n`);
    return;
  }
  const { from, to, by, documents, chunks } = diff;
  const lines = Object.entries(documents).flatMap(([op, ids]) => ids.map((id) => `${op} ${id}`));
  const summary = `run ${from} to ${to} by ${by}: embed ${chunks.embed.length} chunks, delete ${chunks.delete.length}, keep ${chunks.kept}`;
  process.stdout.write(`${[...lines, summary].join('\n')}\n`);
}

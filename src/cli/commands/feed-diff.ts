import { countOf } from '../../foundation/count-of.ts';
import { defineCommand, type FlagValues } from '../command.ts';
import { writeOutput } from '../terminal.ts';

const options = {
  config: {
    type: 'string',
    describe: 'Configuration file, read only for a URL',
  },
  json: { type: 'boolean', describe: 'Print the result as JSON' },
} as const;

/** `lectern feed diff`: what a consumer has to do to get from one feed to another. */
export const diffCommand = defineCommand({
  positionals: {
    old: { describe: 'Folder or URL of the older feed' },
    new: { describe: 'Folder or URL of the newer feed' },
  },
  options,
  examples: [['lectern feed diff https://help.example.com/ dist', 'What publishing dist would change']],
  run: runFeedDiff,
});

/** Runs `lectern feed diff`: prints what a consumer would do, one document per line, then the numbers of chunks. */
async function runFeedDiff(
  flags: FlagValues<typeof options> & { readonly old: string; readonly new: string },
): Promise<void> {
  const { openPublishedSite } = await import('../../pipeline/open-feed.ts');
  const { loadConfig } = await import('../../config/load-config.ts');
  const { diffFeeds } = await import('../../feed/history/diff-feeds.ts');
  const folder = process.cwd();
  const readConfig = () => loadConfig({ file: flags.config, environment: process.env, flags: {}, folder });
  const [before, after] = [
    await openPublishedSite(flags.old, readConfig, folder),
    await openPublishedSite(flags.new, readConfig, folder),
  ];
  const diff = await diffFeeds(before.read, after.read).finally(() =>
    Promise.all([before.close(), after.close()]),
  );
  if (flags.json) {
    writeOutput(`${JSON.stringify(diff)}\n`);
    return;
  }
  const { from, to, by, documents, chunks } = diff;
  const lines = Object.entries(documents).flatMap(([op, ids]) => ids.map((id) => `${op} ${id}`));
  const how = { nothing: 'no changes', changes: 'read the changes', snapshot: 'read the snapshot' }[by];
  const summary = `run ${from} to ${to} (${how}): ${countOf(chunks.embed.length, 'chunk')} to embed, ${chunks.delete.length} to delete, ${chunks.kept} unchanged`;
  writeOutput(`${[...lines, summary].join('\n')}\n`);
}

import { openPublishedSite } from '../../build/open-feed.ts';
import { loadConfig } from '../../config/load-config.ts';
import { diffFeeds } from '../../feed/history/diff-feeds.ts';
import { countOf } from '../../foundation/count-of.ts';
import { defineCommand, defineGroup } from '../parser/command.ts';
import { writeOutput } from '../terminal.ts';

const diffCommand = defineCommand({
  positionals: {
    old: { describe: 'Folder or URL of the older feed' },
    new: { describe: 'Folder or URL of the newer feed' },
  },
  options: {
    config: {
      type: 'string',
      describe: 'Configuration file, read only for a URL',
    },
    json: { type: 'boolean', describe: 'Print the result as JSON' },
  },
  examples: [['lectern feed diff https://help.example.com/ dist', 'What publishing dist would change']],
  run: runFeedDiff,
});

/** `lectern feed …`: compares feeds. */
export const feedCommand = defineGroup(
  [
    {
      usage: 'diff <old> <new>',
      describe: 'Show what changes for a consumer between two feeds',
      load: () => diffCommand,
    },
  ],
  [['lectern feed diff https://help.example.com/ dist', 'What publishing would change']],
);

/** Runs `lectern feed diff`: prints what a consumer would do, a document a line, then the chunks in numbers. */
async function runFeedDiff(flags: {
  readonly old: string;
  readonly new: string;
  readonly config: string | undefined;
  readonly json: boolean | undefined;
}): Promise<void> {
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

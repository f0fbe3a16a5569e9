import { countOf } from '../../core/count-of.ts';
import { defineCommand } from '../command.ts';
import { feedFlags } from '../flags.ts';
import { openSite } from '../read-config.ts';
import { writeOutput } from '../terminal.ts';

/** `lectern diff`: what a consumer has to do to get from one feed to another. */
export const diffCommand = defineCommand({
  positionals: {
    old: { describe: 'Folder or URL of the older feed' },
    new: { describe: 'Folder or URL of the newer feed' },
  },
  options: feedFlags,
  examples: [['lectern diff https://help.example.com/ dist', 'What publishing dist would change']],
  // Prints what a consumer would do, one document per line, then the numbers of chunks.
  async run(flags) {
    const { diffFeeds } = await import('../../feed/history/diff-feeds.ts');
    const [before, after] = [
      await openSite(flags.old, flags.config),
      await openSite(flags.new, flags.config),
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
  },
});

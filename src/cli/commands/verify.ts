import { countOf } from '../../core/count-of.ts';
import { LecternError } from '../../core/errors.ts';
import { defineCommand } from '../command.ts';
import { feedFlags } from '../flags.ts';
import { openSite } from '../read-config.ts';
import { readableUrls } from '../readable-urls.ts';
import { writeOutput } from '../terminal.ts';

/** `lectern verify`: checks a published feed. */
export const verifyCommand = defineCommand({
  positionals: { feed: { describe: 'Published folder, or URL of the published site' } },
  options: feedFlags,
  examples: [
    ['lectern verify dist', 'Check the last build'],
    ['lectern verify https://help.example.com/', 'Check the published site'],
  ],
  // Prints every finding, and throws FEED_INVALID if there is one.
  async run(flags) {
    const { verifyFeed } = await import('../../feed/verify/verify-feed.ts');
    const site = await openSite(flags.feed, flags.config);
    const result = await verifyFeed(site.read, await site.listFeed?.()).finally(site.close);
    const { findings, seq, files, documents, chunks } = result;
    if (flags.json) writeOutput(`${JSON.stringify(result)}\n`);
    else {
      const found = findings.map(({ path, message }) => `${path}: ${message}\n`);
      const summary = `run ${seq}: ${countOf(files, 'file')}, ${countOf(documents, 'document')}, ${countOf(chunks, 'chunk')}, no problems\n`;
      writeOutput(readableUrls(findings.length === 0 ? summary : found.join('')));
    }
    if (findings.length > 0) {
      const count = findings.length === 1 ? '1 problem' : `${findings.length} problems`;
      throw new LecternError('FEED_INVALID', `${count} in the feed of ${flags.feed}`, {
        hint: 'publish the whole output of one build; if the files are unchanged since the build, report a bug',
      });
    }
  },
});

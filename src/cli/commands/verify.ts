import { openPublishedSite } from '../../build/open-feed.ts';
import { loadConfig } from '../../config/load-config.ts';
import { isUrl } from '../../feed/feed-reader.ts';
import { parsePublicKey } from '../../feed/signature.ts';
import { verifyFeed } from '../../feed/verify/verify-feed.ts';
import { countOf } from '../../foundation/count-of.ts';
import { LecternError } from '../../foundation/errors.ts';
import { defineCommand } from '../parser/command.ts';
import { writeOutput } from '../terminal.ts';

/** `lectern verify`: checks a published feed. */
export const verifyCommand = defineCommand({
  positionals: { site: { describe: 'Published folder, or URL of the published site' } },
  options: {
    twins: {
      type: 'boolean',
      describe: 'Also check every page and its Markdown (default for a folder)',
    },
    'public-key': {
      type: 'string',
      describe: 'Check the signature with these keys, separated by commas',
    },
    config: {
      type: 'string',
      describe: 'Configuration file, read only for a URL',
    },
    json: { type: 'boolean', describe: 'Print the result as JSON' },
  },
  examples: [
    ['lectern verify dist', 'Check the last build'],
    ['lectern verify https://help.example.com/', 'Check the published site'],
  ],
  run: runVerify,
});

/** Pages that are looked up over the network, a request each; `--twins` looks up all. */
const pagesAtAddress = 200;

/** Runs `lectern verify`: prints every finding, and throws `FEED_INVALID` when there is one. */
async function runVerify(flags: {
  readonly site: string;
  readonly config: string | undefined;
  readonly twins: boolean | undefined;
  readonly 'public-key': string | undefined;
  readonly json: boolean | undefined;
}): Promise<void> {
  const folder = process.cwd();
  const keys = flags['public-key']?.split(',').map(parsePublicKey);
  const isFolder = !isUrl(flags.site);
  const twins = flags.twins ?? isFolder;
  const readConfig = () => loadConfig({ file: flags.config, environment: process.env, flags: {}, folder });
  const site = await openPublishedSite(flags.site, readConfig, folder);
  const result = await verifyFeed(site.read, {
    twins,
    ...(keys === undefined ? {} : { signature: { keys, nowMs: Date.now() } }),
    files: (await site.listFeed?.()) ?? [],
    pages: { site, most: isFolder || twins ? Number.POSITIVE_INFINITY : pagesAtAddress },
  }).finally(site.close);
  const { findings, seq, files, documents, chunks, pages } = result;
  if (flags.json) writeOutput(`${JSON.stringify(result)}\n`);
  else if (findings.length === 0) {
    writeOutput(
      `run ${seq}: ${countOf(files, 'file')}, ${countOf(documents, 'document')}, ${countOf(chunks, 'chunk')}, ${countOf(pages, 'page')}, no problems\n`,
    );
  } else {
    writeOutput(findings.map(({ code, path, message }) => `${code} ${path}: ${message}\n`).join(''));
  }
  if (findings.length > 0) {
    const count = findings.length === 1 ? '1 problem' : `${findings.length} problems`;
    throw new LecternError('FEED_INVALID', `${count} in the feed of ${flags.site}`, {
      hint: 'publish the whole output of one build; if the files are unchanged since the build, report a bug',
    });
  }
}

import { countOf } from '../../foundation/count-of.ts';
import { LecternError } from '../../foundation/errors.ts';
import { readTrust, type TrustFlags, trustOptions } from '../feed-trust.ts';
import { defineCommand, defineGroup } from '../parser/command.ts';
import { readableUrls } from '../readable-urls.ts';
import { printJson, writeOutput } from '../terminal.ts';

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

/** `lectern feed …`: compares, measures and announces feeds. */
export const feedCommand = defineGroup(
  [
    {
      usage: 'diff <old> <new>',
      describe: 'Show what changes for a consumer between two feeds',
      load: () => diffCommand,
    },
    {
      usage: 'ask <questions> [feed]',
      describe: 'Measure how well the search answers your own questions',
      load: async () => (await import('./feed-ask.ts')).askCommand,
    },
    {
      usage: 'notify',
      describe: 'Tell webhooks that a new run of the feed is online',
      load: async () => (await import('./feed-notify.ts')).notifyCommand,
    },
  ],
  [['lectern feed diff https://help.example.com/ dist', 'What publishing would change']],
);

/** Runs `lectern feed diff`: prints what a consumer would do, one document per line, then the numbers of chunks. */
async function runFeedDiff(flags: {
  readonly old: string;
  readonly new: string;
  readonly config: string | undefined;
  readonly json: boolean | undefined;
}): Promise<void> {
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

/** `lectern verify`: checks a published feed. */
export const verifyCommand = defineCommand({
  positionals: { feed: { describe: 'Published folder, or URL of the published site' } },
  options: {
    twins: {
      type: 'boolean',
      describe: 'Check every page and its Markdown (default for a folder)',
    },
    ...trustOptions,
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

/** Number of pages requested over the network; `--twins` requests all. */
const pagesAtAddress = 200;

/** Runs `lectern verify`: prints every finding, and throws `FEED_INVALID` if there is one. */
async function runVerify(
  flags: TrustFlags & {
    readonly feed: string;
    readonly config: string | undefined;
    readonly twins: boolean | undefined;
    readonly json: boolean | undefined;
  },
): Promise<void> {
  const { openPublishedSite } = await import('../../pipeline/open-feed.ts');
  const { loadConfig } = await import('../../config/load-config.ts');
  const { isUrl } = await import('../../feed/feed-reader.ts');
  const { verifyFeed } = await import('../../feed/verify/verify-feed.ts');
  const folder = process.cwd();
  const trust = await readTrust(flags, flags.feed);
  const isFolder = !isUrl(flags.feed);
  const twins = flags.twins ?? isFolder;
  const readConfig = () => loadConfig({ file: flags.config, environment: process.env, flags: {}, folder });
  const site = await openPublishedSite(flags.feed, readConfig, folder);
  const listed = await site.listFeed?.();
  const result = await verifyFeed(site.read, {
    twins,
    ...(trust === null ? {} : { signature: { ...trust, nowMs: Date.now() } }),
    ...(listed === undefined ? {} : { files: listed }),
    pages: { site, most: isFolder || twins ? Number.POSITIVE_INFINITY : pagesAtAddress },
  }).finally(site.close);
  const { findings, warnings, seq, files, documents, chunks, pages } = result;
  if (flags.json) writeOutput(`${JSON.stringify(result)}\n`);
  else {
    const noted = warnings.map(({ path, message }) => `warning ${path}: ${message}\n`);
    const found = findings.map(({ code, path, message }) => `${code} ${path}: ${message}\n`);
    const end = warnings.length === 0 ? 'no problems' : countOf(warnings.length, 'warning');
    const summary = `run ${seq}: ${countOf(files, 'file')}, ${countOf(documents, 'document')}, ${countOf(chunks, 'chunk')}, ${pagesChecked(pages, documents)}, ${end}\n`;
    writeOutput(readableUrls([...noted, ...found, ...(findings.length === 0 ? [summary] : [])].join('')));
  }
  if (findings.length > 0) {
    const count = findings.length === 1 ? '1 problem' : `${findings.length} problems`;
    throw new LecternError('FEED_INVALID', `${count} in the feed of ${flags.feed}`, {
      hint: 'publish the whole output of one build; if the files are unchanged since the build, report a bug',
    });
  }
}

/** `200 of 229 pages (--twins checks all)`. Every document has one page. */
function pagesChecked(pages: number, documents: number): string {
  return pages < documents ? `${pages} of ${documents} pages (--twins checks all)` : countOf(pages, 'page');
}

/** `lectern keygen`: a key pair for signed feeds. Writes nothing to disk. */
export const keygenCommand = defineCommand({
  options: { json: { type: 'boolean', describe: 'Print the result as JSON' } },
  examples: [['lectern keygen', 'Print a new key pair']],
  epilogue: 'Store the secret key as LECTERN_SIGNING_KEY. Give the public key to the readers of the feed.',
  run: async ({ json }) => {
    const { generateSigningKey } = await import('../../feed/signature.ts');
    const { secret, publicKey } = generateSigningKey();
    if (json) printJson({ secret, publicKey });
    else writeOutput(`Secret    LECTERN_SIGNING_KEY=${secret}\nPublic    ${publicKey}\n`);
  },
});

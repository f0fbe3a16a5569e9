import { createWriteStream, existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { openFeed } from '../../build/open-feed.ts';
import { isUrl } from '../../feed/feed-reader.ts';
import { countOf } from '../../foundation/count-of.ts';
import { LecternError } from '../../foundation/errors.ts';
import { removeQuietly } from '../../foundation/file-system.ts';
import { fileListPath } from '../../output/file-list.ts';
import { createKeptFiles } from '../../output/foreign-files.ts';
import { replaceFolder } from '../../output/staged-folder.ts';
import { putBack } from '../../output/swap.ts';
import { type UploadPlan, uploadPlanFile, writeUploadPlan } from '../../output/upload-plan.ts';
import { interruptible } from '../interrupt.ts';
import { defineCommand, usageError } from '../parser/command.ts';
import { writeError, writeOutput } from '../terminal.ts';

/** `lectern upload-plan`: the files of an output to upload, in order. */
export const uploadPlanCommand = defineCommand({
  positionals: { dir: { describe: 'Built site (default: the output folder)' } },
  options: {
    previous: {
      type: 'string',
      describe: 'URL of the published site, or a folder with its output-files.txt',
    },
    out: { type: 'string', default: 'upload', describe: 'Output folder; the plan replaces it' },
    link: {
      type: 'boolean',
      default: false,
      describe: 'Also put links to the files of each step into a folder (for aws s3)',
    },
    config: { type: 'string', describe: 'Configuration file (default lectern.config.json)' },
    json: { type: 'boolean', default: false, describe: 'Print the result as JSON' },
  },
  examples: [
    ['lectern upload-plan --previous https://help.example.com/', 'Compare dist/ with the published site'],
    ['lectern upload-plan --previous published --link', 'Compare with a folder; link the files of each step'],
  ],
  run: runUploadPlan,
});

/** Flags of `lectern upload-plan`. */
interface UploadPlanFlags {
  readonly dir: string | undefined;
  readonly previous: string | undefined;
  readonly out: string;
  readonly link: boolean;
  readonly config: string | undefined;
  readonly json: boolean;
}

/** Runs `lectern upload-plan`: writes the plan and prints the number of files per step. */
async function runUploadPlan(flags: UploadPlanFlags): Promise<void> {
  const { previous } = flags;
  if (previous === undefined) {
    throw usageError(
      '--previous is missing',
      'pass the URL of the published site, e.g. https://help.example.com/',
    );
  }
  const folder = process.cwd();
  const { loadConfig } = await import('../../config/load-config.ts');
  const config = await loadConfig({ file: flags.config, environment: process.env, flags: {}, folder });
  const output = resolve(folder, flags.dir ?? config.out);
  const out = resolve(folder, flags.out);
  if (`${out}${sep}`.startsWith(`${output}${sep}`)) {
    throw usageError(
      'the plan is inside the folder that is uploaded',
      'choose a path outside this folder with --out',
    );
  }
  await putBack(output);
  const published = isUrl(previous) ? previous : resolve(folder, previous);
  if (!isUrl(previous) && !existsSync(published)) {
    throw new LecternError('FOLDER_MISSING', `the folder ${previous} does not exist`, {
      hint: 'pass a folder with the published output-files.txt, or an empty folder before the first upload',
      exitCode: 2,
    });
  }
  const plan = await interruptible((signal) =>
    replaceFolder(out, uploadPlanFile, { signal }, async (staged) => {
      const fetched = join(staged, 'target.txt');
      const targetList = isUrl(previous) ? fetched : join(published, fileListPath);
      if (isUrl(previous)) await fetchList(published, async () => config, folder, fetched, signal);
      const { keep } = config.output;
      const written = writeUploadPlan(staged, {
        output,
        targetList,
        kept: createKeptFiles(keep),
        link: flags.link,
      });
      removeQuietly(fetched);
      return written;
    }),
  );
  if (flags.json) writeOutput(`${JSON.stringify(plan)}\n`);
  else writeOutput(`${formatPlan(plan)}Plan      ${relative(folder, out) || '.'}\n`);
  if (plan.target === 'damaged list') {
    writeError(
      `warning: ${previous} has a damaged ${fileListPath}. Everything is uploaded, and nothing deleted.\n`,
    );
  }
}

/** Writes the published file list to a file; no file if the site has no list. */
async function fetchList(
  url: string,
  readConfig: Parameters<typeof openFeed>[1],
  folder: string,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const { openFeed } = await import('../../build/open-feed.ts');
  const site = await openFeed(url, readConfig, folder);
  try {
    const blocks = await site.open(fileListPath);
    if (blocks !== null) await pipeline(blocks, createWriteStream(file), { signal });
  } finally {
    await site.close();
  }
}

function formatPlan({ steps, unchanged }: UploadPlan): string {
  const rows = Object.entries(steps).map(([step, { files, bytes }]) =>
    step === '7-delete'
      ? `${step.padEnd(16)} ${countOf(files, 'file')}`
      : `${step.padEnd(16)} ${countOf(files, 'file')}, ${(bytes / 1e6).toFixed(2)} MB`,
  );
  return `${rows.join('\n')}\n${countOf(unchanged, 'file')} unchanged\n`;
}

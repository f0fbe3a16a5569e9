import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import type { SourceSettings } from '../../core/config/source-settings.ts';
import { LecternError } from '../../core/errors.ts';
import type { ReportedProblem, RunReport } from '../../core/report.ts';
import { isPublishedSite } from '../../core/user-folder.ts';
import { defineCommand, type FlagValues } from '../command.ts';
import { configFlag, settingsFromFlags, takeFolder, withLastFlags } from '../flags.ts';
import { formatError } from '../format-error.ts';
import { interruptible } from '../interrupt.ts';
import { printProblems } from '../print-problems.ts';
import { readConfig } from '../read-config.ts';
import { say, textWidth, writeOutput, writePainted } from '../terminal.ts';

const options = {
  config: configFlag,
  source: { type: 'string', describe: 'The same as the word after the command' },
  out: { type: 'string', describe: 'Published folder (default that of the last build)' },
  port: { type: 'number', default: 4173, describe: 'Port on localhost; 0 picks a free one' },
} as const;

/** `lectern preview`: serves the built site. */
export const previewCommand = defineCommand({
  positionals: {
    folder: { describe: 'Folder of Markdown, built or published site (default: the last build)' },
  },
  options,
  examples: [
    ['lectern preview', 'Show the site of the last build at http://localhost:4173'],
    ['lectern preview --port 0', 'Use a free port'],
    ['lectern preview docs', 'Show a folder of Markdown, and each change'],
  ],
  run: runPreview,
});

/**
 * Runs `lectern preview` until it is interrupted. Settings that are not given are those of the last build, so that its folder is followed, and
 * a new build has the same addresses.
 */
async function runPreview(words: FlagValues<typeof options> & { readonly folder: string }): Promise<void> {
  const { definedOnly } = await import('../../core/config/load-config.ts');
  const { configFiles } = await import('../../core/config/read-config-file.ts');
  const { putBack } = await import('../../output/swap.ts');
  const { startPreview } = await import('../../pipeline/preview/start-preview.ts');
  const folder = process.cwd();
  const word = words.folder as string | undefined;
  const isPublished = word !== undefined && isPublishedSite(resolve(word));
  const given = isPublished ? { ...words, folder: undefined } : takeFolder(words);
  const { config, port } = given;
  const typed = definedOnly({ config, source: given.source, out: given.out, quiet: true });
  // Asked again for each build: a setting may have been added to the configuration file.
  const readFlags = () => withLastFlags(typed);
  const load = async () => readConfig(config, await settingsFromFlags(await readFlags()));
  const rebuild = createRebuild(readFlags);
  const { siteUrl, out: published, source } = await load();
  if (isPublished && resolve(word) !== resolve(folder, published)) return showPublished(resolve(word), port);
  await putBack(resolve(folder, published));
  const server = await startPreview({
    loadConfig: load,
    configFiles: (config === undefined ? configFiles : [config]).map((name) => resolve(folder, name)),
    folder,
    port,
    rebuild: rebuild.run,
    onNote: say,
    onProblems: (problems) => printProblems('stderr', problems, 'lectern build --verbose lists all of them.'),
  });
  writeOutput(
    `${server.url}${siteUrl === undefined ? '' : new URL(siteUrl).pathname.replace(/\/+$/, '')}/\n`,
  );
  say(`shows ${describeShown(source)}; Ctrl-C stops it`);
  await interruptible((signal) => once(signal, 'abort'));
  rebuild.stop();
  await server.close();
}

/** Serves what a build published, with no source to follow, until it is interrupted. */
export async function showPublished(published: string, port: number): Promise<void> {
  const { serveFolder } = await import('../../pipeline/preview/serve-folder.ts');
  const { readTextFile } = await import('../../core/file-system.ts');
  const manifest = JSON.parse(readTextFile(join(published, 'feed', 'manifest.json'))) as {
    readonly site?: { readonly url?: string };
  };
  const basePath = new URL(manifest.site?.url ?? '/', 'http://localhost').pathname.replace(/\/+$/, '');
  const server = await serveFolder({ folder: published, basePath, port, render: async () => null });
  writeOutput(`${server.url}${basePath}/\n`);
  say(`shows ${published} as it is; Ctrl-C stops it`);
  await interruptible((signal) => once(signal, 'abort'));
  await server.close();
}

/** What the preview follows. */
function describeShown(source: SourceSettings): string {
  return source.kind === 'folder'
    ? `${source.path}, and each change as you save it`
    : 'the last build, and each change of templates and settings';
}

/**
 * Builds in a separate process, so that pages are served meanwhile. A new build stops the one before. Prints the error of a failed one.
 */
function createRebuild(readFlags: () => Promise<object>) {
  let running: ReturnType<typeof spawn> | null = null;
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    running?.kill();
  };
  const run = async (isOffline: boolean): Promise<readonly ReportedProblem[] | null> => {
    running?.kill();
    const flags = Object.entries(await readFlags()).map(([name, value]) => `--${name}=${value}`);
    if (isStopped) return null;
    const child = spawn(
      process.execPath,
      [process.argv[1] ?? '', 'build', ...(isOffline ? ['--offline'] : []), '--json', ...flags],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    running = child;
    let [report, errors] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      report += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    await once(child, 'close');
    if (child.killed) return null;
    if (report === '') throw new Error(errors.trimEnd());
    const { error, problems } = JSON.parse(report) as RunReport;
    if (error !== null) {
      const failure = new LecternError(error.code, error.message, { hint: error.hint });
      const style = { json: false, github: false, width: textWidth() };
      writePainted('stderr', (paint) => formatError(failure, { ...style, paint }));
    }
    return problems;
  };
  return { run, stop };
}

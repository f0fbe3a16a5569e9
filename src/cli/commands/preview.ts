import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { LecternError } from '../../core/errors.ts';
import type { ReportedProblem, RunReport } from '../../core/report.ts';
import { defineCommand, type FlagValues } from '../command.ts';
import { formatError } from '../format-error.ts';
import { interruptible } from '../interrupt.ts';
import { readLastFlags } from '../last-flags.ts';
import { printProblems } from '../print-problems.ts';
import { textWidth, writeError, writeOutput, writePainted } from '../terminal.ts';

const options = {
  config: { type: 'string', describe: 'Configuration file (default lectern.config.json)' },
  source: {
    type: 'string',
    describe: 'folder:DIR previews a folder of Markdown (default that of the last build)',
  },
  out: { type: 'string', describe: 'Published folder (default that of the last build)' },
  port: { type: 'number', default: 4173, describe: 'Port on localhost; 0 picks a free one' },
} as const;

/** `lectern preview`: serves the built site. */
export const previewCommand = defineCommand({
  options,
  examples: [
    ['lectern preview', 'Show the site of the last build at http://localhost:4173'],
    ['lectern preview --port 0', 'Use a free port'],
    ['lectern preview --source folder:./docs', 'Preview a folder of Markdown'],
  ],
  run: runPreview,
});

/**
 * Runs `lectern preview` until it is interrupted. Settings that are not given are those of the last build, so that its folder is followed, and
 * a new build has the same addresses.
 */
async function runPreview(given: FlagValues<typeof options>): Promise<void> {
  const { definedOnly, loadConfigWithOrigins } = await import('../../core/config/load-config.ts');
  const { configFiles } = await import('../../core/config/read-config-file.ts');
  const { putBack } = await import('../../output/swap.ts');
  const { startPreview } = await import('../../pipeline/preview/start-preview.ts');
  const { settingsFromFlags } = await import('../flags.ts');
  const folder = process.cwd();
  const { config, port } = given;
  const note = (text: string): void => writeError(`${text}\n`);
  const loadWith = async (flags: Parameters<typeof settingsFromFlags>[0]) =>
    loadConfigWithOrigins({
      file: config,
      environment: process.env,
      flags: await settingsFromFlags(flags),
      folder,
    });
  const typed = definedOnly({ source: given.source, out: given.out });
  // Asked again for each build: a setting may have been added to the configuration file.
  const readFlags = async () => {
    const { config: own, originOf } = await loadWith(typed);
    return { ...typed, ...readLastFlags(resolve(folder, own.cache), config, originOf, folder) };
  };
  const load = async () => (await loadWith(await readFlags())).config;
  const rebuild = createRebuild(async () => [
    ...(config === undefined ? [] : ['--config', config]),
    ...Object.entries(await readFlags()).map(([name, value]) => `--${name}=${value}`),
  ]);
  const { siteUrl, out: published } = await load();
  await putBack(resolve(folder, published));
  const server = await startPreview({
    loadConfig: load,
    configFiles: (config === undefined ? configFiles : [config]).map((name) => resolve(folder, name)),
    folder,
    port,
    rebuild: rebuild.run,
    onNote: note,
    onProblems: (problems) => printProblems('stderr', problems),
  });
  writeOutput(
    `${server.url}${siteUrl === undefined ? '' : new URL(siteUrl).pathname.replace(/\/+$/, '')}/\n`,
  );
  await interruptible((signal) => once(signal, 'abort'));
  rebuild.stop();
  await server.close();
}

/**
 * Builds in a separate process, so that pages are served meanwhile. A new build stops the one before. Prints the error of a failed one.
 */
function createRebuild(readFlags: () => Promise<readonly string[]>) {
  let running: ReturnType<typeof spawn> | null = null;
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    running?.kill();
  };
  const run = async (isOffline: boolean): Promise<readonly ReportedProblem[] | null> => {
    running?.kill();
    const flags = await readFlags();
    if (isStopped) return null;
    const child = spawn(
      process.execPath,
      [process.argv[1] ?? '', 'build', ...(isOffline ? ['--offline'] : []), '--quiet', '--json', ...flags],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { defineCommand } from '../command.ts';
import { interruptible } from '../interrupt.ts';
import { writeError, writeOutput } from '../terminal.ts';

/** `lectern preview`: serves the built site. */
export const previewCommand = defineCommand({
  options: {
    config: { type: 'string', describe: 'Configuration file (default lectern.config.json)' },
    source: { type: 'string', describe: 'folder:DIR previews a folder of Markdown' },
    out: { type: 'string', describe: 'Published folder (default dist)' },
    port: { type: 'number', default: 4173, describe: 'Port on localhost; 0 picks a free one' },
  },
  examples: [
    ['lectern preview', 'Serve dist/ at http://localhost:4173'],
    ['lectern preview --port 0', 'Use a free port'],
    ['lectern preview --source folder:./docs', 'Preview a folder of Markdown'],
  ],
  run: runPreview,
});

interface PreviewCommandLine {
  readonly config: string | undefined;
  readonly source: string | undefined;
  readonly out: string | undefined;
  readonly port: number;
}

/** Runs `lectern preview` until it is interrupted. */
async function runPreview({ config, source, out, port }: PreviewCommandLine): Promise<void> {
  const { loadConfig, parseSource } = await import('../../config/load-config.ts');
  const { configFiles } = await import('../../config/read-config-file.ts');
  const { putBack } = await import('../../output/swap.ts');
  const { startPreview } = await import('../../preview/start-preview.ts');
  const folder = process.cwd();
  const note = (text: string): void => writeError(`${text}\n`);
  const load = () =>
    loadConfig({
      file: config,
      environment: process.env,
      flags: {
        ...(source === undefined ? {} : { source: parseSource(source) }),
        ...(out === undefined ? {} : { out }),
      },
      folder,
    });
  const rebuild = createRebuild([
    ...(config === undefined ? [] : ['--config', config]),
    ...(source === undefined ? [] : ['--source', source]),
    ...(out === undefined ? [] : ['--out', out]),
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
  });
  writeOutput(
    `${server.url}${siteUrl === undefined ? '' : new URL(siteUrl).pathname.replace(/\/+$/, '')}/\n`,
  );
  await interruptible((signal) => once(signal, 'abort'));
  rebuild.stop();
  await server.close();
}

/** Builds in a separate process, so that pages are served meanwhile. A new build stops the one before. */
function createRebuild(flags: readonly string[]) {
  let running: ReturnType<typeof spawn> | null = null;
  const stop = (): void => {
    running?.kill();
  };
  const run = (isOffline: boolean): Promise<void> => {
    stop();
    const child = spawn(
      process.execPath,
      [process.argv[1] ?? '', 'build', ...(isOffline ? ['--offline'] : []), '--quiet', ...flags],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    running = child;
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    return new Promise((done, fail) => {
      child.once('error', fail);
      child.once('close', (code) => {
        if (code === 0 || child.killed) done();
        else fail(new Error(errors.trimEnd()));
      });
    });
  };
  return { run, stop };
}

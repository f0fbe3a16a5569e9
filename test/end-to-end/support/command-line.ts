import { readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildReport } from '../../../src/core/report.ts';
import { type Finished, finish, runLectern, runLecternProcess, startLectern } from '../../support/lectern.ts';
import { createOfflineProject, type OfflineProject } from '../../support/offline-project.ts';
import type { World } from './world.ts';
import { startWorldServer } from './world-server.ts';
import { writeTemplates } from './write-world.ts';

/** A project that the compiled program builds from a local help centre. */
export interface CommandLineProject extends Pick<OfflineProject, 'folder' | 'out' | 'cache'> {
  /** Makes the next run read this world. */
  show(world: World): Promise<void>;
  /** Runs `lectern build`. */
  build(...flags: readonly string[]): Promise<BuildRun>;
  /** Runs it in a process of its own, which may have others beside it. */
  buildBeside(...flags: readonly string[]): Promise<BuildRun>;
  /** Runs it in a process of its own until `isTime`, then kills that. */
  buildUntil(isTime: () => boolean, ...flags: readonly string[]): Promise<BuildRun>;
}

export interface BuildRun extends Finished {
  /** Content of the `--report` file; `null` if the run was killed before writing it. */
  readonly report: Readonly<Record<string, unknown>> | null;
}

/** How often to check whether to kill the run. */
const lookMs = 2;

export async function createCommandLineProject(): Promise<CommandLineProject> {
  const server = await startWorldServer();
  const { folder, out, cache } = createOfflineProject();
  const config = {
    baseUrl: `${server.origin}/v1`,
    siteUrl: 'https://help.example.com',
    content: { hosts: [server.origin] },
  };
  await writeFile(join(folder, 'lectern.config.json'), JSON.stringify(config));
  let runs = 0;

  const withReport = (flags: readonly string[]) => {
    runs += 1;
    const report = join(folder, `report-${runs}.json`);
    return {
      args: ['build', '--insecure-loopback', '--quiet', '--allow-mass-delete', '--report', report, ...flags],
      take: (run: Finished): BuildRun => ({ ...run, report: takeReport(report) }),
    };
  };
  const options = { cwd: folder, env: { LECTERN_API_KEY: 'key-of-the-tests' } };

  return {
    folder,
    out,
    cache,
    async show(world) {
      server.show(world);
      await writeTemplates({ folder }, world);
    },
    async build(...flags) {
      const { args, take } = withReport(flags);
      return take(await runLectern(args, options));
    },
    async buildBeside(...flags) {
      const { args, take } = withReport(flags);
      return take(await runLecternProcess(args, options));
    },
    async buildUntil(isTime, ...flags) {
      const { args, take } = withReport(flags);
      const child = startLectern(args, options);
      const timer = setInterval(() => isTime() && child.kill('SIGKILL'), lookMs);
      return take(await finish(child).finally(() => clearInterval(timer)));
    },
  };
}

/** Numbers of article pages that a run rendered and reused. */
export interface Reuse {
  readonly rendered: number;
  readonly reused: number;
}

/** @throws if the report does not contain the number of rendered pages */
export function reuseOf({ report, stderr }: BuildRun): Reuse {
  const { renderedPages: rendered, languages } = report ?? {};
  if (typeof rendered !== 'number') throw new Error(`the report has no count of rendered pages: ${stderr}`);
  const all = (languages as BuildReport['languages']).reduce((sum, { articles }) => sum + articles, 0);
  return { rendered, reused: all - rendered };
}

function takeReport(file: string): BuildRun['report'] {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as BuildRun['report'];
    rmSync(file);
    return report;
  } catch {
    return null;
  }
}

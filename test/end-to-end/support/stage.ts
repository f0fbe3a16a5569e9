import { hash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { configSchema, type ResolvedConfig, type UserConfig } from '../../../src/core/config/schema.ts';
import { LecternError } from '../../../src/core/errors.ts';
import type { BuildReport } from '../../../src/core/report.ts';
import type { BuildOptions } from '../../../src/pipeline/build-options.ts';
import type { OfflineProject } from '../../support/offline-project.ts';
import { type Archive, createArchive } from './archive.ts';
import { type Interruption, runInterrupted } from './interrupted-run.ts';
import { type Program, pagesPerPart, partOptions } from './program.ts';
import type { World } from './world.ts';
import type { WorldServer } from './world-server.ts';
import { writeSnapshot, writeTemplates } from './write-world.ts';

/** Result of a run: its report, or the code of its error. */
export type Outcome = { readonly report: object } | { readonly code: string };

/** Whether runs read an existing snapshot or a service. */
export type Reading = 'snapshot' | 'service';

/** A project and the source of its knowledge base. */
export interface Stage {
  readonly project: OfflineProject;
  readonly server: WorldServer;
  readonly archive: Archive;
  readonly reading: Reading;
  /** Makes the next run read this world. */
  show(world: World): Promise<void>;
  /** Runs a build as `lectern build` does, with the settings of a world and overrides. */
  run(world: World, config?: Partial<UserConfig>, options?: Partial<BuildOptions>): Promise<Outcome>;
  /** Runs a build in another process and interrupts it at the call with this number that changes a file or folder. */
  interrupt(world: World, how: Interruption, at: number): Promise<void>;
  /** Removes everything from the project. */
  clear(): Promise<void>;
}

/** Fields of a report that depend on the cost or location of a run. */
const costFields = ['out', 'bytes', 'renderedPages'];

export function createStage(
  project: OfflineProject,
  server: WorldServer,
  reading: Reading,
  { build }: Program,
): Stage {
  const archive = createArchive(project, `${project.folder}-archive`);
  const optionsOf = (options: Partial<BuildOptions>): BuildOptions =>
    project.options({
      ...readingOptions(reading),
      ...partOptions(pagesPerPart),
      newFeedId: hash('md5', options.now ?? ''),
      ...options,
    });
  const configOf = (config: Partial<UserConfig>): ResolvedConfig =>
    configSchema.parse({ siteUrl: 'https://help.example.com', ...withServer(config, server, reading) });
  return {
    project,
    server,
    archive,
    reading,
    async show(world) {
      server.show(world);
      if (reading === 'snapshot') await writeSnapshot(project, world);
      await writeTemplates(project, world);
    },
    async run(world, config = {}, options = {}) {
      const all = optionsOf(options);
      const resolved = configOf({ ...world.config, ...config });
      try {
        return { report: withoutCost(await build(resolved, all)) };
      } catch (error) {
        // The compiled class is a different one with the same name.
        if (error instanceof Error && error.name === LecternError.name && 'code' in error) {
          return { code: String(error.code) };
        }
        throw error;
      }
    },
    interrupt: (world, how, at) => runInterrupted(configOf(world.config), optionsOf({}), how, at),
    async clear() {
      const names = ['.lectern', '.clean', 'dist', 'clean', 'other', 'templates'];
      for (const name of names) await rm(join(project.folder, name), { recursive: true, force: true });
      await archive.clear();
    },
  };
}

/** Only the run that had to replace an old snapshot reports that. */
function withoutCost({ problems, ...report }: BuildReport): object {
  const fields = Object.entries(report).filter(([name]) => !costFields.includes(name));
  const others = problems.filter(({ code }) => code !== 'SNAPSHOT_DISCARDED');
  return { ...Object.fromEntries(fields), problems: others };
}

function readingOptions(reading: Reading): Partial<BuildOptions> {
  return reading === 'snapshot'
    ? { offline: true }
    : { offline: false, apiKey: 'key-of-the-tests', insecureLoopback: true };
}

function withServer(
  config: Partial<UserConfig>,
  { origin }: WorldServer,
  reading: Reading,
): Partial<UserConfig> {
  if (reading === 'snapshot') return config;
  return { ...config, baseUrl: `${origin}/v1`, content: { ...config.content, hosts: [origin] } };
}

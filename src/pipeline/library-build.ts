import { parseSettings } from '../core/config/load-config.ts';
import type { UserConfig } from '../core/config/schema.ts';
import { readVersion } from '../core/file-system.ts';
import type { BuildProgress, BuildReport } from '../core/report.ts';
import { build as runBuild } from './build.ts';

/** Options of a build besides its settings. */
export interface BuildRunOptions {
  /** The API key; absent: `LECTERN_API_KEY`. Not needed offline. */
  readonly apiKey?: string;
  /** Base of relative paths in the settings; absent: the working folder. */
  readonly folder?: string;
  /** Builds from the last snapshot, without the network. */
  readonly offline?: boolean;
  /** Throws STRICT if the report has errors or warnings; the previous output is then unchanged. */
  readonly strict?: boolean;
  /** Accepts a listing that is empty or much smaller than before. */
  readonly allowMassDelete?: boolean;
  /** Allows plain http to localhost. */
  readonly insecureLoopback?: boolean;
  /** Fills `changedFiles` of the report. */
  readonly compareFiles?: boolean;
  /** Called with the report before the output is replaced, also before `strict` throws. */
  readonly onReport?: (report: BuildReport) => Promise<void> | void;
  /** Stops the build if it is aborted: the reason is thrown, and the previous output is unchanged. */
  readonly signal?: AbortSignal;
  /** Called with the progress of the run. */
  readonly onProgress?: (progress: BuildProgress) => void;
}

/**
 * Publishes a knowledge base, as `lectern build` does. Settings are those of `lectern.config.json`, but no file is read.
 * @throws LecternError; the previous output is then unchanged
 * @example const report = await build({ baseUrl: 'https://kb.example.com/v1', out: 'public' }, { apiKey })
 */
export async function build(settings: UserConfig, options: BuildRunOptions = {}): Promise<BuildReport> {
  const { apiKey = process.env.LECTERN_API_KEY, onProgress, onReport, signal } = options;
  return runBuild(
    parseSettings(settings, () => 'your settings'),
    {
      apiKey: apiKey || null,
      environment: process.env,
      folder: options.folder ?? process.cwd(),
      offline: options.offline ?? false,
      strict: options.strict ?? false,
      allowMassDelete: options.allowMassDelete ?? false,
      insecureLoopback: options.insecureLoopback ?? false,
      compareFiles: options.compareFiles ?? false,
      generator: `lectern ${readVersion()}`,
      now: new Date().toISOString(),
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
      ...(onReport === undefined ? {} : { onReport: async (report) => onReport(report) }),
    },
  );
}

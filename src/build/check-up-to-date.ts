import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fingerprintInputs } from '../cache/fingerprint.ts';
import { findUpToDateBuild, reportUnchanged } from '../cache/up-to-date.ts';
import type { ResolvedConfig } from '../config/schema.ts';
import { signaturePath } from '../feed/manifest.ts';
import type { BuildReport } from '../foundation/report.ts';
import type { BuildOptions } from './build-options.ts';
import { refuseWarnings } from './make-report.ts';

/**
 * The whole of an offline run that has nothing to do, which `build` would find out only after loading the pipeline and
 * reading the snapshot. It only looks, so it needs no lock. `null` when it takes `build` to tell.
 * @throws STRICT as `build` does
 */
export async function recallBuild(
  config: ResolvedConfig,
  options: BuildOptions,
): Promise<BuildReport | null> {
  if (!options.offline || options.since !== undefined || options.shards !== undefined) return null;
  // Whether a signature is to be renewed takes more than a look.
  if (options.signingKey || existsSync(join(resolve(options.folder, config.out), signaturePath))) return null;
  const { folder, generator, compareFiles = false } = options;
  const place = {
    cache: resolve(folder, config.cache),
    out: resolve(folder, config.out),
    keep: config.output.keep,
  };
  const templatesFolder = resolve(folder, config.site.templates);
  const publicFolder = resolve(folder, config.site.public);
  const last = findUpToDateBuild(place, (program) =>
    fingerprintInputs(config, { generator, program, templatesFolder, publicFolder }),
  );
  if (last === null) return null;
  const report = reportUnchanged(last, compareFiles);
  await options.onReport?.(report);
  if (options.strict) refuseWarnings(report);
  return report;
}

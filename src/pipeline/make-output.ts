import type { BuildReport } from '../core/report.ts';
import type { ReadFeedFile } from '../feed/read/feed-reader.ts';
import { assemble, writeListings } from './assemble.ts';
import type { BuildOptions } from './build-options.ts';
import { finishReport } from './make-report.ts';
import { planBuild } from './plan-build.ts';
import { publish } from './publish.ts';
import { renderArticles } from './render-articles.ts';
import { createRenderPool } from './render-pool.ts';
import type { Run, RunOutput } from './run.ts';

/**
 * Makes the whole output and replaces the previous one: plan → content → site + feed → output.
 * @param settings result of `hashInputs`
 * @param since the published site whose feed this build continues; `null`: the replaced output
 * @throws LecternError; the previous output is then unchanged
 */
export async function makeOutput(
  run: Run,
  output: RunOutput,
  settings: string,
  since: ReadFeedFile | null,
  options: BuildOptions,
): Promise<BuildReport> {
  // Read before the database is changed, so that other runs do not wait for it.
  const source = await run.readSource();
  await run.openMedia();
  options.onProblems?.(source.problems);
  output.database.begin();
  const pool = createRenderPool();
  const make = async () => {
    const build = await planBuild(run, output, settings, since, options);
    const [, rendered] = await Promise.all([writeListings(build), renderArticles(build, pool)]);
    return { build, assembled: await assemble(build, rendered) };
  };
  try {
    const { build, assembled } = await unlessAborted(options.signal, make());
    await finishReport(assembled.report, options);
    await publish(build, assembled);
    return assembled.report;
  } finally {
    await pool.stop();
  }
}

/** Does not wait for aborted work: after the staging folder is discarded, that work can no longer write. */
async function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

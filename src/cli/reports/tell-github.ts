import { appendFile } from 'node:fs/promises';
import type { RunReport } from '../../foundation/report.ts';
import { formatGithubAnnotations, formatGithubSummary } from './github.ts';

/** What telling a GitHub job needs of the world. */
export interface GithubTarget {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly writeError: (text: string) => void;
}

/** Where the run is a step of a GitHub Actions job: annotations of its problems and a job summary. */
export async function tellGithub(
  report: RunReport,
  { environment, writeError }: GithubTarget,
): Promise<void> {
  if (environment.GITHUB_ACTIONS !== 'true') return;
  writeError(formatGithubAnnotations(report));
  const summary = environment.GITHUB_STEP_SUMMARY;
  if (summary) await appendFile(summary, formatGithubSummary(report));
}

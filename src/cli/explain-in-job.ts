import { LecternError } from '../core/errors.ts';

/** Adds to the error of a mass deletion how to allow it once in the job that `lectern init` writes, with the page where that is done. */
export function explainInJob(error: unknown, environment: NodeJS.ProcessEnv): unknown {
  if (!(error instanceof LecternError) || error.code !== 'MASS_DELETE') return error;
  const how = howToAllow(environment);
  if (how === null) return error;
  const { code, message, hint, cause } = error;
  return new LecternError(code, message, { hint: `${hint}; in this job, ${how}`, cause });
}

function howToAllow(environment: NodeJS.ProcessEnv): string | null {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_WORKFLOW_REF = '', CI_PROJECT_URL } = environment;
  const [, file] = /\/workflows\/([^@/]+)@/.exec(GITHUB_WORKFLOW_REF) ?? [];
  if (GITHUB_SERVER_URL !== undefined && GITHUB_REPOSITORY !== undefined && file !== undefined)
    return `choose "Run workflow" and "Publish although many articles are gone": ${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/workflows/${file}`;
  if (CI_PROJECT_URL !== undefined)
    return `run a pipeline with the variable ALLOW_MASS_DELETE=true: ${CI_PROJECT_URL}/-/pipelines/new`;
  return null;
}

import type { InitAnswers } from './answers.ts';
import { cronScript } from './cron-script.ts';
import { githubWorkflow } from './github-workflow.ts';
import { gitlabPipeline } from './gitlab-pipeline.ts';

/** A file of a new project. */
export interface ProjectFile {
  /** Relative to the project, `/`-separated. */
  readonly path: string;
  readonly content: string;
  readonly isExecutable: boolean;
}

/**
 * What must never be committed: output, what a killed build leaves beside it (`.dist.lock`, `.dist.staging-…`), snapshot, and the
 * key where a script reads it from a file.
 */
export const ignoredPaths = ['/dist/', '/.dist.*', '/.lectern/', '/lectern.env'];

/**
 * The files of a new project, besides `.gitignore`.
 * @param version of this program; scheduled builds stay with it until somebody changes it
 */
export function projectFiles(answers: InitAnswers, version: string): readonly ProjectFile[] {
  return [
    file('lectern.config.json', `${JSON.stringify(configOf(answers), null, 2)}\n`),
    ...scheduledBuild(answers, `lectern@${version}`),
  ];
}

/** What `lectern.config.json` will hold. */
export function configOf({ baseUrl, siteUrl, title, defaultLanguage, languages, ci }: InitAnswers) {
  return {
    $schema: './node_modules/lectern/docs/schema/config.json',
    baseUrl,
    ...(siteUrl === null ? {} : { siteUrl }),
    defaultLanguage,
    ...(languages === null ? {} : { languages }),
    site: { title },
    // GitHub Pages knows no redirects.
    ...(ci === 'github' ? { redirects: { formats: ['html'] } } : {}),
  };
}

function scheduledBuild({ ci }: InitAnswers, packageName: string): readonly ProjectFile[] {
  if (ci === 'github') return [file('.github/workflows/publish-help.yml', githubWorkflow(packageName))];
  if (ci === 'gitlab') return [file('.gitlab-ci.yml', gitlabPipeline(packageName))];
  if (ci === 'cron') return [{ ...file('publish-help.sh', cronScript(packageName)), isExecutable: true }];
  return [];
}

function file(path: string, content: string): ProjectFile {
  return { path, content, isExecutable: false };
}

import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LecternError } from '../../foundation/errors.ts';
import { makeFolder } from '../../foundation/make-folder.ts';
import type { InitAnswers } from './answers.ts';
import { ignoredPaths, type ProjectFile, scheduleFiles } from './project-files.ts';

/** @throws PROJECT_EXISTS (exit 2) when there is a configuration or a scheduled build of this platform */
export function refuseExisting(folder: string, ci: InitAnswers['ci']): void {
  const paths = ['lectern.config.json', scheduleFiles[ci]];
  const existing = paths.find((path) => path !== null && existsSync(join(folder, path)));
  if (existing === undefined) return;
  throw new LecternError('PROJECT_EXISTS', `${existing} already exists`, {
    hint: 'edit it, or replace it with --force',
    exitCode: 2,
  });
}

/**
 * Writes the files of a project and adds what must not be committed to `.gitignore`.
 * @returns the paths that were written
 */
export async function writeProject(
  folder: string,
  files: readonly ProjectFile[],
): Promise<readonly string[]> {
  for (const { path, content, isExecutable } of files) {
    const file = join(folder, path);
    makeFolder(dirname(file));
    await writeFile(file, content);
    if (isExecutable) await chmod(file, 0o755);
  }
  const ignores = await addIgnores(join(folder, '.gitignore'));
  return [...files.map(({ path }) => path), ...(ignores ? ['.gitignore'] : [])];
}

async function addIgnores(file: string): Promise<boolean> {
  const text = existsSync(file) ? await readFile(file, 'utf8') : '';
  const lines = text.split('\n').map((line) => line.trim());
  const missing = ignoredPaths.filter((path) => !lines.includes(path));
  if (missing.length === 0) return false;
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  await writeFile(file, `${start}${missing.join('\n')}\n`);
  return true;
}

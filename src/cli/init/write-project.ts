import { existsSync } from 'node:fs';
import { appendFile, chmod, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { makeFolder, readWholeFile } from '../../core/file-system.ts';

/** A file of a project. */
export interface ProjectFile {
  /** Relative to the project, `/`-separated. */
  readonly path: string;
  readonly content: string;
  readonly isExecutable?: boolean;
}

/**
 * Writes files of a project and adds paths that must not be committed to `.gitignore`.
 * @param folders of the output and the cache, relative to the project
 * @returns the written paths
 */
export async function writeProject(
  folder: string,
  files: readonly ProjectFile[],
  folders: { readonly out: string; readonly cache: string },
): Promise<readonly string[]> {
  for (const { path, content, isExecutable } of files) {
    const file = join(folder, path);
    makeFolder(dirname(file));
    await writeFile(file, content);
    if (isExecutable) await chmod(file, 0o755);
  }
  const ignores = await addIgnores(join(folder, '.gitignore'), ignoredPaths(folders));
  return [...files.map(({ path }) => path), ...(ignores ? ['.gitignore'] : [])];
}

/** Paths that must never be committed: packages, output and staging, snapshot, exports, and the keys of a script and a service. */
function ignoredPaths({ out, cache }: { readonly out: string; readonly cache: string }): readonly string[] {
  const [place, staging, snapshot] = [
    out,
    posix.join(posix.dirname(out), `.${posix.basename(out)}.*`),
    cache,
  ].map((path) => posix.normalize(path).replace(/\/$/, ''));
  return [
    '/node_modules/',
    `/${place}/`,
    `/${staging}`,
    `/${snapshot}/`,
    '/export/',
    '/lectern.env',
    '/*-tls/',
  ];
}

async function addIgnores(file: string, paths: readonly string[]): Promise<boolean> {
  const text = existsSync(file) ? readWholeFile(file).toString() : '';
  const lines = text.split('\n').map((line) => line.trim());
  const missing = paths.filter((path) => !lines.includes(path));
  if (missing.length === 0) return false;
  const start = text === '' || text.endsWith('\n') ? '' : '\n';
  await appendFile(file, `${start}${missing.join('\n')}\n`);
  return true;
}

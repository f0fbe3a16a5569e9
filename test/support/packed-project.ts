import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/**
 * An empty folder with the package as it would be published (`npm run package`), and links to exactly its `dependencies`; `@types/node` for
 * compiling.
 * @returns absolute path; the caller removes it
 */
export async function createPackedProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-packed-'));
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '.bin'), { recursive: true });
  const { stdout } = await run(process.execPath, ['scripts/pack.mjs', folder], { cwd: root });
  await mkdir(join(modules, 'lectern'));
  await run('tar', [
    'xzf',
    join(folder, stdout.trim()),
    '--strip-components=1',
    '-C',
    join(modules, 'lectern'),
  ]);
  const manifest = JSON.parse(await readFile(join(modules, 'lectern/package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const name of [...Object.keys(manifest.dependencies), '@types/node', 'undici-types']) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  await symlink('../lectern/scripts/lectern.mjs', join(modules, '.bin/lectern'));
  return folder;
}

/** Files of the packed package, `/`-separated, sorted. */
export async function packedFiles(project: string): Promise<readonly string[]> {
  const folder = join(project, 'node_modules/lectern');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

import { hash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { build } from '../../../src/build.ts';
import type { BuildOptions } from '../../../src/build-options.ts';
import { configSchema, type UserConfig } from '../../../src/config/schema.ts';
import { LecternError } from '../../../src/errors.ts';
import { recallBuild } from '../../../src/recall-build.ts';
import type { OfflineProject } from '../../support/offline-project.ts';
import { readTree } from '../../support/read-tree.ts';

/** What a run came to: its report without folder and bytes, or the code of what stopped it. */
export type Outcome = { readonly report: object } | { readonly code: string };

/**
 * Builds with everything earlier runs left, and without any of it from a copy of the same output, and expects the same:
 * report, files, bytes. What did not change keeps inode and time; where the run was stopped, so does everything.
 * @param now of both runs, which only the manifest may hold
 */
export async function buildTwice(
  project: OfflineProject,
  config: Partial<UserConfig>,
  now: string,
): Promise<Outcome> {
  const clean = join(project.folder, 'clean');
  copyAll(project.out, clean);
  copyAll(project.cache, join(project.folder, '.clean'), (name) => name.startsWith('snapshot'));
  const before = await describeFiles(project.out);
  const incremental = await run(project, config, { now });
  const after = await describeFiles(project.out);
  const fresh = await run(project, { ...config, out: 'clean', cache: '.clean' }, { now });
  expect(incremental).toEqual(fresh);
  expect(hashes(after)).toEqual(hashes(await describeFiles(clean)));
  expect(movedFiles(before, after)).toEqual([]);
  await expectNothingLeft(project);
  if ('code' in incremental) expect(after).toEqual(before);
  return incremental;
}

/** A run that must be stopped with this code, leaving every file of the output as it was. */
export async function buildInVain(
  project: OfflineProject,
  config: Partial<UserConfig>,
  options: Partial<BuildOptions>,
  code: string,
): Promise<void> {
  const before = await describeFiles(project.out);
  expect(await run(project, config, options)).toEqual({ code });
  expect(await describeFiles(project.out)).toEqual(before);
  await expectNothingLeft(project);
}

/** As `lectern build` does: the quick look first. */
async function run(
  project: OfflineProject,
  config: Partial<UserConfig>,
  options: Partial<BuildOptions>,
): Promise<Outcome> {
  const resolved = configSchema.parse({ siteUrl: 'https://help.example.com', ...config });
  const all = project.options(options);
  try {
    // What a compressed manifest weighs depends on the time in it.
    const {
      out: _folder,
      bytes: _bytes,
      ...report
    } = (await recallBuild(resolved, all)) ?? (await build(resolved, all));
    return { report };
  } catch (error) {
    if (error instanceof LecternError) return { code: error.code };
    throw error;
  }
}

function copyAll(from: string, to: string, wants = (_name: string) => true): void {
  rmSync(to, { recursive: true, force: true });
  if (!existsSync(from)) return;
  mkdirSync(to);
  for (const name of readdirSync(from).filter(wants)) {
    cpSync(join(from, name), join(to, name), { recursive: true });
  }
}

const manifest = 'feed/manifest.json';
const builtAt = /"built_at": ?"[^"]*"/;

interface FileState {
  /** Of a manifest without its time. */
  readonly sha256: string;
  readonly inode: number;
  readonly mtimeMs: number;
}

async function describeFiles(folder: string): Promise<ReadonlyMap<string, FileState>> {
  const states = new Map<string, FileState>();
  for (const [path, bytes] of await readTree(folder).catch(() => [])) {
    const { ino: inode, mtimeMs } = lstatSync(join(folder, path));
    const content = path === manifest ? String(bytes).replace(builtAt, '') : bytes;
    states.set(path, { sha256: hash('sha256', content), inode, mtimeMs });
  }
  return states;
}

/** Files with the content they had that are other files all the same. */
function movedFiles(
  before: ReadonlyMap<string, FileState>,
  after: ReadonlyMap<string, FileState>,
): readonly string[] {
  return [...after].flatMap(([path, file]) => {
    const old = before.get(path);
    if (path === manifest || old === undefined || old.sha256 !== file.sha256) return [];
    return old.inode === file.inode && old.mtimeMs === file.mtimeMs ? [] : [path];
  });
}

/** By path; a compressed manifest cannot be compared. */
function hashes(files: ReadonlyMap<string, FileState>): Readonly<Record<string, string>> {
  const compared = [...files].filter(([path]) => !path.startsWith(`${manifest}.`));
  return Object.fromEntries(compared.map(([path, { sha256 }]) => [path, sha256]));
}

async function expectNothingLeft({ folder }: OfflineProject): Promise<void> {
  const known = ['.clean', '.lectern', 'clean', 'dist', 'other', 'templates'];
  expect((await readdir(folder)).filter((name) => !known.includes(name))).toEqual([]);
}

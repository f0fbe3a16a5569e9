import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runLecternProcess } from '../support/lectern.ts';
import { createOfflineProject } from '../support/offline-project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Writes the URL of every module that Node imports, and the name of every package that our own ones require, to the file in LOADED_MODULES. */
const recorder = `
  import { appendFileSync } from 'node:fs';
  export async function load(url, context, next) {
    appendFileSync(process.env.LOADED_MODULES, url + '\\n');
    return next(url, context);
  }`;
const register = `
  import { appendFileSync } from 'node:fs';
  import Module, { isBuiltin, register } from 'node:module';
  const load = Module._load;
  Module._load = (name, parent, ...others) => {
    if (/^[^./]/.test(name) && !isBuiltin(name) && !/node_modules/.test(parent?.filename))
      appendFileSync(process.env.LOADED_MODULES, '/node_modules/' + name + '\\n');
    return load(name, parent, ...others);
  };
  register(${JSON.stringify(dataUrl(recorder))});`;

/** Runs the program, and returns the packages and its own folders that it loaded. */
async function loadedBy(cwd: string, ...args: string[]) {
  const file = join(folder, 'loaded.txt');
  await appendFile(file, '');
  const { code } = await runLecternProcess(args, {
    cwd,
    env: { LOADED_MODULES: file, NODE_OPTIONS: `--import=${dataUrl(register)}` },
  });
  const urls = (await readFile(file, 'utf8')).split('\n');
  await rm(file);
  const named = (pattern: RegExp) => [...new Set(urls.flatMap((url) => pattern.exec(url)?.[1] ?? []))].sort();
  return {
    code,
    // Those in lib/bundled/ are one file each.
    packages: [
      ...named(/.*\/node_modules\/(@[^/]+\/[^/]+|[^/]+)/),
      ...named(/\/lib\/bundled\/(?!chunk-)([^/]+?)(?:\.js|\/.*)$/),
    ],
    commands: named(/\/lib\/cli\/commands\/([^/]+)\.js$/),
  };
}

function dataUrl(module: string): string {
  return `data:text/javascript,${encodeURIComponent(module)}`;
}

describe('starting the program', () => {
  it.each([
    [['--version'], 0],
    [['build', '--version'], 0],
  ])('loads no package for %j', async (args, code) => {
    expect(await loadedBy(folder, ...args)).toMatchObject({ code, packages: [] });
  });

  it.each([
    [['--help'], 0, []],
    [[], 2, []],
    [['biuld'], 2, []],
    [['service', 'lst'], 2, []],
    [['help', 'build'], 0, ['build']],
    [['build', '--help'], 0, ['build']],
    [['build', '--offlin'], 2, ['build']],
    [['feed', '--help'], 0, ['feed']],
    [['diff', '--help'], 0, ['diff']],
    [['export', '--help'], 0, ['export']],
    [['mcp', '--help'], 0, ['mcp']],
    [['pull', '--help'], 0, ['pull']],
    [['service', 'keys', 'list', '--help'], 0, ['service-keys']],
    [['serve', '--help'], 0, ['serve']],
    [['config', '--help'], 0, ['config']],
    [['templates', '--help'], 0, ['templates']],
    [['templates', 'list', '--help'], 0, ['templates']],
    [['init', '--help'], 0, ['init']],
    [['preview', '--help'], 0, ['preview']],
  ])('loads yargs alone, and no command but its own, for %j', async (args, code, commands) => {
    expect(await loadedBy(folder, ...args)).toEqual({ code, packages: ['yargs'], commands });
  });

  it.each([
    [['kb', 'article', 'list', '--help'], ['kb']],
    [['kb', 'search'], ['kb']],
  ])('loads yargs and the schema library, which describes the operations, for %j', async (args, commands) => {
    const packages = ['yargs', 'zod'];
    expect(await loadedBy(folder, ...args)).toMatchObject({ packages, commands });
  });

  it('loads yargs, the schema library and the database for an offline build that has nothing to do', async () => {
    const project = createOfflineProject();
    const text = { title: 'One', body: '<p>First.</p>' };
    await project.write([{ id: 'aaaaaaaaaa', categoryId: null, texts: { en: text } }], []);
    const args = ['build', '--offline', '--quiet'];
    expect((await loadedBy(project.folder, ...args)).packages).toContain('parse5');
    expect(await loadedBy(project.folder, ...args)).toEqual({
      code: 0,
      packages: ['libsql', 'yargs', 'zod'],
      commands: ['build'],
    });
  });

  it('loads yargs and the schema library alone to show the configuration', async () => {
    expect(await loadedBy(folder, 'config')).toEqual({
      code: 0,
      packages: ['yargs', 'zod'],
      commands: ['config'],
    });
  });
});

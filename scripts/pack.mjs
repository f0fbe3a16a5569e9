// Makes the tarball of the package: `node scripts/pack.mjs [FOLDER]`. It is packed from a copy, in which the built-in scripts
// and style sheets also lie minified (`templates/minified/`); in the repository they are published as they are written.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { transformSync } from 'esbuild';

const root = join(import.meta.dirname, '..');
const destination = resolve(process.argv[2] ?? '.');
const copy = mkdtempSync(join(tmpdir(), 'lectern-pack-'));

try {
  for (const { path } of JSON.parse(npm(root, ['--dry-run', '--json']))[0].files) {
    cpSync(join(root, path), join(copy, path));
  }
  minifyFolder('assets', 'minified');
  minifyFolder('assets/css', 'minified/css');
  minifyMiniSearch();
  process.stdout.write(npm(copy, ['--pack-destination', destination]));
} finally {
  rmSync(copy, { recursive: true });
}

function npm(cwd, args) {
  const options = { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
  return execFileSync('npm', ['pack', '--ignore-scripts', '--silent', ...args], options);
}

function minifyFolder(from, to) {
  for (const name of readdirSync(join(copy, 'templates', from))) {
    const loader = /\.(js|css)$/.exec(name)?.[1];
    if (loader === undefined) continue;
    write(join(to, name), minify(readFileSync(join(copy, 'templates', from, name), 'utf8'), loader));
  }
}

/** The search library as browsers load it; a site takes it when it is of the version that is installed. */
function minifyMiniSearch() {
  const folder = join(dirname(createRequire(import.meta.url).resolve('minisearch')), '../..');
  const { version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const notice = `/*! MiniSearch ${version} by ${author.name ?? author}, ${license} licence */\n`;
  const script = minify(readFileSync(join(folder, 'dist/es/index.js'), 'utf8'), 'js');
  write(`minified/minisearch-${version}.js`, notice + script);
}

function minify(text, loader) {
  return transformSync(text, { loader, minify: true, target: 'es2022' }).code;
}

function write(path, content) {
  const file = join(copy, 'templates', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

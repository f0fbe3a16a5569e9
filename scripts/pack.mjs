// Makes the tarball of a release: `node scripts/pack.mjs [FOLDER]`. It is packed from a copy. The copy adds the built-in scripts and style
// sheets minified (`templates/minified/`), and omits the types that `lib/index.d.ts` does not need.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, resolve } from 'node:path';
import { minifyTemplates } from './minify.mjs';

const root = join(import.meta.dirname, '..');
const destination = resolve(process.argv[2] ?? '.');
const copy = mkdtempSync(join(tmpdir(), 'lectern-pack-'));

try {
  const types = findTypes('lib/index.d.ts');
  for (const { path } of JSON.parse(npm(root, ['--dry-run', '--json']))[0].files) {
    if (path.endsWith('.d.ts') && !types.has(path)) continue;
    cpSync(join(root, path), join(copy, path));
  }
  minifyTemplates(copy);
  process.stdout.write(npm(copy, ['--pack-destination', destination]));
} finally {
  rmSync(copy, { recursive: true });
}

/** The declaration files that a project which imports the library reads: the given one and its imports. */
function findTypes(path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  const text = readFileSync(join(root, path), 'utf8');
  for (const [, name] of text.matchAll(/(?:from |import\()["'](\.[^"']+)["']/g)) {
    findTypes(posix.join(posix.dirname(path), name.replace(/\.[jt]s$/, '.d.ts')), found);
  }
  return found;
}

function npm(cwd, args) {
  const options = { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
  return execFileSync('npm', ['pack', '--ignore-scripts', '--silent', ...args], options);
}

// The second step of `npm run build`: puts the parts of large libraries that the program uses into its compiled `lib/`; `bundledLibraries`
// in package.json names them. So who installs it does not download 30 MB of vocabularies for one, nor the client, servers and sign-in of a
// protocol of which the program uses a part; and a start opens two files of yargs and zod instead of 120. zod is also a dependency, because the
// types of the library name its types. Then writes the id of the build: a run reads it instead of hashing the whole program.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const { resolve: find } = createRequire(import.meta.url);

/** Of the helpers of yargs, only the parser: loading the others takes 45 ms, a twentieth of a build that finds nothing changed in 2,000 pages. */
const parserOfYargs = {
  name: 'parser of yargs',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]yargs[\\/]helpers[\\/]helpers\.mjs$/ }, ({ path }) => ({
      contents: "export { default as Parser } from 'yargs-parser';",
      resolveDir: dirname(path),
    }));
  },
};

/**
 * Of zod, only the kinds of schemas that the program uses: loading the others, and its messages in fifty languages, takes twice as long as the rest
 * of a small program.
 * @param files the compiled program, in which `z` is always zod
 */
function partOfZod(files) {
  const used = new Set(
    files.flatMap(({ text }) => Array.from(text.matchAll(/\bz\s*\.(\w+)/g), ([, name]) => name)),
  );
  const members = [...used].map((name) => `${name}: zod.${name}`);
  return {
    name: 'part of zod',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^part of zod$/ }, ({ path }) => ({ path, namespace: 'part' }));
      onLoad({ filter: /^part of zod$/, namespace: 'part' }, () => ({
        contents: `import * as zod from 'zod'; export const z = { ${members.join()} };`,
        resolveDir: root,
      }));
    },
  };
}

/** What is bundled instead of a whole library. */
const parts = { undici: join(root, 'scripts/undici.mjs'), zod: 'part of zod' };

rmSync(join(root, 'templates/minified'), { recursive: true, force: true });
await bundleLibraries(join(root, 'lib'));
writeBuildId(join(root, 'lib'));

/** Changes the imports of the bundled libraries in `lib/`, and writes `lib/bundled/` with their licences. */
async function bundleLibraries(lib) {
  const { dependencies, bundledLibraries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const target = join(lib, 'bundled');
  rmSync(target, { recursive: true, force: true });
  const files = readdirSync(lib, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .map((path) => ({ path: join(lib, path), text: readFileSync(join(lib, path), 'utf8') }));
  const names = new Set();
  for (const file of files) {
    for (const [, name] of file.text.matchAll(/(?:\bfrom|\bimport\(?)\s*'([^'.][^']*)'/g)) {
      if (bundledLibraries.some((library) => name === library || name.startsWith(`${library}/`)))
        names.add(name);
    }
  }
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      [...names].map((name) => [name.replace(/\.js$/, ''), parts[name] ?? name]),
    ),
    outdir: target,
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
    plugins: [parserOfYargs, partOfZod(files)],
    external: Object.keys(dependencies).filter((name) => !bundledLibraries.includes(name)),
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  });
  for (const { path, text } of files) {
    const to = (name) => `./${relative(dirname(path), join(target, name)).replaceAll('\\', '/')}`;
    let changed = text;
    for (const name of names)
      changed = changed.replaceAll(
        new RegExp(`((?:\\bfrom |\\bimport\\(?\\s*))'${name.replaceAll('.', '\\.')}'`, 'g'),
        (_, start) => `${start}'${to(name.replace(/(?:\.js)?$/, '.js'))}'`,
      );
    changed = changed.replace("'highlight.js/lib'", () => `'${to('highlight.js')}'`);
    if (changed !== text) writeFileSync(path, changed);
  }
  await copyGrammars(lib, join(target, 'highlight.js'));
  await writeVocabulary(join(target, 'o200k_base.bin'));
  writeLicences(metafile, target);
}

/** Copies the core of highlight.js, and the languages that the program highlights, because it loads them one by one, by name. */
async function copyGrammars(lib, target) {
  const { grammarNames } = await import(pathToFileURL(join(lib, 'content/write/highlight.js')).href);
  const from = dirname(find('highlight.js/lib/core'));
  mkdirSync(join(target, 'languages'), { recursive: true });
  writeFileSync(join(target, 'package.json'), '{"type":"commonjs"}\n');
  cpSync(join(from, 'core.js'), join(target, 'core.js'));
  for (const name of grammarNames())
    cpSync(join(from, 'languages', `${name}.js`), join(target, 'languages', `${name}.js`));
}

/** Writes a hash of all files of `lib/` as `lib/build-id`, which `src/pipeline/hash-inputs.ts` reads. */
function writeBuildId(lib) {
  const id = createHash('sha256');
  for (const path of readdirSync(lib, { recursive: true, encoding: 'utf8' }).sort()) {
    if (path === 'build-id' || !statSync(join(lib, path)).isFile()) continue;
    id.update(`${path}\t`).update(readFileSync(join(lib, path)));
  }
  writeFileSync(join(lib, 'build-id'), id.digest('hex'));
}

/** Writes the tokens of an encoding as `src/feed/tokens/vocabulary.ts` reads them: for each rank the number of bytes, and the bytes. */
async function writeVocabulary(file) {
  const { default: tokens } = await import('gpt-tokenizer/bpeRanks/o200k_base');
  const bytes = Array.from(tokens, (token = '') => Buffer.from(token));
  const content = Buffer.concat(bytes.flatMap((token) => [Buffer.of(token.length), token]));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(content.length);
  writeFileSync(file, Buffer.concat([head, content]));
}

function writeLicences({ inputs }, target) {
  const packages = new Set(['node_modules/highlight.js']);
  for (const input of Object.keys(inputs))
    packages.add(/^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  const texts = [...packages]
    .filter(Boolean)
    .sort()
    .map((path) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
      const file = readdirSync(join(root, path)).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file === undefined ? '' : readFileSync(join(root, path, file), 'utf8');
      return `${name} ${version} (${license})\n\n${text.trim()}\n`;
    });
  writeFileSync(join(target, 'LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

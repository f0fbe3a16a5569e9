import { execFile } from 'node:child_process';
import { access, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grammarNames } from '../../src/content/write/highlight.ts';
import { type SeededService, serveSeed } from '../support/lectern.ts';
import { createPackedProject, packedFiles } from '../support/packed-project.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

describe('the packed package', () => {
  let project: string;
  let service: SeededService;

  beforeAll(async () => {
    project = await createPackedProject();
    service = await serveSeed(join(root, 'sample'), project);
  });
  afterAll(async () => {
    await service?.stop();
    await rm(project, { recursive: true, force: true });
  });

  const lectern = (...args: string[]) =>
    run(process.execPath, [join(project, 'node_modules/.bin/lectern'), ...args], {
      cwd: project,
      env: { ...process.env, ...service.env },
    });

  it('contains the program, its templates, documents, schemas and the sample, and nothing else', async () => {
    const docs = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md'));
    const places = new Set(
      (await packedFiles(project)).map((path) => path.replace(/^(docs\/[^/]+|[^/]+).*/, '$1')),
    );
    expect([...places].sort()).toEqual([
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      ...[...docs, 'clients', 'images', 'openapi.json', 'schema'].map((name) => `docs/${name}`).sort(),
      'lib',
      'package.json',
      'sample',
      'scripts',
      'templates',
    ]);
  });

  it('says how to install again if it was installed without its compiled program', async () => {
    const lectern = join(project, 'unbuilt');
    await cp(join(project, 'node_modules/lectern/scripts'), join(lectern, 'scripts'), { recursive: true });
    await writeFile(join(lectern, 'package.json'), '{ "type": "module" }');
    await expect(run(join(lectern, 'scripts/lectern.mjs'), ['build'])).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^error: .* \(ignore-scripts\)\.\nhint: run npm uninstall lectern, .* --ignore-scripts=false /,
      ),
    });
  });

  it('contains the parts of libraries that are not installed with it, and their licences', async () => {
    const lectern = join(project, 'node_modules/lectern');
    const { dependencies, peerDependencies, bundledLibraries } = JSON.parse(
      await readFile(join(lectern, 'package.json'), 'utf8'),
    ) as { dependencies: object; peerDependencies: object; bundledLibraries: readonly string[] };
    // Comments in the grammars are examples of imports.
    const paths = (await packedFiles(project)).filter((path) =>
      /^lib\/(?!bundled\/highlight).*\.js$/.test(path),
    );
    const names = paths.map(async (path) => {
      const text = await readFile(join(lectern, path), 'utf8');
      return [...text.matchAll(/(?:\bfrom|\bimport\(?|\brequire\()\s*["'](@?[a-z][^"'\s]*)["']/g)].map(
        ([, name = '']) => name,
      );
    });
    const imported = (await Promise.all(names)).flat().filter((name) => !isBuiltin(name));
    const packages = imported.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0]);
    // Optional parts of libraries, and the message of one.
    const others = ['pnpapi', 'ajv', 'ajv-formats'];
    const known = [...Object.keys({ ...dependencies, ...peerDependencies }), ...others];
    expect([...new Set(packages)].filter((name) => !known.includes(name ?? ''))).toEqual([]);
    const bundled = join(lectern, 'lib/bundled');
    for (const name of grammarNames()) await access(join(bundled, `highlight.js/languages/${name}.js`));
    const licences = await readFile(join(bundled, 'LICENSES.txt'), 'utf8');
    for (const name of bundledLibraries) expect(licences).toContain(`${name} `);
  });

  it('contains every file and picture its README and documents link to', async () => {
    const files = new Set(await packedFiles(project));
    const pages = [...files].filter((path) => /^(?:README|docs\/[^/]+)\.md$/.test(path));
    const links = await Promise.all(
      pages.map(async (page) => {
        const text = await readFile(join(project, 'node_modules/lectern', page), 'utf8');
        const prose = text.replaceAll(/```.*?```|`[^`\n]*`/gs, '');
        return [...prose.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to = '']) =>
          posix.join(posix.dirname(page), to),
        );
      }),
    );
    const missing = new Set(links.flat().filter((path) => !files.has(path)));
    expect([...missing]).toEqual([]);
    expect(files).toContain('docs/openapi.json');
  });

  it('builds the sample in an empty folder, and the feed verifies', async () => {
    const { stdout } = await lectern('build', '--site-url', 'https://help.example.com', '--json', '--quiet');
    expect(JSON.parse(stdout)).toMatchObject({ articles: expect.any(Number) });
    expect(await readFile(join(project, 'dist/en/index.html'), 'utf8')).toMatch(/^<!doctype html>/i);
    await lectern('verify', 'dist');
  });

  it('publishes the built-in scripts and style sheets minified, and those of the project as they are', async () => {
    const own = '/* own */\nimport "./tokens.js";\n';
    await mkdir(join(project, 'templates/assets'), { recursive: true });
    await writeFile(join(project, 'templates/assets/own.js'), own);
    await lectern('build', '--site-url', 'https://help.example.com', '--quiet');
    const names = await readdir(join(project, 'dist/assets'));
    const published = async (pattern: RegExp) => {
      const name = names.find((file) => pattern.test(file)) ?? '';
      return readFile(join(project, 'dist/assets', name), 'utf8');
    };
    const sources = ['site.js', 'tokens.js', 'theme.js'];
    for (const source of sources) {
      const [stem = ''] = source.split('.');
      const text = await published(new RegExp(`^${stem}\\.[0-9a-f]{10}\\.js$`));
      const written = await readFile(join(root, 'templates/assets', source), 'utf8');
      expect(text.length).toBeGreaterThan(0);
      expect(text.length).toBeLessThan(written.length * 0.8);
    }
    expect(await published(/^site\..*\.css$/)).not.toMatch(/\/\*|\n {2}/);
    const search = await published(/^search-en\./);
    expect(search).toContain('/*! @orama/stemmers, Apache-2.0 licence */');
    expect(search).not.toMatch(/^ {2}|\/\*\*/m);
    const tokens = names.find((name) => name.startsWith('tokens.')) ?? '';
    expect(await published(/^own\./)).toBe(own.replace('tokens.js', tokens));
    await rm(join(project, 'templates'), { recursive: true });
  });

  it('has no complaint of publint', async () => {
    const { stdout } = await run(join(root, 'node_modules/.bin/publint'), ['--strict', '--pack', 'false'], {
      cwd: join(project, 'node_modules/lectern'),
    });
    expect(stdout).toContain('All good!');
  });

  it('contains only the types of the library', async () => {
    const types = (await packedFiles(project)).filter((path) => path.endsWith('.d.ts'));
    expect(types).toContain('lib/source/api/client-types.d.ts');
    expect(types.filter((path) => /^lib\/(?:cli|output|partitions|site|feed)\//.test(path))).toEqual([
      'lib/feed/records/record-schemas.d.ts',
    ]);
    expect(types).not.toContain('lib/core/net/http.d.ts');
    const program = [
      "import { applyFeed, build, createClient, defineConfig, LecternError, startService } from 'lectern';",
      "import type { BuildReport, Client, UserConfig } from 'lectern';",
      "const config: UserConfig = defineConfig({ baseUrl: 'https://kb.example.com/v1' });",
      "export const client: Client = createClient({ baseUrl: 'https://kb.example.com/v1', apiKey: 'k' });",
      'export const report: Promise<BuildReport> = build(config);',
      'export const others = [applyFeed, LecternError, startService];',
    ];
    await writeFile(join(project, 'types.mts'), program.join('\n'));
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    await run(join(root, 'node_modules/.bin/tsc'), [...flags, 'types.mts'], { cwd: project });
  });

  it('is loaded by require, too, which takes no module that waits', async () => {
    const program = "console.log(Object.keys(require('lectern')).join())";
    const { stdout } = await run(process.execPath, ['--eval', program], { cwd: project });
    expect(stdout).toBe('LecternError,applyFeed,build,createClient,defineConfig,startService\n');
  });

  it('has types that resolve for every way of importing an ES module', async () => {
    const tarball = (await packedTarball(project)) ?? '';
    const { stdout } = await run(
      join(root, 'node_modules/.bin/attw'),
      [tarball, '--profile', 'esm-only', '--format', 'json'],
      { cwd: project, maxBuffer: 64_000_000 },
    );
    const { problems } = JSON.parse(stdout) as { readonly problems?: Readonly<Record<string, unknown>> };
    const ignored = ['NoResolution', 'CJSResolvesToESM'];
    expect(Object.keys(problems ?? {}).filter((kind) => !ignored.includes(kind))).toEqual([]);
  });
});

async function packedTarball(project: string): Promise<string | undefined> {
  const name = (await readdir(project)).find((file) => file.endsWith('.tgz'));
  return name && join(project, name);
}

import { execFile } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../support/lectern.ts';
import { createPackedProject, packedFiles } from '../support/packed-project.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

describe('the packed package', () => {
  let project: string;
  let service: ServiceProcess;

  beforeAll(async () => {
    project = await createPackedProject();
    service = await startServiceProcess(join(project, 'node_modules/lectern/docs/sample'), project);
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

  it('holds the program, its templates, documents, schemas and the sample, and nothing else', async () => {
    const docs = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md'));
    const places = new Set(
      (await packedFiles(project)).map((path) => path.replace(/^(docs\/[^/]+|[^/]+).*/, '$1')),
    );
    expect([...places].sort()).toEqual([
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      ...[...docs, 'images', 'openapi.json', 'sample', 'schema'].map((name) => `docs/${name}`).sort(),
      'lib',
      'package.json',
      'templates',
    ]);
  });

  it('holds every file and picture its README and documents link to', async () => {
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

  it('has no complaint of publint', async () => {
    const { stdout } = await run(join(root, 'node_modules/.bin/publint'), ['--strict', '--pack', 'false'], {
      cwd: join(project, 'node_modules/lectern'),
    });
    expect(stdout).toContain('All good!');
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

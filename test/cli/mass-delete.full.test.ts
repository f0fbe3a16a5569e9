import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeTree } from '../support/folder-layouts.ts';
import { runLectern } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
  writeTree(folder, Object.fromEntries(pages.map((name) => [`docs/${name}.md`, `# Page ${name}\n\nText.`])));
});

const pages = ['a', 'b', 'c', 'd', 'e', 'f'];
const build = (flags: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  runLectern(['build', 'docs', '--site-url', 'https://help.example.com', ...flags], { cwd: folder, env });
const remove = (...names: readonly string[]) => {
  for (const name of names) rmSync(join(folder, `docs/${name}.md`));
};

describe('a folder that loses pages', () => {
  it('is published while half of the pages are left', async () => {
    await build();
    remove('a', 'b', 'c');
    expect(await build()).toMatchObject({ code: 0 });
  });

  it('is not published without a word when more than half is gone, and the pages are named', async () => {
    await build();
    remove('a', 'b', 'c', 'd');
    const { code, stderr } = await build();
    expect(code).toBe(1);
    expect(stderr).toContain('  Page a\n  Page b\n  Page c\n  Page d\n');
    expect(await build(['--allow-mass-delete'])).toMatchObject({ code: 0 });
  });

  it('is compared with the published feed if a job has no cache, which names the URLs', async () => {
    await build();
    rmSync(join(folder, '.lectern'), { recursive: true });
    remove('a', 'b', 'c', 'd');
    expect((await build()).stderr).toContain('  https://help.example.com/a/\n');
  });

  it.each([
    [
      {
        GITHUB_ACTIONS: 'true',
        GITHUB_SERVER_URL: 'https://github.com',
        GITHUB_REPOSITORY: 'acme/help',
        GITHUB_WORKFLOW_REF: 'acme/help/.github/workflows/publish-help.yml@refs/heads/main',
      },
      'https://github.com/acme/help/actions/workflows/publish-help.yml',
    ],
    [{ CI_PROJECT_URL: 'https://gitlab.com/acme/help' }, 'https://gitlab.com/acme/help/-/pipelines/new'],
  ])('links to the page on which a job allows it once: %#', async (env, link) => {
    await build();
    remove('a', 'b', 'c', 'd');
    const { stdout, stderr } = await build([], env);
    expect(stdout + stderr).toContain(link);
  });

  it.each([
    ['github', '.github/workflows/publish-help.yml', '      allow-mass-delete:\n'],
    ['gitlab', '.gitlab-ci.yml', 'ALLOW_MASS_DELETE'],
    ['cron', 'publish-help.sh', '"$@"'],
  ])('can be allowed once in the job of %s', async (ci, file, text) => {
    const flags = ['--source', 'docs', '--site-url', 'https://help.example.com', '--ci', ci];
    expect(await runLectern(['init', ...flags], { cwd: folder })).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, file), 'utf8')).toContain(text);
  });
});

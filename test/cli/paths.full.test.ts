import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeTree } from '../support/folder-layouts.ts';
import { runLectern, startLectern } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

const lectern = (...args: string[]) => runLectern(args, { cwd: folder });
const page =
  '<!doctype html><html lang="en"><title>Built</title><main><h1>Built</h1><p>By a generator.</p></main>';

describe('a path as the source', () => {
  it('builds a folder of Markdown, and a site that was built', async () => {
    writeTree(folder, {
      'docs/guide.md': '# Guide\n\nText.',
      'site/index.html': page,
      'site/a/index.html': page,
    });
    expect(await lectern('build', 'docs')).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'dist/guide/index.html'), 'utf8')).toContain('Text.');
    const site = await lectern(
      'build',
      'site',
      '--out',
      'b',
      '--cache',
      'c',
      '--site-url',
      'https://d.example',
    );
    expect(site).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'b/feed/en/documents.jsonl'), 'utf8')).toContain('By a generator.');
  });

  it('names the folders beside that could be meant', async () => {
    writeTree(folder, { 'docs/a.md': '# A\n\nText.', 'site/index.html': page });
    const { code, stderr } = await lectern('build');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'run lectern build docs (1 Markdown file), or lectern build site (a built site)',
    );
    expect((await lectern('docs')).stderr).toContain('run lectern build docs');
    writeTree(folder, { "Acme's help/a.md": '# A\n\nText.' });
    expect((await lectern('build')).stderr).toContain("lectern build 'Acme'\\''s help' (1 Markdown file)");
    expect((await lectern("Acme's help")).stderr).toContain("run lectern build 'Acme'\\''s help'");
  });

  it('is that of the last build or preview, if nothing names one', async () => {
    writeTree(folder, { 'docs/index.md': '# Acme bikes\n\nFirst.' });
    expect((await lectern('build', 'docs', '--noindex')).stderr).not.toContain('as in the last build');
    writeTree(folder, { 'docs/index.md': '# Acme bikes\n\nSecond.' });
    for (const word of ['Second.', 'Third.']) {
      writeTree(folder, { 'docs/index.md': `# Acme bikes\n\n${word}` });
      const { code, stderr } = await lectern('build');
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(/^as in the last build: --source docs --noindex$/m),
      ]);
      expect((await lectern('build', '--quiet')).stderr).toBe('');
      expect(readFileSync(join(folder, 'dist/index.html'), 'utf8')).toContain(word);
    }
    await lectern('build', 'docs', '--no-noindex');
    expect((await lectern('build')).stderr).toContain('as in the last build: --source docs --no-noindex\n');
    writeFileSync(join(folder, 'lectern.config.json'), '{ "source": { "kind": "folder", "path": "other" } }');
    expect((await lectern('build')).stderr).toContain(`the folder ${join(folder, 'other')} does not exist`);
  });

  it('gives the site the name of its home page', async () => {
    writeTree(folder, { 'docs/README.md': '# Acme bikes\n\nText.', 'docs/chain.md': '# Chain\n\nOil.' });
    expect(await lectern('build', 'docs')).toMatchObject({ code: 0 });
    const titleOf = (path: string) =>
      /<title>(.*)<\/title>/.exec(readFileSync(join(folder, path), 'utf8'))?.[1];
    expect([titleOf('dist/index.html'), titleOf('dist/chain/index.html')]).toEqual([
      'Acme bikes',
      'Chain · Acme bikes',
    ]);
    writeTree(folder, { 'docs/README.md': '# Introduction\n\nText.' });
    expect(await lectern('build', 'docs')).toMatchObject({ code: 0 });
    expect(titleOf('dist/chain/index.html')).toBe('Chain · Help centre');
  });

  it('says which folder is missing', async () => {
    const { code, stderr } = await lectern('build', 'dcs');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`the folder ${join(folder, 'dcs')} does not exist`),
    ]);
  });
});

describe('lectern preview', () => {
  const preview = async (...args: string[]) => {
    const child = startLectern(['preview', ...args, '--port', '0'], { cwd: folder });
    const [url] = (await once(createInterface({ input: child.stdout as never }), 'line')) as [string];
    return {
      read: async (path: string) => (await fetch(`${url}${path}`)).text(),
      stop: async () => {
        child.kill('SIGINT');
        await once(child, 'close');
      },
    };
  };

  it('shows a folder of Markdown that was never built, a built site, and what a build published', async () => {
    writeTree(folder, {
      'docs/guide.md': '# Guide\n\nFirst.',
      'site/index.html': page,
      'site/a/index.html': page,
    });
    const docs = await preview('docs');
    expect(await docs.read('guide/')).toContain('First.');
    writeFileSync(join(folder, 'docs/guide.md'), '# Guide\n\nSecond.');
    await expect.poll(() => docs.read('guide/')).toContain('Second.');
    await docs.stop();

    const site = await preview('site', '--out', 'b');
    expect(await site.read('a/')).toContain('By a generator.');
    await site.stop();

    await lectern(
      'build',
      'docs',
      '--out',
      'published',
      '--cache',
      'other',
      '--site-url',
      'https://d.example/help',
    );
    const published = await preview('published');
    expect(await published.read('guide/')).toContain('Second.');
    await published.stop();
  });
});

describe('lectern demo', () => {
  it('builds the sample in an empty folder, and leaves nothing else', async () => {
    // `npm run demo` in a clone, where the shell knows no program of this name.
    const { code, stdout } = await runLectern(['demo'], { cwd: folder, env: { npm_command: 'run' } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Published \d+ articles in 4 languages: /m);
    expect(stdout).toMatch(/^Preview {3}npx lectern preview lectern-demo$/m);
    expect(readFileSync(join(folder, 'lectern-demo/index.html'), 'utf8')).toMatch(/^<!doctype html>/i);
    expect(existsSync(join(folder, '.lectern'))).toBe(false);
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { writeTree } from '../support/folder-layouts.ts';
import { runLecternProcess } from '../support/lectern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const record = (title: string, text: string) =>
  `---\ntitle: ${title}\nis_published: true\nis_private: false\n---\n${text}\n`;

/** Writes the path of each opened file with an extension to a log. */
const noteOpened = (log: string, extension: string) => `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { openSync } = fs;
  fs.openSync = (path, ...rest) => {
    if (String(path).endsWith('${extension}')) fs.appendFileSync(${JSON.stringify(log)}, path + '\\n');
    return openSync(path, ...rest);
  };
  syncBuiltinESMExports();
`;

it.each([
  ['plain', { 'a.md': '# A\n\nOne.', 'b.md': '# B\n\nTwo.' }, 'b.md', '# B\n\nSix.'],
  [
    'pulled',
    {
      'categories/k/en.md': '---\ntitle: K\n---\nWhat is in K.\n',
      'articles/a/en.md': record('A', 'One.'),
      'articles/b/en.md': record('B', 'Two.'),
      'articles/nul/en.md': record('Nul', 'A\0B'),
    },
    'articles/b/en.md',
    record('B', 'Six.'),
  ],
] as const)(
  'opens only the edited file of a %s folder',
  { timeout: 60_000 },
  async (layout, files, path, text) => {
    const folder = temporaryFolder();
    const [kb, log, hook] = ['kb', 'opened.log', 'hook.mjs'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeTree(kb, files);
    writeFileSync(hook, noteOpened(log, '.md'));
    const config = { siteUrl: 'https://docs.example.com', source: { kind: 'folder', path: './kb', layout } };
    writeFileSync(join(folder, 'lectern.config.json'), JSON.stringify(config));
    const build = async () => {
      writeFileSync(log, '');
      const { stdout } = await runLecternProcess(['build'], {
        cwd: folder,
        env: { NODE_OPTIONS: `--import ${pathToFileURL(hook)}` },
      });
      if (layout === 'pulled') expect(stdout).toContain('body contains NUL');
      const opened = readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .filter((one) => one.startsWith(kb));
      return [...new Set(opened.map((one) => relative(kb, one)))].sort();
    };
    // A file that was written directly before it was read is read once more.
    await setTimeout(3100);
    expect(await build()).toEqual(Object.keys(files).sort());
    // Whether a category is public depends on its articles, so nothing of it is kept.
    const always = Object.keys(files).filter((file) => file.startsWith('categories/'));
    expect(await build()).toEqual([]);
    writeTree(kb, { [path]: text });
    expect(await build()).toEqual([path, ...always]);
    expect(readFileSync(join(folder, 'dist/feed/en/documents.jsonl'), 'utf8')).toContain('Six.');
  },
);

it('does not read pages that it links to say which files changed', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder();
  const [log, hook] = [join(folder, 'opened.log'), join(folder, 'hook.mjs')];
  writeTree(join(folder, 'kb'), { 'a.md': '# A\n\nOne.', 'b.md': '# B\n\nTwo.' });
  writeFileSync(hook, noteOpened(log, '.html'));
  const source = { kind: 'folder', path: './kb' };
  writeFileSync(
    join(folder, 'lectern.config.json'),
    JSON.stringify({ siteUrl: 'https://docs.example.com', source }),
  );
  const build = async () => {
    writeFileSync(log, '');
    await runLecternProcess(['build', '--report', 'report.json'], {
      cwd: folder,
      env: { NODE_OPTIONS: `--import ${pathToFileURL(hook)}` },
    });
    const { changedFiles } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    const opened = readFileSync(log, 'utf8').split('\n');
    return { changedFiles, opened: opened.map((one) => relative(join(folder, 'dist'), one)) };
  };
  await build();
  writeTree(join(folder, 'kb'), { 'b.md': '# B\n\nSix.' });
  const { changedFiles, opened } = await build();
  expect(changedFiles.changed).toContain('b/index.html');
  expect(opened.filter((path) => !path.startsWith('..'))).toEqual([]);
});
